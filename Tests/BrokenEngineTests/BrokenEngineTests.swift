import Foundation
import TesseraConformance
import TesseraHost
import TestSupport
import Testing

/// Each broken engine fails the cases that it names, and every case has such an engine.
///
/// In a full run, it fails no other case.
@Suite struct BrokenEngineTests {
  /// Families of which not every case has its engine.
  static let uncovered: Set<CaseCategory> = []

  static let engines = (try? BrokenEngineFolder.described.get()) ?? []

  @Test func descriptionsAreValid() throws {
    let engines = try BrokenEngineFolder.described.get()
    #expect(Set(engines.map(\.name)).count == engines.count, "two have one name")
    for engine in engines where engine.promises.count > 1 {
      #expect(engine.reason != nil, "\(engine.name) names several cases and does not say why")
    }
  }

  @Test func everyCaseHasAnEngineThatBreaksIt() throws {
    let engines = try BrokenEngineFolder.described.get()
    let cases = Catalogue.cases.map(\.id)
    let broken = Set(engines.flatMap { $0.promises.map(\.id) })
    let missing = Catalogue.cases
      .filter { !broken.contains($0.id) && !Self.uncovered.contains($0.category) }.map(\.id)
    #expect(missing.isEmpty, "no broken engine for \(missing.joined(separator: ", "))")
    let unknown = broken.subtracting(cases).sorted()
    #expect(unknown.isEmpty, "no case \(unknown.joined(separator: ", "))")
    print("\(cases.count) cases, \(engines.count) broken engines")
  }

  @Test(arguments: engines)
  func exactlyTheNamedCasesFail(_ engine: BrokenEngine) throws {
    let library = try BrokenEngineFolder.built.get().library(engine.name)
    let named = engine.promises.filter { isFullRun || !$0.isOnlyInFullRun }
    func examine() throws -> ConformanceReport {
      try report(
        engine.engine.map { "\(library)#\($0)" } ?? library, named.map(\.id),
        isAlone: engine.isAlone)
    }
    var found = try examine()
    // On a machine that is busy, a case about time can say too little.
    let isTimed = named.contains { $0.id.hasPrefix("scaling-") }
    for _ in 0..<2 where isTimed && !found.keeps(named) { found = try examine() }
    found.expectOnly(named)
  }

  @Test(arguments: BrokenEngineFolder.twins)
  func twinsPass(_ twin: String) throws {
    let report = try report(engine(of: twin), [])
    #expect(report.isPassed, "\(report)")
    #expect(report.count("passed") > 30)
  }

  @Test func noCaseIsSkippedForEveryTwin() throws {
    let engines = try BrokenEngineFolder.twins.map {
      try CheckSubject(under: engine(of: $0)).engine
    }
    for examined in Catalogue.cases {
      #expect(engines.contains { examined.needs.isMet(by: $0) }, "\(examined.id)")
    }
  }

  /// The engine of a twin: the one with its name, if the library also has its base.
  private func engine(of twin: String) throws -> String {
    try BrokenEngineFolder.built.get().library(twin) + "#org.example.twin." + twin.dropLast(2)
  }

  private func report(
    _ library: String, _ named: [String], isAlone: Bool = false
  ) throws -> ConformanceReport {
    try ConformanceReport(
      CheckSubject(under: library),
      cases: isFullRun && !isAlone || named.isEmpty ? ["*"] + named : named)
  }

  /// Whether `Tools/broken-engines` runs all cases, of which no other may fail than those that are named.
  private var isFullRun: Bool {
    ProcessInfo.processInfo.environment["TESSERA_BROKEN_ENGINES"] == "all"
  }
}
