import Foundation

/// The folder of a new project, which appears whole or not at all.
struct ProjectFolder {
  let path: String

  /// Writes files and links beside the folder's place, then renames all of it there.
  func write(_ files: [String: [UInt8]], _ links: ProjectLinks) throws {
    try refuseExisting()
    let unfinished = "\(path).\(getpid()).unfinished"
    do {
      for (name, bytes) in files {
        let file = URL(fileURLWithPath: "\(unfinished)/\(name)")
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        // What begins like a script is one.
        if bytes.starts(with: "#!".utf8) {
          try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
        }
      }
      try links.make(in: unfinished)
      try refuseExisting()
      try FileManager.default.moveItem(atPath: unfinished, toPath: path)
    } catch {
      try? FileManager.default.removeItem(atPath: unfinished)
      if error is CommandFailure { throw error }
      throw CommandFailure(.cannotCreate, "cannot make \(path): \(error.localizedDescription)")
    }
  }

  private func refuseExisting() throws {
    var status = stat()
    guard lstat(path, &status) != 0 else {
      throw CommandFailure(
        .cannotCreate,
        "cannot make \(path): there is something of that name already; give another name, or move it "
          + "away")
    }
  }
}
