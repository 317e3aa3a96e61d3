import TestSupport
import Testing

/// Programs in C under valgrind: no error, no leak, and no more memory at the end for more work.
@Suite struct ValgrindTests {
  /// Errors and leaks end the program with a status of valgrind's.
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

  /// What the Swift runtime keeps of a type it keeps once, whatever the rounds.
  @Test(arguments: Soak.isFull ? ["layouts", "changes", "columns", "arrow"] : ["changes"])
  func moreWorkNeedsNoMoreMemory(name: String) throws {
    let program = try CProgram.fixture(name)
    let isolation = name == "changes" ? [] : ["0"]
    // What libraries declare is remembered now, so that both runs start from the same.
    _ = try program.run([Prefix.engines] + isolation + ["1"], environment: [:])
    let one = try Self.leftAtExit(watch(program, isolation + ["1"], isCounted: true))
    let two = try Self.leftAtExit(watch(program, isolation + ["2"]))
    #expect(one != nil && one == two)
  }

  @Test func misuseHasNoMemoryErrors() throws {
    _ = try watch(CProgram.fixture("misuse"), ["1"])
  }

  @Test func failuresHaveNoMemoryErrors() throws {
    let engines = try FailingEngines()
    try withExtendedLifetime(engines) {
      _ = try watch(CProgram.fixture("failures"), ["1"], engines: engines.path)
    }
  }

  /// "103,249 bytes in 290 blocks".
  private static func leftAtExit(_ result: ProgramResult) -> Substring? {
    result.errors.firstMatch(of: /in use at exit: (.*)/)?.output.1
  }
}
