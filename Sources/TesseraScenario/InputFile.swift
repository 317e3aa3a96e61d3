import Foundation

/// A file that a person named, "-" for standard input.
struct InputFile {
  let path: String

  /// What errors call the file.
  var name: String { path == "-" ? "standard input" : path }

  /// The file's bytes; throws `.notFound` where it cannot be read.
  func bytes() throws(HostError) -> Data {
    do {
      if path == "-" { return try FileHandle.standardInput.readToEnd() ?? Data() }
      return try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      let system = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
      let reason =
        system.map { String(cString: strerror(Int32(truncatingIfNeeded: ($0 as NSError).code))) }
        ?? "unknown reason"
      throw HostError(.notFound, "\(name) cannot be read: \(reason)")
    }
  }
}
