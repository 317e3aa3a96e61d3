import Foundation
import TestSupport
import Testing

/// A compiled hostile engine, alone in its folder, and a canary file.
struct HostileLibrary {
  let folder: String
  let path: String
  let name: String
  private let canary: String
  private static let secret = "what no engine reads\n"

  /// Compiled once per workshop.
  init(_ hostile: HostileCase, in workshop: String = Workshop.folder) throws {
    let bench = "\(workshop)/\(hostile.folderName)"
    folder = "\(bench)/engines"
    canary = "\(bench)/canary"
    path = "\(folder)/lib\(hostile.source).so"
    name = path + (hostile.engine.map { "#org.example.hostile.\($0)" } ?? "")
    if !FileManager.default.fileExists(atPath: path) { try make(hostile, as: bench) }
  }

  /// Other processes may compile it too, so rename it into place.
  private func make(_ hostile: HostileCase, as bench: String) throws {
    let files = try TemporaryFolder()
    let library = files.path("bench/engines/lib\(hostile.source).so")
    try files.makeFolder("bench/engines")
    try files.write("bench/canary/file", Self.secret)
    let file = try #require(HostileSources.files[hostile.source])
    let isC = file.hasSuffix(".c")
    try CCompiler(isC ? "gcc" : "g++").compile(
      file, to: library,
      flags: [isC ? "-std=gnu11" : "-std=gnu++20", "-O0", "-shared", "-fPIC", "-Wall", "-Wextra"]
        + ["-Werror", "-DCANARY=\"\(canary)/file\"", "-DHOSTILE_LABEL=\"\(hostile.source)\""]
        + ["-DHOSTILE_ATTACK=\(hostile.source.replacing("-", with: "_"))"]
        + (hostile.place.map { ["-DWHERE=\($0.rawValue)"] } ?? []) + hostile.flags)
    if rename(files.path("bench"), bench) != 0, !FileManager.default.fileExists(atPath: path) {
      throw POSIXError(.init(rawValue: errno) ?? .EIO)
    }
  }

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

enum HostileSources {
  static let files: [String: String] = {
    let folder = BuiltProducts.repository.appendingPathComponent("Tests/HostileEngines").path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    var files: [String: String] = [:]
    for name in names where name.hasSuffix(".c") || name.hasSuffix(".cpp") {
      let text = (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? ""
      let attacks = text.matches(of: /\nATTACK\((\w+)/).map {
        String($0.output.1).replacing("_", with: "-")
      }
      let own = (name as NSString).deletingPathExtension
      for engine in attacks.isEmpty ? [own] : attacks { files[engine] = "\(folder)/\(name)" }
    }
    return files
  }()
}

extension HostileCase {
  /// Shared by cases that differ only in their question.
  fileprivate var folderName: String {
    String(testDescription.map { $0.isLetter || $0.isNumber ? $0 : "-" })
  }
}

/// A folder of compiled engines, deleted after all tests.
struct Workshop: SuiteTrait, TestScoping {
  @TaskLocal static var folder = ""

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    try await Self.$folder.withValue(folder.path) { try await function() }
    _ = consume folder
  }
}

@Suite(Workshop()) struct HostileEngineTests {}
