import Synchronization
import TesseraGeometry
import TesseraHost
import TestSupport
import Testing

/// The table engine against its rules, followed by hand.
@Suite struct TableTests {
  @Test(arguments: [false, true]) func everySmallTableIsPlacedByTheRules(_ isGrouped: Bool) throws {
    let session = try ShippedEngines.session("org.tessera.table")
    for counts in (0...3).flatMap({ lists(of: [0, 1, 2, 5], count: $0) }) {
      for (header, footer) in [(28.0, 0.0), (0, 0), (0, 12.5), (7, 9)] {
        var rules = TableRules()
        rules.isGrouped = isGrouped
        rules.sections = counts.map { count in
          TableRules.Section(
            header: header, footer: footer,
            rows: (0..<count).map { [44, 0, 10.25, 200][$0 % 4] })
        }
        try check(rules, session)
      }
    }
  }

  @Test(arguments: 1...40) func randomTableIsPlacedByTheRules(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var rules = TableRules()
    rules.isGrouped = Bool.random(using: &random)
    rules.bounds = random.extent(in: 0...900)
    rules.contentInsets = random.edges(upTo: 40)
    rules.separatorInset = random.edges(upTo: 60)
    rules.separatorHeight = random.pick([0.5, 0, random.number(in: 0...4)])
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      var section = TableRules.Section()
      section.header = random.pick([0, random.number(in: 0...50)])
      section.footer = random.pick([0, random.number(in: 0...50)])
      section.rows = (0..<Int.random(in: 0...random.pick([3, 200]), using: &random)).map { _ in
        random.number(in: 0...90)
      }
      rules.sections.append(section)
    }
    try check(rules, try ShippedEngines.session("org.tessera.table"))
  }

  /// What is not given is as the parameters say: rows of 44 under headers of 28.
  @Test func parametersAreTheDefaultsOfValues() throws {
    let session = try ShippedEngines.session("org.tessera.table")
    try session.setSections([2, 1])
    #expect(try session.contentSize() == Size(width: 375, height: 3 * 44 + 2 * 28))
    for (name, value) in [
      ("rowHeight", 50.0), ("sectionHeaderHeight", 10), ("sectionFooterHeight", 5),
    ] {
      try session.setParameter(name, to: .number(value))
    }
    #expect(try session.contentSize() == Size(width: 375, height: 3 * 50 + 2 * 15))
    try session.setItemValues("height", .numbers([1, 2, 3]))
    try session.setSectionValues("headerHeight", .numbers([0, 10]))
    #expect(try session.contentSize() == Size(width: 375, height: 6 + 10 + 10))
  }

  @Test func separatorsLieInFrontAndBetweenRows() throws {
    let session = try ShippedEngines.session("org.tessera.table")
    try session.setSections([3, 1, 0, 2])
    let separators = try session.elements().filter { $0.identity.category == .decoration }
    #expect(separators.map(\.identity.section) == [0, 0, 3])
    #expect(separators.map(\.identity.item) == [0, 1, 0])
    #expect(separators.allSatisfy { $0.zIndex == 1 && $0.frame.x == 15 })
  }

  /// Grouped headers scroll away with their rows, and are as any other element.
  @Test func groupedHeadersScroll() throws {
    let session = try ShippedEngines.session("org.tessera.table")
    try session.setParameter("style", to: .choice("grouped"))
    try session.setSections([9, 9])
    for y in [0.0, 100, 500] {
      session.offset.y = y
      let headers = try session.elements().filter { $0.identity.category == .supplementary }
      // 35 above, a header of 28 and nine rows of 44 between.
      #expect(headers.map(\.frame.y) == [35, 459])
      #expect(headers.allSatisfy { $0.zIndex == 0 })
    }
  }

  @Test func boundsWithoutEffectAreNotPrepared() throws {
    let session = try ShippedEngines.session("org.tessera.table")
    try session.setSections([50])
    let calls = Mutex(0)
    session.trace = { line in
      if line.hasPrefix("prepare(") { calls.withLock { $0 += 1 } }
    }
    for (size, expected) in [
      (Size(width: 375, height: 667), 1), (Size(width: 375, height: 900), 1),
      (Size(width: 720, height: 900), 2),
    ] {
      session.bounds = size
      _ = try session.contentSize()
      #expect(calls.withLock { $0 } == expected)
    }
  }

  /// At the offset where nothing sticks elsewhere than it lies, or grouped.
  private func check(_ rules: TableRules, _ session: Session) throws {
    try rules.apply(to: session)
    var placement = rules.place()
    var rule = PinningRule(
      sections: rules.extents, sticksHeaders: !rules.isGrouped, sticksFooters: !rules.isGrouped)
    rule.visibleStart = rules.contentInsets.top
    rule.visibleEnd = rules.bounds.height - rules.contentInsets.bottom
    placement.entries = placement.entries.map { entry in
      var frame = entry.frame
      switch entry.identity.kind {
      case "header": frame.y = rule.header(of: entry.identity.section)
      case "footer": frame.y = rule.footer(of: entry.identity.section)
      default: break
      }
      return Placement.Entry(identity: entry.identity, frame: frame)
    }
    try placement.check(session, rules)
  }
}
