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
    #expect(rows.count >= 30)
    #expect(rows.allSatisfy { $0.hasSuffix("| 2 | 0 |") }, "\(result.output)")
  }
}
