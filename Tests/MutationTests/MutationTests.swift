import Foundation
import TesseraConformance
import TestSupport
import Testing

/// The suite never fails on an engine that is correct, and does on one that is not.
///
/// A small part of what Tools/mutation runs.
@Suite(.serialized) struct MutationTests {
  @Test func correctEnginesPass() throws {
    let examinees = Examinee.correct(2, seed: 7)
    let verdicts = try inParallel(examinees) { try $0.examined(upTo: [.quick]) }
    for (examinee, verdict) in zip(examinees, verdicts) {
      #expect(verdict.findings.isEmpty, "\(examinee): \(verdict.findings)")
    }
  }

  @Test func mutatedEnginesFail() throws {
    let examinees = Examinee.oneOfEachKind(seed: 7)
    #expect(examinees.count == MutationKind.allCases.count)
    let verdicts = try inParallel(examinees) { try $0.examined(upTo: [.quick]) }
    for (examinee, verdict) in zip(examinees, verdicts) {
      #expect(!verdict.findings.isEmpty, "nothing was found in \(examinee)")
    }
  }

  /// Every mutation of the engine's source is one that is generated, and the other way round.
  @Test func everyMutationExistsInTheSource() throws {
    let folder = FixtureEngine.source("configurable").dropLast(2)
    let headers = try FileManager.default.contentsOfDirectory(atPath: String(folder))
    let files = headers.map { "\(folder)/\($0)" } + ["\(folder).c"]
    let source = try files.map { try String(contentsOfFile: $0, encoding: .utf8) }.joined()
    for mutation in Mutation.allCases {
      #expect(source.contains("MUTATED(\(mutation.rawValue))"), "\(mutation) changes nothing")
    }
    let names = Set(source.split(separator: "MUTATED(").dropFirst().map { $0.prefix { $0 != ")" } })
    for name in names where name != "name" {
      #expect(Mutation(rawValue: String(name)) != nil, "\(name) is never generated")
    }
  }
}
