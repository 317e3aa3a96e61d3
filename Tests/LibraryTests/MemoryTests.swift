import TestSupport
import Testing

/// Programs in C under valgrind: no error, no leak, and no more memory at the end for more work.
@Suite struct MemoryTests {
  private let cache: TemporaryFolder

  init() throws { cache = try TemporaryFolder() }

  private func watch(
    _ program: CProgram, _ arguments: String..., cache: String? = nil
  ) throws -> ProgramResult {
    let result = try program.runWatched(arguments, cache: cache)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.errors.contains("ERROR SUMMARY: 0 errors"))
    #expect(result.errors.contains("definitely lost: 0 bytes"))
    return result
  }

  @Test func exampleHasNoMemoryErrors() throws {
    let result = try watch(CProgram.example("scroll"), Prefix.engines)
    #expect(result.output.hasPrefix("content 320 x 556\n"))
  }

  /// What the Swift runtime keeps of a type it keeps once, whatever the rounds.
  @Test(arguments: ["layouts", "changes", "columns", "arrow"]) func moreWorkNeedsNoMoreMemory(
    name: String
  )
    throws
  {
    let program = try CProgram.fixture(name)
    let folder = cache.path("cache")
    let first = name == "changes" ? ["1"] : ["0", "1"]
    // What libraries declare is remembered now, so that both runs start from the same.
    _ = try program.run([Prefix.engines] + first, environment: ["TESSERA_TEST_CACHE": folder])
    let one = try watch(program, [Prefix.engines] + first, cache: folder)
    let three = try watch(
      program, [Prefix.engines] + first.dropLast() + ["3"], cache: folder)
    let left = try #require(Self.leftAtExit(one))
    #expect(left == Self.leftAtExit(three))
  }

  @Test func misuseHasNoMemoryErrors() throws {
    _ = try watch(CProgram.fixture("misuse"), Prefix.engines, "1", cache: cache.path("cache"))
  }

  @Test func failuresHaveNoMemoryErrors() throws {
    let engines = try FailingEngines()
    try withExtendedLifetime(engines) {
      _ = try watch(CProgram.fixture("failures"), engines.path, "1")
    }
  }

  private func watch(
    _ program: CProgram, _ arguments: [String], cache: String?
  ) throws -> ProgramResult {
    let result = try program.runWatched(arguments, cache: cache)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    return result
  }

  /// "103,249 bytes in 290 blocks".
  private static func leftAtExit(_ result: ProgramResult) -> Substring? {
    result.errors.firstMatch(of: /in use at exit: (.*)/)?.output.1
  }
}
