import Foundation
import Synchronization
import TestSupport

/// The broken engines and their twins, compiled once for all tests.
struct BrokenEngineFolder: Sendable {
  /// What Tests/BrokenEngines describes.
  static let described = Result { try BrokenEngine.entries(in: root) }
  /// What of it is compiled.
  static let built = Result { try BrokenEngineFolder(engines: described.get()) }

  private static let root = BuiltProducts.repository.appendingPathComponent("Tests/BrokenEngines")
  private static let twinsFolder = root.appendingPathComponent("twins")

  /// The names of the twins, "grid.c".
  static let twins =
    ((try? FileManager.default.contentsOfDirectory(atPath: twinsFolder.path)) ?? [])
    .filter { $0.hasSuffix(".c") }.sorted()

  /// A file of the build like others, so that an engine can be looked at by hand; each library lies
  /// in a folder of its own, so that none is another's base.
  private let folder = BuiltProducts.folder.appendingPathComponent("broken-engines")

  /// The library of a twin, "grid.c", or of a broken engine.
  func library(_ name: String) -> String {
    let stem = name.hasSuffix(".c") ? "twin-\(name.dropLast(2))" : name
    return folder.appendingPathComponent("\(stem)/lib\(stem).so").path
  }

  private init(engines: [BrokenEngine]) throws {
    try? FileManager.default.removeItem(at: folder)
    var sources: [(name: String, text: String, flags: [String])] = []
    var twins: [String: String] = [:]
    for name in Self.twins {
      let text = try String(
        contentsOf: Self.twinsFolder.appendingPathComponent(name), encoding: .utf8)
      twins[name] = text
      sources.append((name, text, []))
    }
    for engine in engines {
      guard let twin = twins[engine.twin] else {
        throw BrokenEngine.Malformed(description: "\(engine.name): no twin \(engine.twin)")
      }
      sources.append((engine.name, try engine.source(from: twin), engine.flags))
    }
    try compile(sources)
  }

  private func compile(_ sources: [(name: String, text: String, flags: [String])]) throws {
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: sources.count) { index in
      let (name, text, flags) = sources[index]
      do {
        try compile(text, to: URL(fileURLWithPath: library(name)), flags)
      } catch {
        failures.withLock { $0.append("\(name): \(error)") }
      }
    }
    let told = failures.withLock { $0.sorted() }
    guard told.isEmpty else {
      throw BrokenEngine.Malformed(description: told.joined(separator: "\n"))
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
