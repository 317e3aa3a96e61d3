import CTesseraSystem
import Glibc

/// Where the worker's program lies.
enum WorkerProgram {
  static let name = "tessera-worker"

  /// The path of the program: beside the file that holds this code or beside the running program, or
  /// in `../libexec/tessera` from either.
  ///
  /// - Throws: `.notFound` where it is in none of them.
  static func find() throws(HostError) -> String {
    var folders: [String] = []
    for file in [ownFile, runningFile].compactMap({ $0 }) {
      let folder = parent(of: file)
      folders += [folder, "\(parent(of: folder))/libexec/tessera"]
    }
    for folder in folders where access("\(folder)/\(name)", X_OK) == 0 {
      return "\(folder)/\(name)"
    }
    throw HostError(
      .notFound,
      "there is no \(name) in \(folders.joined(separator: " or ")), which engines run in; install it "
        + "there, or say where it is")
  }

  /// The file that this code was loaded from.
  private static var ownFile: String? {
    tessera_own_file().flatMap { resolved(String(cString: $0)) }
  }

  private static var runningFile: String? { resolved("/proc/self/exe") }

  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func parent(of path: String) -> String {
    guard let end = path.lastIndex(of: "/"), end != path.startIndex else { return "" }
    return String(path[..<end])
  }
}
