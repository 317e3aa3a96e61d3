import Foundation

/// A folder as it is at one moment: every entry's path, permissions and content.
struct Snapshot {
  /// What lies at a path.
  enum Entry: Equatable {
    case folder(mode: Int)
    case link(to: String)
    case file(mode: Int, Data)
  }

  private(set) var entries: [String: Entry] = [:]

  /// The paths of all entries, from the folder.
  var paths: Set<String> { Set(entries.keys) }

  /// The paths of what differs from another moment.
  func differences(from other: Snapshot) -> [String] {
    paths.union(other.paths).filter { entries[$0] != other.entries[$0] }.sorted()
  }

  init(of folder: String) throws {
    let manager = FileManager.default
    for path in manager.enumerator(atPath: folder)?.allObjects as? [String] ?? [] {
      let attributes = try manager.attributesOfItem(atPath: "\(folder)/\(path)")
      let mode = attributes[.posixPermissions] as? Int ?? 0
      entries[path] =
        switch attributes[.type] as? FileAttributeType {
        case .typeDirectory: .folder(mode: mode)
        case .typeSymbolicLink:
          .link(to: try manager.destinationOfSymbolicLink(atPath: "\(folder)/\(path)"))
        default:
          .file(mode: mode, try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(path)")))
        }
    }
  }
}
