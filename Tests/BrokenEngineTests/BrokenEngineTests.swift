import Foundation
import TesseraConformance
import TesseraHost
import TestSupport
import Testing

@Suite struct BrokenEngineTests {
  static let engines = (try? BrokenEngineFolder.described.get()) ?? []

  @Test func everyCaseHasAnEngineThatBreaksIt() throws {
    let engines = try BrokenEngineFolder.described.get()
    #expect(Set(engines.map(\.name)).count == engines.count, "two have one name")
    let broken = Set(engines.flatMap { $0.promises.map(\.id) })
    #expect(broken == Set(Catalogue.cases.map(\.id)))
  }

  @Test(arguments: engines)
  func theNamedCasesFail(_ engine: BrokenEngine) throws {
    let library = try BrokenEngineFolder.built.get().library(engine.name)
    func examine() throws -> ConformanceReport {
      try ConformanceReport(
        CheckSubject(under: engine.engine.map { "\(library)#\($0)" } ?? library),
        cases: engine.promises.map(\.id))
    }
    var found = try examine()
    // Timing cases may pass on a busy machine.
    let isTimed = engine.promises.contains { $0.id.hasPrefix("scaling-") }
    for _ in 0..<2 where isTimed && !found.keeps(engine.promises) { found = try examine() }
    found.expectOnly(engine.promises)
  }

  @Test(arguments: BrokenEngineFolder.twins)
  func twinsPass(_ twin: String) throws {
    let report = try ConformanceReport(CheckSubject(under: engine(of: twin)), cases: ["*"])
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

  /// The library may also contain the base, so look for the twin's name.
  private func engine(of twin: String) throws -> String {
    try BrokenEngineFolder.built.get().library(twin) + "#org.example.twin." + twin.dropLast(2)
  }
}
