import Foundation
import TestSupport
import Testing

/// Ten kinds of attack, for each user and grade, a few times each; Tools/attack does it hundreds of times.
@Suite struct AttackTests {
  @Test func nothingGetsThrough() throws {
    let result = try Program.run(
      BuiltProducts.repository.appendingPathComponent("Tools/attack").path, ["--attempts", "2"],
      environment: ["TESSERA_BUILT": BuiltProducts.folder.path])
    #expect(result.status == 0, "\(result.errors)")
    let rows = result.output.split(separator: "\n").dropFirst(2)
    // A row sums the attempts of attacks with the same outcome: two for each attack.
    let sums = rows.compactMap { $0.firstMatch(of: /\| (\d+) \| (\d+) \| 0 \|$/)?.output }
    #expect(sums.count == rows.count && sums.allSatisfy { $0.1 == $0.2 }, "\(result.output)")
    let attempts: [Int] = sums.compactMap { Int($0.1) }
    #expect(attempts.reduce(0, +) >= 2 * 30)
  }
}
