import Synchronization
import TesseraGeometry
import TesseraHost
import Testing

/// How often an engine is asked: what changes nothing calls nothing.
@Suite struct PreparingTests {
  private let calls = Calls()

  /// The names of the calls into an engine.
  private final class Calls: Sendable {
    private let names = Mutex<[String]>([])

    func listen(to session: Session) {
      session.trace = { [self] line in
        names.withLock { $0.append(String(line.prefix { $0 != "(" })) }
      }
    }

    /// The calls since this was last asked.
    func take() -> [String] {
      names.withLock { names in
        defer { names = [] }
        return names
      }
    }
  }

  private func session() throws -> Session {
    let session = try FixtureLibrary.inputs.get().session("inputs")
    calls.listen(to: session)
    return session
  }

  @Test func questionsAboutOneLayoutPrepareItOnce() throws {
    let session = try session()
    #expect(calls.take().isEmpty)
    _ = try session.contentSize()
    #expect(calls.take() == ["prepare"])
    _ = try session.elements()
    _ = try session.elements(in: session.visibleRect)
    _ = try session.element(.cell(section: 0, item: 1))
    _ = try session.contentSize()
    #expect(calls.take().isEmpty)
  }

  @Test func aMovedViewportPreparesNothing() throws {
    let session = try session()
    _ = try session.elements()
    _ = calls.take()
    for y in 0..<50 {
      session.offset = Point(x: 0, y: Double(y))
      _ = try session.elements(in: session.visibleRect)
    }
    #expect(calls.take().isEmpty)
  }

  @Test func whatIsSetToWhatItIsPreparesNothing() throws {
    let session = try session()
    _ = try session.elements()
    _ = calls.take()
    session.bounds = session.bounds
    session.scale = 2
    session.direction = .leftToRight
    session.contentInsets = .zero
    _ = try session.elements()
    #expect(calls.take().isEmpty)
    session.bounds.width += 1
    session.bounds.width -= 1
    _ = try session.elements()
    #expect(calls.take().isEmpty)
  }

  @Test func eachChangePreparesOnce() throws {
    let session = try session()
    _ = try session.elements()
    _ = calls.take()
    let changes: [() throws -> Void] = [
      { session.bounds.width = 1 }, { session.scale = 1 }, { session.direction = .rightToLeft },
      { session.contentInsets.top = 1 }, { session.safeAreaInsets.top = 1 },
      { session.layoutMargins.top = 1 }, { try session.setParameter("flag", to: .bool(false)) },
      { try session.resetParameter("flag") }, { try session.setSections([7]) },
      { try session.setItemValues("weight", .constant(.number(1))) },
      { try session.setSectionValues("margin", .constant(.insets(.zero))) },
    ]
    for change in changes {
      try change()
      _ = try session.elements()
      _ = try session.elements()
      #expect(calls.take() == ["prepare"])
    }
  }

  @Test func traceLinesTellArgumentsResultAndTime() throws {
    let session = try session()
    let lines = Mutex<[String]>([])
    session.trace = { line in lines.withLock { $0.append(line) } }
    _ = try session.elements()
    let line = try #require(lines.withLock { $0 }.first)
    for part in ["bounds 375x667", "items 6", "status 0", "6 rows", "content 1000x1000", "µs"] {
      #expect(line.contains(part), "\(line)")
    }
  }

  @Test func theRowLimitHoldsForEveryAnswer() throws {
    let session = try FixtureLibrary.misbehaving.get().session("sound", items: 6)
    session.rowLimit = 5
    let everything = Rect(x: -1e6, y: -1e6, width: 2e6, height: 2e6)
    for ask in [{ _ = try session.elements() }, { _ = try session.elements(in: everything) }] {
      let error = try hostError(ask)
      #expect(error.kind == .invalidInput)
      #expect(error.message.contains("6 elements, more than 5"))
    }
    #expect(try session.element(.cell(section: 0, item: 5)) != nil)
    session.rowLimit = 6
    #expect(try session.elements().count == 6)
  }
}
