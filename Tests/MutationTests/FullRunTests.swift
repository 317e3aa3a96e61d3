import Foundation
import TesseraConformance
import Testing

/// What Tools/mutation runs: as many engines as it is told, with a table of what was caught.
@Suite(.serialized, .enabled(if: FullRun.requested != nil, "Tools/mutation runs it"))
struct FullRunTests {
  /// One in so many correct engines is examined at the full level, the others at quick.
  static let oneInFull = 20

  @Test func correctEnginesPassAndMutatedFail() throws {
    let run = try #require(FullRun.requested)
    let correct = Examinee.correct(run.correct, seed: run.seed)
    let numbered = Array(correct.enumerated())
    let passed = try inParallel(
      numbered, jobs: run.jobs, progress: run.progress("correct", of: run.correct)
    ) { index, examinee in
      try examinee.examined(upTo: index.isMultiple(of: Self.oneInFull) ? [run.level] : [.quick])
    }
    let mutated = Examinee.mutated(run.mutated, seed: run.seed, by: Mutation.allCases)
    let found = try inParallel(
      mutated, jobs: run.jobs, progress: run.progress("mutated", of: run.mutated)
    ) { try $0.examined(upTo: run.levels) }

    let wronged = zip(correct, passed).filter { !$1.findings.isEmpty }
    let missed = zip(mutated, found).filter { $1.findings.isEmpty }
    let table = MutationTable(Array(zip(mutated, found)).map { (examinee: $0, verdict: $1) })
    let inFull = (run.correct + Self.oneInFull - 1) / Self.oneInFull
    var lines = [
      "\(run.correct) correct engines, \(inFull) of them at \(run.level) and the others at quick: "
        + "\(wronged.count) failed.",
      "\(run.mutated) mutated engines, up to \(run.level):", "", "\(table)",
    ]
    if !missed.isEmpty { lines.append("") }
    lines += missed.map { "missed: \($0.0)" }
    lines += wronged.map {
      "failed though correct: \($0.0)\n  \($0.1.findings.joined(separator: "\n  "))"
    }
    try (lines.joined(separator: "\n") + "\n").write(
      toFile: run.report, atomically: true, encoding: .utf8)
    #expect(wronged.isEmpty, "\(wronged.count) correct engines failed")
    if run.level == .thorough {
      #expect(table.share() >= 95, "only \(table.share()) in 100 were caught")
    }
  }
}
