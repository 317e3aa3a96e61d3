import Foundation
import TesseraConformance
import TestSupport

/// An entry of Tests/IndependentEngines/*.txt: an engine with lines replaced.
struct IndependentFault: Sendable, CustomStringConvertible {
  /// The name, unique in the set.
  let name: String
  /// What is wrong with the engine.
  let fault: String
  /// The engine that has the fault.
  let engine: IndependentEngine
  /// A line of the engine, without the spaces around it, and the text that replaces it.
  let replacements: [(line: String, text: String)]
  /// The issue that the fault is after: "owner/repository#number: symptom"; nil if it is after none.
  let issue: String?

  var description: String { "\(name) (\(fault)\(issue.map { "; after \($0)" } ?? ""))" }

  /// An entry that cannot be used.
  struct Malformed: Error, CustomStringConvertible {
    let description: String
  }

  /// All faults, in the order of the files' names.
  static let all = Result {
    try FileManager.default.contentsOfDirectory(atPath: IndependentEngine.folder.path)
      .filter { $0.hasSuffix(".txt") }.sorted()
      .flatMap { file in
        try entries(
          of: String(
            contentsOf: IndependentEngine.folder.appendingPathComponent(file), encoding: .utf8))
      }
  }

  /// The entries of a text: all paragraphs but the first, which describes them.
  private static func entries(of text: String) throws -> [IndependentFault] {
    try text.split(separator: "\n", omittingEmptySubsequences: false).split { $0.isEmpty }
      .dropFirst().map { try IndependentFault($0.map(String.init)) }
  }

  private init(_ lines: [String]) throws {
    let title = lines[0].split(separator: ":", maxSplits: 1)
    guard title.count == 2 else { throw Malformed(description: "no \"NAME: FAULT\": \(lines[0])") }
    var engine: String?
    var issue: String?
    var replacements: [(line: String, text: String)] = []
    for line in lines.dropFirst() {
      let parts = line.split(separator: " ", maxSplits: 1)
      let rest = parts.count == 2 ? String(parts[1]) : ""
      switch parts[0] {
      case "engine": engine = rest
      case "after": issue = rest
      case "-": replacements.append((rest, ""))
      case "+" where !replacements.isEmpty: replacements[replacements.count - 1].text = rest
      default: throw Malformed(description: "\(title[0]) has the line \"\(line)\"")
      }
    }
    guard let engine, !replacements.isEmpty else {
      throw Malformed(description: "\(title[0]) lacks its engine or its lines")
    }
    self.name = String(title[0])
    self.fault = title[1].trimmingCharacters(in: .whitespaces)
    self.engine = IndependentEngine(file: engine)
    self.replacements = replacements
    self.issue = issue
  }

  /// The engine's text with the lines replaced.
  func source() throws -> String {
    var lines = try engine.source().components(separatedBy: "\n")
    for (line, text) in replacements {
      let places = lines.indices.filter {
        lines[$0].hasSuffix(line) && lines[$0].trimmingCharacters(in: .whitespaces) == line
      }
      guard places.count == 1 else {
        throw Malformed(
          description: "\(name): \(engine) has the line \"\(line)\" \(places.count) times, "
            + "expected once")
      }
      lines[places[0]] = text
    }
    return lines.joined(separator: "\n")
  }

  /// Compiles the engine and runs the suite on it, level by level until one finds the fault.
  func examined(upTo levels: [CaseLevel], cases: String = "*") throws -> Verdict {
    try engine.examined(source(), as: name, upTo: levels, cases: cases, stopsAtFailure: true)
  }
}

/// A correct engine of Tests/IndependentEngines/engines, in C, C++ or Rust.
struct IndependentEngine: Hashable, Sendable, CustomStringConvertible {
  /// Tests/IndependentEngines.
  static let folder = BuiltProducts.repository
    .appendingPathComponent("Tests/IndependentEngines")
  private static let engines = folder.appendingPathComponent("engines")

  /// All engines, by their files' names.
  static let all =
    ((try? FileManager.default.contentsOfDirectory(atPath: engines.path)) ?? [])
    .sorted().map(IndependentEngine.init(file:))

  /// "masonry.c".
  let file: String

  var description: String { file }

  /// "c", "cpp" or "rs".
  var language: String { (file as NSString).pathExtension }

  /// Whether its compiler is on this machine, where Rust may be missing.
  var canBeCompiled: Bool { language != "rs" || RustToolchain.isPresent }

  /// Its text.
  func source() throws -> String {
    try String(contentsOf: Self.engines.appendingPathComponent(file), encoding: .utf8)
  }

  /// Compiles the engine as it is and runs the suite on it.
  func examined(upTo levels: [CaseLevel]) throws -> Verdict {
    try examined(
      source(), as: (file as NSString).deletingPathExtension, upTo: levels, stopsAtFailure: false)
  }

  /// Compiles a variant of the engine and runs the suite on it, level by level until one finds
  /// something.
  fileprivate func examined(
    _ text: String, as name: String, upTo levels: [CaseLevel], cases: String = "*",
    stopsAtFailure: Bool
  ) throws -> Verdict {
    let folder = try TemporaryFolder()
    let library = folder.path("lib\(name).so")
    try compile(text, in: folder, to: library)
    if let base = base(in: text) {
      try base.compile(base.source(), in: folder, to: folder.path("libbase.so"))
    }
    return try Verdict(
      library, bases: BuiltProducts.folder.path, upTo: levels, cases: cases,
      stopsAtFailure: stopsAtFailure)
  }

  /// The engine of the set that an engine is derived from; nil if its base is not in the set.
  private func base(in text: String) -> IndependentEngine? {
    text.firstMatch(of: /\.base = "org\.example\.(\w+)"/).map {
      IndependentEngine(file: "\($0.1).c")
    }
  }

  private func compile(_ text: String, in folder: TemporaryFolder, to library: String) throws {
    let bindings = BuiltProducts.repository.appendingPathComponent("Sources/Bindings").path
    switch language {
    case "c":
      try CCompiler("gcc").compile(
        folder.write(file, text), to: library,
        flags: ["-std=c11", "-O1", "-shared", "-fPIC", "-lm"])
    case "cpp":
      let scope = BuiltProducts.repository.appendingPathComponent("Plugins/engine.map").path
      try CCompiler("g++").compile(
        folder.write(file, text), to: library,
        flags: [
          "-std=c++20", "-O1", "-DNDEBUG", "-shared", "-fPIC", "-fvisibility=hidden",
          "-I", "\(bindings)/Cpp", "-Wl,--version-script=\(scope)",
        ])
    default:
      let wrapper = "#[path = \"\(bindings)/Rust/tessera.rs\"]\nmod tessera;"
      try CompiledFiles.compile(
        folder.write(file, text.replacing("mod tessera;", with: wrapper, maxReplacements: 1)),
        to: library, RustToolchain.compiler,
        ["--edition", "2021", "-C", "opt-level=1", "-A", "warnings", "--crate-type", "cdylib"])
    }
  }
}
