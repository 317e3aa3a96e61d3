import Foundation
import TesseraConformance
import TestSupport
import Testing

/// What Tools/mutation runs: as many engines as requested, with tables of what was caught.
@Suite(.serialized, .enabled(if: FullRun.requested != nil, "Tools/mutation runs it"))
struct FullRunTests {
  /// One in so many correct engines is examined at the full level, the others at quick.
  static let oneInFull = 20

  @Test(.enabled(if: FullRun.requested?.generated != nil, "only the other set is requested"))
  func correctEnginesPassAndMutatedFail() throws {
    let run = try #require(FullRun.requested)
    let report = try #require(run.generated)
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
    let byKind = zip(mutated, found).compactMap { examinee, verdict in
      examinee.mutation.map { (kind: $0.kind, verdict: verdict) }
    }
    let table = MutationTable(
      "mutation",
      MutationKind.allCases.flatMap { kind in
        byKind.filter { $0.kind == kind }.map { (kind: kind.rawValue, verdict: $0.verdict) }
      })
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
    try write(lines, to: report)
    #expect(wronged.isEmpty, "\(wronged.count) correct engines failed")
    if run.level == .thorough {
      #expect(table.share() >= 95, "only \(table.share()) in 100 were caught")
    }
  }

  @Test(.enabled(if: FullRun.requested?.independent != nil, "only the other set is requested"))
  func independentEnginesPassAndTheirFaultsAreFound() throws {
    let run = try #require(FullRun.requested)
    let report = try #require(run.independent)
    let engines = IndependentEngine.all.filter(\.canBeCompiled)
    let passed = try inParallel(
      engines, jobs: run.jobs, progress: run.progress("independent engines", of: engines.count)
    ) { try $0.examined(upTo: [run.level]) }
    let faults = try IndependentFault.all.get().filter(\.engine.canBeCompiled)
    let found = try inParallel(
      faults, jobs: run.jobs, progress: run.progress("independent faults", of: faults.count)
    ) { try $0.examined(upTo: run.levels) }

    let wronged = zip(engines, passed).filter { !$1.findings.isEmpty }
    let missed = zip(faults, found).filter { $1.findings.isEmpty }
    let table = MutationTable(
      "engine", zip(faults, found).map { (kind: $0.engine.file, verdict: $1) })
    var lines = [
      "\(engines.count) independent engines at \(run.level): \(wronged.count) failed.",
      "\(faults.count) faults in them, up to \(run.level):", "", "\(table)",
    ]
    if !RustToolchain.isPresent { lines += ["", "Without the engines in Rust: no rustc."] }
    if !missed.isEmpty { lines.append("") }
    lines += missed.map { fault, verdict in
      "- missed: \(fault)\(verdict.warnings.isEmpty ? "" : "; warned: \(verdict.warnings.joined(separator: ", "))")"
    }
    lines += zip(engines, passed).filter { !$1.warnings.isEmpty }.map {
      "- warned about though correct: \($0): \($1.warnings.joined(separator: ", "))"
    }
    if let messages = run.messages {
      let found = zip(faults, found).filter { !$1.findings.isEmpty }
      try write(found.map { "\($0.0.name)\t\($0.0.fault)\t\($0.1.findings[0])" }, to: messages)
    }
    lines += wronged.map {
      "- failed though correct: \($0.0)\n  \($0.1.findings.joined(separator: "\n  "))"
    }
    try write(lines, to: report)
    #expect(wronged.isEmpty, "\(wronged.count) correct engines failed")
    if run.level >= .standard {
      let share = table.share(upTo: .standard)
      #expect(share >= 95, "only \(share) in 100 were caught at standard")
    }
  }

  private func write(_ lines: [String], to file: String) throws {
    try (lines.joined(separator: "\n") + "\n").write(
      toFile: file, atomically: true, encoding: .utf8)
  }
}
