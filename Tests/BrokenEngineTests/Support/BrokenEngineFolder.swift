import Foundation
import Synchronization
import TestSupport

struct BrokenEngineFolder: Sendable {
  static let described = Result { try BrokenEngine.entries(in: root) }
  static let built = Result { try BrokenEngineFolder(engines: described.get()) }

  private static let root = BuiltProducts.repository.appendingPathComponent("Tests/BrokenEngines")
  private static let twinsFolder = root.appendingPathComponent("twins")

  static let twins =
    ((try? FileManager.default.contentsOfDirectory(atPath: twinsFolder.path)) ?? [])
    .filter { $0.hasSuffix(".c") }.sorted()

  /// In the build folder for manual inspection; separate folders keep engines from becoming bases.
  private let folder = BuiltProducts.folder.appendingPathComponent("broken-engines")

  func library(_ name: String) -> String {
    let stem = name.hasSuffix(".c") ? "twin-\(name.dropLast(2))" : name
    return folder.appendingPathComponent("\(stem)/lib\(stem).so").path
  }

  private init(engines: [BrokenEngine]) throws {
    try? FileManager.default.removeItem(at: folder)
    let twins = try Dictionary(
      uniqueKeysWithValues: Self.twins.map { name in
        let file = Self.twinsFolder.appendingPathComponent(name)
        return (name, try String(contentsOf: file, encoding: .utf8))
      })
    let sources =
      try twins.map { ($0, $1, [String]()) }
      + engines.map { engine in
        guard let twin = twins[engine.twin] else {
          throw BrokenEngine.Malformed(description: "\(engine.name): no twin \(engine.twin)")
        }
        return (engine.name, try engine.source(from: twin), engine.flags)
      }
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: sources.count) { [self] index in
      let (name, text, flags) = sources[index]
      do {
        try compile(text, to: URL(fileURLWithPath: library(name)), flags)
      } catch {
        failures.withLock { $0.append("\(name): \(error)") }
      }
    }
    let messages = failures.withLock { $0.sorted() }
    guard messages.isEmpty else {
      throw BrokenEngine.Malformed(description: messages.joined(separator: "\n"))
    }
  }

  private func compile(_ text: String, to library: URL, _ flags: [String]) throws {
    let folder = library.deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let source = folder.appendingPathComponent("engine.c")
    try text.write(to: source, atomically: true, encoding: .utf8)
    try CCompiler("gcc").compile(
      source.path, to: library.path,
      flags: [
        "-std=c11", "-shared", "-fPIC", "-Wall", "-Wextra", "-Wpedantic", "-I",
        Self.twinsFolder.path,
      ] + flags + ["-lm"])
  }
}
