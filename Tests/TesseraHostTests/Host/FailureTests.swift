import Synchronization
import TesseraGeometry
import TesseraHost
import Testing

/// Failures and contract violations of engines give one sentence and leave the session usable.
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

  /// An engine that was not refused any rows has no memory itself.
  @Test func engineMayLackMemory() throws {
    let session = try library.session("fails-silently", which: 3)
    let error = try hostError { _ = try session.elements() }
    #expect(error.kind == .refused)
    #expect(error.message.hasSuffix("prepare could not allocate memory"))
  }

  /// Status 4 is only for the answer of the host, which gave none.
  @Test(arguments: [4, 8, 99, -1])
  func invalidStatusBreaksTheContract(_ status: Int) throws {
    let session = try library.session("fails-silently", which: status)
    let error = try hostError { _ = try session.elements() }
    #expect(error.kind == .brokenContract)
    #expect(error.message.contains("status \(status)"))
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

  @Test func missingContentSizeIsReported() throws {
    let session = try library.session("no-content-size")
    let error = try hostError { _ = try session.elements() }
    #expect(error.kind == .brokenContract)
    #expect(error.message.contains("set_content_size"))
  }

  @Test(arguments: 0..<4) func invalidContentSizeIsReported(_ which: Int) throws {
    let session = try library.session("odd-content-size", which: which)
    let error = try hostError { _ = try session.contentSize() }
    #expect(error.kind == .brokenContract)
    #expect(error.message.contains(["nanx10", "10xinf", "-1x10", "10x-0.5"][which]))
  }

  /// Every query reports it: all elements, a rect that does not contain it, the element itself.
  @Test(arguments: 0..<4) func invalidFrameIsReported(_ which: Int) throws {
    let asked: [(Session) throws -> Void] = [
      { _ = try $0.elements() }, { _ = try $0.elements(in: Rect(x: 0, y: 0, width: 1, height: 1)) },
      { _ = try $0.element(.cell(section: 0, item: 3)) },
    ]
    for ask in asked {
      let session = try library.session("odd-frame", which: which)
      let error = try hostError { try ask(session) }
      #expect(error.kind == .brokenContract)
      #expect(error.message.contains("cell 3 of section 0"))
    }
  }

  @Test(arguments: 0..<4) func invalidFrameOfALazyEngineIsReported(_ which: Int) throws {
    let session = try library.session("lazy-odd-frame", which: which)
    let error = try hostError {
      _ = try session.elements(in: Rect(x: 0, y: 0, width: 10, height: 10))
    }
    #expect(error.kind == .brokenContract)
    #expect(error.message.contains("cell 3 of section 0"))
  }

  @Test(arguments: 0..<4) func duplicateElementIsReported(_ which: Int) throws {
    let session = try library.session("adds-twice", which: which)
    let error = try hostError { _ = try session.elements() }
    #expect(error.kind == .brokenContract)
    #expect(error.message.contains("twice"))
    #expect(error.message.contains("cell \([0, 5, 2, 0][which]) of section 0"))
  }

  @Test(arguments: 0..<12) func undeclaredRunIsRejected(_ which: Int) throws {
    let session = try library.session("adds-strangers", which: which)
    let error = try hostError { _ = try session.elements() }
    #expect([.refused, .brokenContract].contains(error.kind))
    #expect(error.message.contains("org.example.adds-strangers"))
  }

  @Test func tooManyRowsAreReportedToTheCaller() throws {
    let session = try library.session("adds-too-many")
    let error = try hostError { _ = try session.elements() }
    #expect(error.kind == .invalidInput)
    #expect(error.message.contains("rows"))
    #expect(error.message.contains("allow a layout more rows"))
  }

  @Test func continuingWithoutRowsBreaksTheContract() throws {
    let session = try library.session("adds-too-many", which: 1)
    #expect(try hostError { _ = try session.elements() }.kind == .brokenContract)
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
