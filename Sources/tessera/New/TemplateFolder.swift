import Foundation

/// A folder of a template, as it lies in the repository.
struct TemplateFolder {
  let path: String

  init(_ path: String) { self.path = path }

  /// What building a template in its place leaves there.
  private static let made: Set<String> = [".tessera", ".build", "build", "Package.resolved"]

  /// The bytes of its files by their paths in it.
  func files() throws -> [String: [UInt8]] {
    let root = URL(fileURLWithPath: path)
    var found: [String: [UInt8]] = [:]
    do {
      for name in try FileManager.default.contentsOfDirectory(atPath: path)
      where !Self.made.contains(name) {
        let inside = root.appendingPathComponent(name)
        if try inside.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true {
          for (rest, bytes) in try TemplateFolder(inside.path).files() {
            found["\(name)/\(rest)"] = bytes
          }
        } else {
          found[name] = [UInt8](try Data(contentsOf: inside))
        }
      }
    } catch let error as CommandFailure {
      throw error
    } catch {
      throw CommandFailure(
        .noInput,
        "cannot read \(path), which projects are made from: \(error.localizedDescription)")
    }
    return found
  }
}
