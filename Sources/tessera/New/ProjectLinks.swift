import Foundation

/// The folder `.tessera` of a project: links to the Tessera of this machine.
///
/// Projects name what they are built against by these links alone, so nothing in them depends on
/// where Tessera lies.
struct ProjectLinks {
  static let folder = ".tessera"

  let installation: Installation

  /// Makes the links in the folder of a project, in place of those that are there.
  func make(in project: String) throws {
    let target = "\(project)/\(Self.folder)"
    let unfinished = "\(target).\(getpid()).unfinished"
    let files = FileManager.default
    do {
      try? files.removeItem(atPath: unfinished)
      for (name, path) in installation.links {
        let link = URL(fileURLWithPath: "\(unfinished)/\(name)")
        try files.createDirectory(
          at: link.deletingLastPathComponent(), withIntermediateDirectories: true)
        try files.createSymbolicLink(atPath: link.path, withDestinationPath: path)
      }
      try? files.removeItem(atPath: target)
      try files.moveItem(atPath: unfinished, toPath: target)
    } catch {
      try? files.removeItem(atPath: unfinished)
      throw CommandFailure(.cannotCreate, "cannot make \(target): \(error.localizedDescription)")
    }
  }
}
