import Foundation
import TestSupport

/// A hostile engine as a library, in a folder where nothing else lies, beside a file that no engine
/// may touch.
struct HostileLibrary {
  /// The folder that the library lies in, alone.
  let folder: String
  /// The library.
  let path: String
  /// What `tessera` and `Host.engine` take for it.
  let name: String
  private let files: TemporaryFolder
  private static let secret = "what no engine reads\n"

  /// Compiles the engine of a case.
  init(_ hostile: HostileCase) throws {
    files = try TemporaryFolder()
    folder = try files.makeFolder("engines")
    path = files.path("engines/lib\(hostile.source).so")
    name = path + (hostile.engine.map { "#org.example.hostile.\($0)" } ?? "")
    try files.write("canary/file", Self.secret)
    let sources = BuiltProducts.repository.appendingPathComponent("Tests/HostileEngines")
    let source = sources.appendingPathComponent("\(hostile.source).c").path
    let isC = FileManager.default.fileExists(atPath: source)
    let place = hostile.place.map { ["-DWHERE=\($0.rawValue)"] } ?? []
    try CCompiler(isC ? "gcc" : "g++").compile(
      isC ? source : sources.appendingPathComponent("\(hostile.source).cpp").path, to: path,
      flags: [isC ? "-std=gnu11" : "-std=gnu++20", "-shared", "-fPIC", "-Wall", "-Wextra"]
        + ["-Werror", "-DCANARY=\"\(files.path("canary/file"))\""] + place + hostile.flags)
  }

  /// What became of the file that no engine may touch, and of all that lies beside it and beside
  /// the library; empty where nothing did.
  func changes() throws -> [String] {
    let manager = FileManager.default
    var changes: [String] = []
    for (folder, expected) in [("canary", ["file"]), ("engines", ["\(library)"])] {
      let found = try manager.contentsOfDirectory(atPath: files.path(folder)).sorted()
      if found != expected { changes.append("\(folder) holds \(found)") }
    }
    let text = String(decoding: try files.bytes("canary/file"), as: UTF8.self)
    if text != Self.secret { changes.append("the canary holds \(text.prefix(100))") }
    let attributes = try manager.attributesOfItem(atPath: files.path("canary/file"))
    let age = (attributes[.modificationDate] as? Date).map { -$0.timeIntervalSinceNow } ?? .infinity
    if age > 3600 { changes.append("the canary is \(age) s old") }
    if let mode = attributes[.posixPermissions] as? Int, mode & 0o133 != 0 {
      changes.append("the canary's mode is \(String(mode, radix: 8))")
    }
    return changes
  }

  private var library: String { (path as NSString).lastPathComponent }
}
