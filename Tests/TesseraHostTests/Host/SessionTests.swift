import Synchronization
import TesseraHost
import TestSupport
import Testing

/// Unchanged input causes no engine calls.
@Suite struct PreparingTests {
  private let calls = Calls()

  private final class Calls: Sendable {
    private let names = Mutex<[String]>([])

    func listen(to session: Session) {
      session.trace = { [self] line in
        names.withLock { $0.append(String(line.prefix { $0 != "(" })) }
      }
    }

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

  @Test func severalQueriesPrepareOnce() throws {
    let session = try session()
    #expect(calls.take().isEmpty)
    _ = try session.contentSize()
    #expect(calls.take() == ["prepare"])
    _ = try session.elements()
    session.offset = Point(x: 0, y: 9)
    _ = try session.elements(in: session.visibleRect)
    _ = try session.element(.cell(section: 0, item: 1))
    _ = try session.contentSize()
    #expect(calls.take().isEmpty)
  }

  @Test func settingAnEqualValuePreparesNothing() throws {
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
}

@Suite struct RowLimitTests {
  @Test(arguments: [Isolation.none, .sandbox])
  func moreRowsThanTheLimitAreRefusedWithAdvice(_ isolation: Isolation) throws {
    for limit in [50_000, 120_000] {
      let session = try Session(Soak.host(isolation) { $0.rowLimit = limit }.engine("flow"))
      try session.setSections([100_000])
      let sizes = ValueColumn.sizes(Array(repeating: Size(width: 10, height: 10), count: 100_000))
      guard limit < 100_000 else {
        try session.setItemValues("size", sizes)
        #expect(try session.elements(in: session.visibleRect).count > 0)
        continue
      }
      let early = try hostError { try session.setItemValues("size", sizes) }
      #expect(early.kind == .invalidInput && early.remedy == .allowMoreRows)
      #expect(early.message.contains("100000 items") && early.message.contains("at most 50"))
      let late = try hostError { _ = try session.contentSize() }
      #expect(late.kind == .invalidInput && late.remedy == .allowMoreRows, "\(late)")
      #expect(late.message.contains("has more than 50"))
    }
  }

  @Test func theMemoryLimitIsNamedIfItAllowsFewerRows() throws {
    let host = Soak.host {
      $0.rowLimit = 1 << 30
      $0.limits.memory = 64 << 20
    }
    let session = try Session(host.engine("mosaic"))
    try session.setSections([50_000_000])
    let error = try hostError { _ = try session.contentSize() }
    #expect(error.remedy == .allowMoreMemory, "\(error)")
  }

  @Test func aLazyLayoutHasOnlyTheRowsOfAnAnswer() throws {
    let session = try Session(Soak.host { $0.rowLimit = 1_000 }.engine("grid"))
    try session.setSections([1_000_000])
    #expect(try session.elements(in: session.visibleRect).count > 10)
  }
}

@Suite struct NameTests {
  /// Sections of one and two items.
  @Test func mistakesAreReportedWithTheirNamesAndPlaces() throws {
    let session = try FixtureLibrary.inputs.get().session("inputs")
    try session.setSections([1, 2])
    let extents = [Size.zero, .zero, Size(width: 0, height: -.infinity)]
    let mistakes: [(words: [String], call: () throws -> Void)] = [
      (
        ["org.example.inputs", "\"rati\"", "did you mean ratio?"],
        { try session.setParameter("rati", to: .number(1)) }
      ),
      (
        ["\"zzzzzz\"", "flag, count, ratio"],
        { try session.setParameter("zzzzzz", to: .number(1)) }
      ),
      (
        ["extent", "point", "size"],
        { try session.setParameter("extent", to: .point(.zero)) }
      ),
      (["count is 11", "1 to 10"], { try session.setParameter("count", to: .integer(11)) }),
      (["ratio is 1.5", "1 or less"], { try session.setParameter("ratio", to: .number(1.5)) }),
      (
        ["extent is 10x50.5", "height 0 to 50"],
        { try session.setParameter("extent", to: .size(Size(width: 10, height: 50.5))) }
      ),
      (["ratio", "nan", "finite"], { try session.setParameter("ratio", to: .number(.nan)) }),
      (
        ["mode is \"mad\"", "calm, lively, wild"],
        { try session.setParameter("mode", to: .choice("mad")) }
      ),
      (
        ["mode of item 0 in section 1", "\"mad\""],
        { try session.setItemValues("mode", .choices(["calm", "mad", "calm"])) }
      ),
      (
        ["weight has 2 values for 3 items; give one value, or 3"],
        { try session.setItemValues("weight", .numbers([1, 1])) }
      ),
      (
        ["margin has 3 values for 2 sections; give one value, or 2"],
        { try session.setSectionValues("margin", .insets([.zero, .zero, .zero])) }
      ),
      (
        ["no section value \"weight\"", "margin"],
        { try session.setSectionValues("weight", .constant(.number(1))) }
      ),
      (
        ["weight", "size", "number"],
        { try session.setItemValues("weight", .sizes([.zero, .zero, .zero])) }
      ),
      (
        ["weight of item 0 in section 1 is nan; expected finite numbers"],
        { try session.setItemValues("weight", .numbers([0, .nan, .infinity])) }
      ),
      (
        ["extent of item 1 in section 1 is 0x-inf"],
        { try session.setItemValues("extent", .sizes(extents)) }
      ),
      (["section 1 has -1 items"], { try session.setSections([4, -1]) }),
      (["2^62"], { try session.setSections([1 << 62, 1]) }),
    ]
    for (words, call) in mistakes {
      let error = try hostError(call)
      #expect(error.kind == .invalidInput && !error.message.hasSuffix("."))
      for part in words { #expect(error.message.contains(part), "\(error.message)") }
    }
    #expect(session.itemCounts == [1, 2])
  }
}

@Suite struct ArgumentTests {
  private let session: Session

  init() throws { session = try FixtureLibrary.inputs.get().session("inputs") }

  private func expect(_ sentence: String, _ body: () throws -> Void) throws {
    let error = try hostError(body)
    #expect(error.kind == .invalidInput)
    #expect(error.message.contains(sentence), "\(error.message)")
    #expect(session.itemCounts == [6])
  }

  @Test func onlyOneItemIsHeld() throws {
    let item = ItemPath(section: 0, item: 2)
    for step in [
      { _ = try session.drag(to: .zero) }, { _ = try session.endReordering() },
      { try session.cancelReordering() },
    ] { try expect("no item is held", step) }
    #expect(try session.heldElement() == nil)
    try expect("there is no item 6 in section 0, which has") {
      try session.beginReordering(ItemPath(section: 0, item: 6))
    }
    try session.beginReordering(item)
    try expect("an item is already held") {
      try session.beginReordering(ItemPath(section: 0, item: 3))
    }
    #expect(try session.heldElement()?.identity == .cell(section: 0, item: 2))
    #expect(try session.endReordering().operations == [])
  }

  @Test func pointsAreFinite() throws {
    try session.beginReordering(ItemPath(section: 0, item: 2))
    for point in [Point(x: .nan, y: 0), Point(x: 0, y: .infinity)] {
      try expect("is not finite; give numbers") { _ = try session.drag(to: point) }
      try expect("the proposed offset is") { _ = try session.restingOffset(for: point) }
      try expect("the proposed offset is") {
        _ = try session.restingOffset(for: .zero, velocity: point)
      }
    }
    try session.cancelReordering()
  }

  @Test func batchStartsFromTheCountsOfTheLayout() throws {
    let batch = try UpdateBatch([.insert(ItemPath(section: 0, item: 0))], before: [5], after: [6])
    try expect("the batch starts from [5] items, the layout has [6]") {
      _ = try session.update(batch) { _ in Issue.record("the new data was requested") }
    }
  }
}

@Suite struct ProgressTests {
  let library: FixtureLibrary

  init() throws { library = try FixtureLibrary.misbehaving.get() }

  @Test func stoppedCallbackIsNotCalledAgain() throws {
    let session = try library.session("asks-progress", which: 1)
    let calls = Mutex(0)
    session.progress = { _ in
      calls.withLock { $0 += 1 }
      return false
    }
    #expect(try session.elements().count == 6)
    #expect(calls.withLock { $0 } == 1)
  }

  @Test func cancellingWithoutARequestBreaksTheContract() throws {
    let session = try library.session("cancels-unasked")
    #expect(try hostError { _ = try session.elements() }.kind == .brokenContract)
  }
}
