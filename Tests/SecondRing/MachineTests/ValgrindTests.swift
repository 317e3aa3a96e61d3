import TestSupport
import Testing

@Suite struct ValgrindTests {
  private func watch(
    _ program: CProgram, _ arguments: [String], engines: String = Prefix.engines,
    isCounted: Bool = false
  ) throws -> ProgramResult {
    let result = try program.runWatched([engines] + arguments, isCounted: isCounted)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.errors.contains("ERROR SUMMARY: 0 errors"))
    return result
  }

  @Test func exampleHasNoMemoryErrors() throws {
    let result = try watch(CProgram.example("scroll"), [])
    #expect(result.output.hasPrefix("content 320 x 556\n"))
  }

  /// The Swift runtime caches type metadata once, for any number of rounds.
  @Test(arguments: Soak.isFull ? ["layouts", "changes", "columns", "arrow"] : ["changes"])
  func moreWorkNeedsNoMoreMemory(name: String) throws {
    let program = try CProgram.fixture(name)
    // Fill the description cache, to start both runs equally.
    _ = try program.run(Prefix.engines, "0", "1")
    let one = try Self.leftAtExit(watch(program, ["0", "1"], isCounted: true))
    let two = try Self.leftAtExit(watch(program, ["0", "2"]))
    #expect(one != nil && one == two)
  }

  @Test func misuseHasNoMemoryErrors() throws {
    _ = try watch(CProgram.fixture("misuse"), ["0", "1"])
  }

  @Test func failuresHaveNoMemoryErrors() throws {
    let engines = try FailingEngines()
    try withExtendedLifetime(engines) {
      _ = try watch(CProgram.fixture("failures"), ["1"], engines: engines.path)
    }
  }

  private static func leftAtExit(_ result: ProgramResult) -> Substring? {
    result.errors.firstMatch(of: /in use at exit: (.*)/)?.output.1
  }
}
