import Foundation
import TestSupport
import Testing

/// The independent set: engines written against the contract alone, and faults after published bugs of
/// layout libraries.
///
/// Tools/mutation examines all of them.
@Suite(.serialized) struct IndependentTests {
  @Test func entriesAreValid() throws {
    let faults = try IndependentFault.all.get()
    #expect(Set(faults.map(\.name)).count == faults.count, "two have one name")
    #expect(faults.count >= 100)
    #expect(Set(faults.map(\.engine)) == Set(IndependentEngine.all))
    #expect(IndependentEngine.all.count >= 6)
    #expect(Set(IndependentEngine.all.map(\.language)) == ["c", "cpp", "rs"])
    for fault in faults {
      #expect(throws: Never.self) { try fault.source() }
      #expect(
        fault.issue.map { $0.wholeMatch(of: /[\w.-]+\/[\w.-]+#\d+: .+/) != nil } ?? true,
        "\(fault.name) names no issue as owner/repository#number: symptom")
    }
  }

  /// Each line of the judgements is about a fault of the set, once.
  @Test func judgementsAreOfFaults() throws {
    let file = IndependentEngine.folder.appendingPathComponent("judgements.tsv")
    let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    let names = Set(try IndependentFault.all.get().map(\.name))
    #expect(Set(rows.map { $0[0] }).count == rows.count)
    for row in rows {
      #expect(names.contains(row[0]), "there is no fault \(row[0])")
      #expect(row.count == 3 && ["good", "vague", "misleading"].contains(row[1]), "\(row)")
      #expect(row[1] == "good" || !row[2].isEmpty, "\(row[0]) lacks a reason")
    }
  }

  /// One in each language, and one that new samples have failed wrongly before.
  @Test func enginesPass() throws {
    let names = ["binder.c", "ledger.cpp", "seats.c", "strips.rs"]
    let engines = IndependentEngine.all.filter { names.contains($0.file) && $0.canBeCompiled }
    #expect(engines.count == names.count || !RustToolchain.isPresent)
    let verdicts = try inParallel(engines) { try $0.examined(upTo: [.quick]) }
    for (engine, verdict) in zip(engines, verdicts) {
      #expect(verdict.findings.isEmpty, "\(engine): \(verdict.findings)")
    }
  }

  /// A fault of an engine in each language, of a list, an incremental, a lazy and a derived one.
  @Test func someFaultsAreFound() throws {
    let names = [
      "caption-inset-in-adjust", "chat-batch-state", "dial-low-items", "orgchart-parent-beyond",
      "strips-wrong-context", "vitrine-valid-forever",
    ]
    let faults = try IndependentFault.all.get().filter { names.contains($0.name) }
    #expect(faults.map(\.name) == names)
    #expect(Set(faults.map(\.engine.language)) == ["c", "cpp", "rs"])
    let present = faults.filter(\.engine.canBeCompiled)
    let verdicts = try inParallel(present) { try $0.examined(upTo: [.quick]) }
    for (fault, verdict) in zip(present, verdicts) {
      #expect(!verdict.findings.isEmpty, "nothing was found in \(fault)")
    }
  }

  /// Faults that no broken engine has: a column of plain records without effect, an adjust that is not passed on to
  /// the base; and a static variable, which looks like memory that was never written until the same memory is tried twice.
  @Test(arguments: [
    ("gantt-gap-without-effect", "parameters-records-have-an-effect"),
    ("billboard-base-not-adjusted", "parameters-have-an-effect"),
    ("gantt-widest-ever", "lifecycle-"),
  ])
  func faultIsFoundByItsRule(_ name: String, _ rule: String) throws {
    let fault = try #require(try IndependentFault.all.get().first { $0.name == name })
    let verdict = try fault.examined(upTo: [.standard], cases: rule + "*")
    #expect(verdict.findings.first?.hasPrefix(rule) == true, "\(verdict.findings)")
  }

  @Test(.enabled(if: !RustToolchain.isPresent, "rustc is installed"))
  func enginesInRustAreLeftOut() {
    print("The independent engines in Rust are left out: rustc is not installed.")
  }
}
