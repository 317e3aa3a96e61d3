import Foundation
import TestSupport
import Testing

/// Short runs of Tools/fuzz/run; Tools/soak does long ones.
///
/// Random calls while the library is replaced, and engines that lie about a number.
@Suite struct HostFuzzTests {
  @Test func sessionsMadeNewGiveTheSameAnswer() throws {
    let result = try run("host", "--seed", "1", "--runs", "4")
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    let comparisons = result.output.firstMatch(of: /([0-9]+) comparisons/).flatMap { Int($0.1) }
    #expect(comparisons ?? 0 >= 100, "\(result.output)")
  }

  @Test func liesEndInValidAnswersOrErrors() throws {
    let result = try run("lies", "--seed", "1", "--seconds", "12")
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    for function in ["query_all", "update", "drag_to", "call", "query_batch"] {
      let counts = result.output.firstMatch(
        of: try Regex(
          "tessera_session_\(function) +([0-9]+) accepted", as: (Substring, Substring).self))
      #expect(counts.flatMap { Int($0.1) } ?? 0 >= 20, "\(function): \(result.output)")
    }
  }

  private func run(_ target: String, _ options: String...) throws -> ProgramResult {
    try Program.run(
      "\(BuiltProducts.repository.path)/Tools/fuzz/run",
      [target, "--library", try Prefix.shared.get().library] + options)
  }
}
