import Synchronization
import TesseraGeometry
import TesseraHost
import TestSupport
import Testing

@testable import TesseraConformance

@Suite struct RunTests {
  private func subject() throws -> CheckSubject {
    let host = Host(searchPath: SearchPath(folders: [BuiltProducts.folder.path]))
    return try CheckSubject("org.tessera.mosaic", host: host)
  }

  private func examined(
    _ id: String, _ samples: SampleSet = .usual, needs: CaseNeed = .nothing,
    owns: Set<HostError.Code> = [],
    _ examine: @escaping @Sendable (Trial) throws -> Void
  ) -> ConformanceCase {
    ConformanceCase(
      id, .counts, rule: "The rule of \(id)", why: "Its reason", remedy: "Its remedy", needs: needs,
      samples: samples, owns: owns, examine: examine)
  }

  private func run(
    _ cases: ConformanceCase..., change: (inout ConformanceSuite.Options) -> Void = { _ in }
  ) throws -> ConformanceReport {
    var options = ConformanceSuite.Options()
    options.level = .quick
    change(&options)
    return try ConformanceSuite(subject(), options, cases: cases).run()
  }

  @Test func failureIsShrunkAndReportedWithItsCommand() throws {
    let report = try run(
      examined("seven") { trial in
        let count = try trial.elements().count
        try trial.require(count < 7, expected: "fewer than 7", found: "\(count)")
      })
    let finding = try #require(report.results[0].verdict.finding)
    #expect(report.results[0].verdict.name == "failed")
    #expect(finding.sample == LayoutInput(counts: [7]))
    #expect(finding.expected == "fewer than 7")
    #expect(finding.found == "7")
    #expect(
      finding.command == """
        tessera check org.tessera.mosaic --filter seven --level quick --seed 1 --sample \
        '{"sections":[{"items":7}]}'
        """)
    #expect(
      finding.layoutCommand == """
        printf %s '{"sections":[{"items":7}]}' | tessera layout org.tessera.mosaic --scenario -
        """)
    #expect(!report.isPassed)
  }

  @Test func smallerSampleGetsTheSameRandomNumbers() throws {
    let seen = Mutex<Set<UInt64>>([])
    let report = try run(
      examined("chance") { trial in
        let number = trial.random.next()
        seen.withLock { _ = $0.insert(number) }
        throw Violation(expected: "nothing", found: "something")
      })
    #expect(!report.isPassed)
    #expect(seen.withLock(\.count) == 1)
  }

  @Test func unmetNeedIsSkippedWithItsReason() throws {
    let report = try run(
      examined("lazy", needs: .trait(.lazy)) { _ in throw Violation(expected: "", found: "") },
      examined("eager", needs: .withoutTrait(.lazy)) { _ in })
    guard case .skipped(let reason) = report.results[0].verdict else {
      Issue.record("\(report.results[0].verdict)")
      return
    }
    #expect(reason == "it does not declare the trait lazy")
    #expect(report.results[1].verdict.name == "passed")
  }

  @Test func brokenContractFailsOnlyTheCaseThatOwnsIt() throws {
    let broken = HostError(.invalidAlpha, "it gave cell 0 a wrong number")
    let owner = examined("owner", owns: [.invalidAlpha]) { _ in
      throw broken
    }
    let other = examined("other") { _ in throw broken }
    let both = try run(owner, other)
    #expect(both.results.map(\.verdict.name) == ["failed", "skipped"])
    #expect(both.results[0].verdict.finding?.found == broken.message)
    #expect("\(both.results[1].verdict)".contains(broken.message))
    #expect("\(both.results[1].verdict)".contains("owner"))
    // Fails even alone: an unexamined case never passes.
    let alone = try run(other)
    #expect(alone.results.map(\.verdict.name) == ["failed"])
  }

  @Test func crashesFollowFromMisuseOfMemory() throws {
    let crash = HostError(.crashed, "it crashed in prepare")
    let cases = [
      examined("dies", .plain) { _ in throw crash },
      examined("memory-heap-stays-intact", .plain) { _ in
        throw Violation(expected: "only valid accesses", found: "prepare writes past its end")
      },
      examined("dies-too", .plain) { _ in throw crash },
    ]
    let shown = Mutex<[String]>([])
    let report = try ConformanceSuite(subject(), ConformanceSuite.Options(), cases: cases).run(
      reporting: { result in
        shown.withLock { $0.append(result.examined.id) }
        return true
      })
    #expect(shown.withLock(\.self) == ["memory-heap-stays-intact", "dies", "dies-too"])
    #expect(report.results.map(\.verdict.name) == ["crashed", "failed", "crashed"])
    #expect(
      report.text().contains(
        "2 more cases failed for the same reason as memory-heap-stays-intact: dies, dies-too"))
    let alone = try ConformanceSuite(subject(), ConformanceSuite.Options(), cases: [cases[0]]).run()
    #expect(alone.text().contains("CRASHED dies"))
  }

  @Test func engineThatRefusesEverySampleFails() throws {
    let refusal = HostError(.refusedByEngine, "it does not like it")
    let always = try run(examined("always") { _ in throw refusal })
    #expect(always.results.map(\.verdict.name) == ["failed"])
    let sometimes = try run(
      examined("sometimes") { trial in if trial.sample.itemCount > 0 { throw refusal } })
    #expect(sometimes.results.map(\.verdict.name) == ["passed"])
  }

  @Test func caseWithoutTimeWarnsAndOtherCasesContinue() throws {
    let report = try run(
      examined("endless") { trial in
        while trial.hasTime {}
        throw HostError(.cancelled, "stopped")
      },
      examined("quick") { _ in }
    ) {
      $0.caseDeadline = .milliseconds(50)
      $0.shrinker.tries = 1
    }
    #expect(report.results.map(\.verdict.name) == ["warning", "passed"])
    #expect(report.isPassed)
  }

  @Test func usedDeclarationsAreCounted() throws {
    let report = try run(
      examined("touching", .plain) { trial in
        var sample = trial.sample
        sample.parameters["spacing"] = .number(3)
        _ = try trial.freshSession(for: sample).elements()
      })
    let parameters = try #require(report.coverage?.first { $0.name == "parameters" })
    #expect(parameters.declared == ["segmentHeight", "spacing"])
    #expect(parameters.exercised == ["spacing"])
    #expect(parameters.unused == ["segmentHeight"])
  }
}
