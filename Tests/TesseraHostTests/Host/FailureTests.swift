import Synchronization
import TesseraHost
import Testing

@Suite struct FailureTests {
  let library: FixtureLibrary

  init() throws { library = try FixtureLibrary.misbehaving.get() }

  @Test func messageOfAnEngineIsUnchanged() throws {
    for (which, sentence) in [
      "section 2 has 9 sizes for 12 items; give one size, or 12",
      "größer als 3 × 4 – “nein”, 100 % \\n \"quoted\"", "", "a broken byte: \u{FFFD}!",
    ].enumerated() {
      let session = try library.session("fails", which: which)
      let error = try hostError { _ = try session.contentSize() }
      #expect(error == HostError(.refusedByEngine, sentence, engine: "org.example.fails"))
    }
  }

  @Test(arguments: [
    (1, "INVALID_VALUE"), (2, "UNSUPPORTED"), (5, "NOT_FOUND"), (6, "WRONG_STATE"), (7, "FAILED"),
  ])
  func failureWithoutAMessageNamesTheStatus(_ status: Int, _ name: String) throws {
    let session = try library.session("fails-silently", which: status)
    let error = try hostError { _ = try session.elements() }
    #expect(error.kind == .refused)
    #expect(error.message.contains("org.example.fails-silently"))
    #expect(error.message.contains("returned TESSERA_ERROR_\(name) without a reason"))
  }

  /// Without refused rows, the engine itself is out of memory.
  @Test func engineMayLackMemory() throws {
    let session = try library.session("fails-silently", which: 3)
    let error = try hostError { _ = try session.elements() }
    #expect(error.kind == .refused)
    #expect(error.message.hasSuffix("prepare could not allocate memory"))
  }

  @Test func sessionIsUsableAfterAFailure() throws {
    let session = try library.session("fails-on-odd-counts", items: 2)
    #expect(try session.elements().count == 2)
    try session.setSections([3])
    let error = try hostError { _ = try session.elements() }
    #expect(
      error
        == HostError(
          .refusedByEngine, "an odd count; give an even one",
          engine: "org.example.fails-on-odd-counts"))
    #expect(try hostError { _ = try session.elements(in: .zero) } == error)
    try session.setSections([4])
    #expect(try session.elements().count == 4)
  }

  @Test func creationCanFail() throws {
    let error = try hostError { _ = try library.session("refuses-creation") }
    #expect(error.kind == .refused)
    #expect(error.message.contains("it wants another machine; use another engine"))
  }

  @Test func lazyEngineThatAddsRowsInPrepareIsReported() throws {
    let session = try library.session("lazy-adds-in-prepare")
    let error = try hostError { _ = try session.contentSize() }
    #expect(error.kind == .brokenContract)
    #expect(error.message.contains("lazy") && error.message.contains("6 rows"))
  }

  @Test func warningsAreThoseOfTheLastCall() throws {
    let session = try library.session("warns")
    #expect(session.warnings.isEmpty)
    #expect(try session.elements().count == 6)
    #expect(session.warnings == ["the first warning", "the second warning"])
    try session.setParameter("which", to: .integer(1))
    _ = try session.elements()
    #expect(session.warnings.isEmpty)
  }

  @Test func atMostAHundredWarningsAreKept() throws {
    let session = try library.session("warns", which: 1_000_000)
    _ = try session.elements()
    #expect(session.warnings == Array(repeating: "one of very many", count: 100))
  }
}
