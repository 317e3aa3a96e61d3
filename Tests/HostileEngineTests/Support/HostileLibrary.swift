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
  private let canary: String
  private static let secret = "what no engine reads\n"

  /// The engine of a case, compiled unless the workshop has it.
  init(_ hostile: HostileCase, in workshop: String = Workshop.folder) throws {
    let bench = "\(workshop)/\(hostile.folderName)"
    folder = "\(bench)/engines"
    canary = "\(bench)/canary"
    path = "\(folder)/lib\(hostile.source).so"
    name = path + (hostile.engine.map { "#org.example.hostile.\($0)" } ?? "")
    if !FileManager.default.fileExists(atPath: path) { try make(hostile, as: bench) }
  }

  /// Another process may be about the same work: what is there is whole, whoever came first.
  private func make(_ hostile: HostileCase, as bench: String) throws {
    let files = try TemporaryFolder()
    let library = files.path("bench/engines/lib\(hostile.source).so")
    try files.makeFolder("bench/engines")
    try files.write("bench/canary/file", Self.secret)
    let place = hostile.place.map { ["-DWHERE=\($0.rawValue)"] } ?? []
    try CCompiler(hostile.isC ? "gcc" : "g++").compile(
      hostile.file, to: library,
      flags: [hostile.isC ? "-std=gnu11" : "-std=gnu++20", "-O0", "-shared", "-fPIC"]
        + ["-Wall", "-Wextra", "-Werror", "-DCANARY=\"\(canary)/file\""] + place + hostile.flags)
    if rename(files.path("bench"), bench) != 0, !FileManager.default.fileExists(atPath: path) {
      throw POSIXError(.init(rawValue: errno) ?? .EIO)
    }
  }

  /// What became of the file that no engine may touch, and of all that lies beside it and beside
  /// the library; empty where nothing did.
  func changes() throws -> [String] {
    let manager = FileManager.default
    var changes: [String] = []
    for (folder, expected) in [(canary, "file"), (folder, (path as NSString).lastPathComponent)] {
      let found = try manager.contentsOfDirectory(atPath: folder).sorted()
      if found != [expected] { changes.append("\(folder) holds \(found)") }
    }
    let text = String(decoding: manager.contents(atPath: "\(canary)/file") ?? Data(), as: UTF8.self)
    if text != Self.secret { changes.append("the canary holds \(text.prefix(100))") }
    let attributes = try manager.attributesOfItem(atPath: "\(canary)/file")
    let age = (attributes[.modificationDate] as? Date).map { -$0.timeIntervalSinceNow } ?? .infinity
    if age > 3600 { changes.append("the canary is \(age) s old") }
    if let mode = attributes[.posixPermissions] as? Int, mode & 0o133 != 0 {
      changes.append("the canary's mode is \(String(mode, radix: 8))")
    }
    return changes
  }
}

extension HostileCase {
  /// The source file.
  fileprivate var file: String {
    BuiltProducts.repository
      .appendingPathComponent("Tests/HostileEngines/\(source).\(isC ? "c" : "cpp")").path
  }

  fileprivate var isC: Bool { source != "throws" }

  /// A name for what is compiled of it, the same for cases that differ only in what they ask.
  fileprivate var folderName: String {
    String(testDescription.map { $0.isLetter || $0.isNumber ? $0 : "-" })
  }
}
