import Foundation
import TesseraConformance
import TestSupport
import Testing

/// Engines written only from documentation pass the suite, and it detects all their faults.
@Suite struct IndependentEngineTests {
  /// In the second ring all; in the first one in C and one in C++.
  static let engines = IndependentEngine.all.filter {
    Ring.isSecond || ["seats.c", "ledger.cpp"].contains($0.file)
  }

  static let faults =
    (try? BrokenEngine.entries(in: IndependentEngine.folder))?.filter { fault in
      engines.contains { $0.file == fault.twin }
    } ?? []

  @Test func everyEngineHasThreeFaultsThatBreakDifferentRules() throws {
    let faults = try BrokenEngine.entries(in: IndependentEngine.folder)
    #expect(Set(faults.map(\.name)).count == faults.count, "two have one name")
    let engines = Dictionary(grouping: faults, by: \.twin)
    #expect(Set(engines.keys) == Set(IndependentEngine.all.map(\.file)))
    #expect(engines.count == 12)
    for (engine, faults) in engines {
      #expect(faults.count == 3, "\(engine)")
      #expect(Set(faults.map { $0.promises.map(\.id) }).count == 3, "\(engine)")
    }
  }

  @Test(arguments: engines) func enginePasses(_ engine: IndependentEngine) throws {
    let report = try engine.report(engine.source(), as: engine.name, cases: ["*"], level: .quick)
    report.expectOnly([])
    #expect(report.count("passed") > 30)
  }

  @Test(arguments: faults) func faultIsFound(_ fault: BrokenEngine) throws {
    let engine = IndependentEngine(file: fault.twin)
    try engine.report(
      fault.source(from: engine.source()), as: fault.name, cases: fault.promises.map(\.id),
      level: .standard
    ).expectOnly(fault.promises)
  }
}

struct IndependentEngine: Sendable, CustomTestStringConvertible {
  static let folder = BuiltProducts.repository.appendingPathComponent("Tests/IndependentEngines")
  private static let engines = folder.appendingPathComponent("engines")

  static let all =
    ((try? FileManager.default.contentsOfDirectory(atPath: engines.path)) ?? [])
    .sorted().map(IndependentEngine.init(file:))

  let file: String

  var testDescription: String { file }
  var name: String { (file as NSString).deletingPathExtension }
  private var language: String { (file as NSString).pathExtension }

  func source() throws -> String {
    try String(contentsOf: Self.engines.appendingPathComponent(file), encoding: .utf8)
  }

  func report(
    _ text: String, as name: String, cases: [String], level: CaseLevel
  ) throws -> ConformanceReport {
    let folder = try TemporaryFolder()
    let library = folder.path("lib\(name).so")
    try compile(text, in: folder, to: library)
    if let base = text.firstMatch(of: /\.base = "org\.example\.(\w+)"/)?.output.1 {
      let base = IndependentEngine(file: "\(base).c")
      try base.compile(base.source(), in: folder, to: folder.path("libbase.so"))
    }
    let subject = try CheckSubject(
      under: library, bases: [BuiltProducts.folder.path], secondsPerCall: 10)
    return try ConformanceReport(subject, cases: cases, level: level)
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
      try Program.compile(
        folder.write(file, text.replacing("mod tessera;", with: wrapper, maxReplacements: 1)),
        to: library, RustToolchain.compiler,
        ["--edition", "2021", "-C", "opt-level=1", "-A", "warnings", "--crate-type", "cdylib"])
    }
  }
}
