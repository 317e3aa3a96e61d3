import Foundation

struct Snapshot {
  enum Entry: Equatable {
    case folder(mode: Int)
    case link(to: String)
    case file(mode: Int, Data)
  }

  private(set) var entries: [String: Entry] = [:]

  var paths: Set<String> { Set(entries.keys) }

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
