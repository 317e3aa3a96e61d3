import TesseraGeometry
import TesseraHost
import TestSupport
import Testing

/// The waterfall engine against its rules, followed by hand.
@Suite struct WaterfallTests {
  private static let id = "org.tessera.waterfall"

  @Test(arguments: 1...80) func randomLayoutIsPlacedByTheRules(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let rules = WaterfallRules.random(using: &random)
    try check(rules, try ShippedEngines.session(Self.id))
  }

  /// Sums of heights that are no binary fractions differ in their last bits, by which the shortest
  /// column is still found.
  @Test(arguments: [1, 2, 4, 7, 64, 65, 300])
  func columnsOfAlmostEqualLengthAreCompared(_ columns: Int) throws {
    var random = SeededGenerator(seed: 3)
    var rules = WaterfallRules()
    rules.scale = 3
    rules.interitemSpacing = 0.1
    rules.bounds.width = 4000
    rules.sections = [WaterfallRules.Section()]
    rules.sections[0].columns = columns
    rules.sections[0].items = (0..<3000).map { _ in
      WaterfallRules.Item(height: random.pick([0.1, 0.2, 0.3, 1.0 / 3, 0.7]))
    }
    try check(rules, try ShippedEngines.session(Self.id))
  }

  /// Items that are alike end together, where the first of the columns is the shortest.
  @Test func columnsOfEqualLengthAreTakenInOrder() throws {
    var random = SeededGenerator(seed: 4)
    let session = try ShippedEngines.session(Self.id)
    for number in 0..<198 {
      var rules = WaterfallRules()
      rules.interitemSpacing = random.pick([0, 10, 4.25])
      rules.bounds.width = random.pick([2000, 2000, 300])
      rules.scale = random.pick([1, 2, 3])
      rules.sections = [WaterfallRules.Section()]
      rules.sections[0].columns = number / 3 + 1
      rules.sections[0].inset.top = random.pick([0, 0.5])
      let ratios: [Double] = random.pick([[0.5, 0.75, 1.5], [0.01, 100, 3.7, 1 / 3]])
      let heights: [Double] = [[0], [0, 20, 41], [0, 20, 30.0625, 41]][number % 3]
      rules.sections[0].items = (0..<Int.random(in: 1...1500, using: &random)).map { _ in
        WaterfallRules.Item(aspectRatio: random.pick(ratios), height: random.pick(heights))
      }
      try check(rules, session)
    }
  }

  /// Columns are filled in steps of 4096 items.
  @Test(arguments: 1...9) func columnsAreFilledInSteps(_ columns: Int) throws {
    var random = SeededGenerator(seed: UInt64(columns))
    let session = try ShippedEngines.session(Self.id)
    for count in [1, 2, 9, 40, 4095, 4096, 4097, 8193] {
      var rules = WaterfallRules()
      rules.scale = random.pick([1, 2])
      rules.interitemSpacing = random.pick([0, 0.5, 10, 2000])
      rules.bounds.width = random.pick([375, 1200, 40])
      rules.sections = [WaterfallRules.Section()]
      rules.sections[0].columns = columns
      rules.sections[0].header = random.pick([0, 17.5, 1e6])
      // In 1 of 5 cases, one item is so high; items of equal height are frequent.
      let highest = random.pick([nil, nil, nil, nil, Int.random(in: 0..<count, using: &random)])
      rules.sections[0].items = (0..<count).map { item in
        WaterfallRules.Item(
          aspectRatio: item == highest
            ? 0.01 : random.pick([1, 0.75, 100, Double.random(in: 0.2...3, using: &random)]))
      }
      try check(rules, session)
    }
  }

  /// Three columns of 110 with 10 between them, in 350.
  private static func three(_ items: [WaterfallRules.Item]) -> WaterfallRules {
    var rules = WaterfallRules()
    rules.bounds.width = 350
    rules.sections = [WaterfallRules.Section(columns: 3, items: items)]
    return rules
  }

  private func frames(_ rules: WaterfallRules) throws -> [Rect] {
    let session = try ShippedEngines.session(Self.id)
    try rules.apply(to: session)
    return try session.elements().map(\.frame)
  }

  /// By hand: columns end at 50, 20 and 30 with the space below; an item of two columns begins below
  /// the longer of them, at 30, 20 further right.
  @Test func spansLieBelowTheLongestOfTheirColumns() throws {
    let heights = [40.0, 10, 20].map { WaterfallRules.Item(height: $0) }
    let spanning = [2, 5, 0].map { WaterfallRules.Item(height: 15, span: $0) }
    #expect(
      try frames(Self.three(heights + spanning)).suffix(3) == [
        Rect(x: 120, y: 30, width: 230, height: 15),
        Rect(x: 0, y: 55, width: 350, height: 15),
        Rect(x: 0, y: 80, width: 110, height: 15),
      ])
  }

  /// By hand: with a tolerance of 20, the first column, at 50, is as good as that at 30.
  @Test func toleranceKeepsItemsFurtherLeft() throws {
    let items = [40.0, 25, 20, 5].map { WaterfallRules.Item(height: $0) }
    var rules = Self.three(items)
    #expect(try frames(rules).last == Rect(x: 240, y: 30, width: 110, height: 5))
    for (tolerance, x, y) in [(4.9, 240.0, 30.0), (5, 120, 35), (19.9, 120, 35), (20, 0, 50)] {
      rules.tolerance = tolerance
      #expect(try frames(rules).last == Rect(x: x, y: y, width: 110, height: 5))
    }
  }

  /// By hand: columns in turn, however long they are; an item that does not fit beside the one
  /// before begins at the left.
  @Test func roundRobinTakesColumnsInTurn() throws {
    let items = [(100.0, 1), (10, 1), (10, 2), (10, 1), (10, 1)].map {
      WaterfallRules.Item(height: $0.0, span: $0.1)
    }
    var rules = Self.three(items)
    rules.isRoundRobin = true
    #expect(try frames(rules).map(\.x) == [0, 120, 0, 240, 0])
    #expect(try frames(rules).map(\.y) == [0, 0, 110, 0, 130])
  }

  @Test func asManyColumnsAsFitAreUsed() throws {
    let session = try ShippedEngines.session(Self.id)
    try session.setSections([30])
    try session.setParameter("columnCount", to: .integer(0))
    try session.setParameter("minimumColumnWidth", to: .number(110))
    for (width, columns) in [(0.0, 1), (109, 1), (229, 1), (230, 2), (349, 2), (350, 3), (470, 4)] {
      session.bounds.width = width
      let lefts = Set(try session.elements().map(\.frame.x))
      #expect(lefts.count == columns, "\(width)")
    }
    // Three of a third each fit, although (390 + 5) / ((390 - 2·5) / 3 + 5) is 2.9999999999999996.
    session.bounds.width = 390
    try session.setParameter("minimumColumnSpacing", to: .number(5))
    try session.setParameter("minimumColumnWidth", to: .number((390.0 - 2 * 5) / 3))
    #expect(Set(try session.elements().map(\.frame.x)).count == 3)
  }

  /// Columns that no item can reach take no memory.
  @Test func anyNumberOfColumnsIsLaidOut() throws {
    let session = try ShippedEngines.session(Self.id)
    try session.setSections([3])
    try session.setParameter("columnCount", to: .integer(.max))
    #expect(try session.elements().map(\.frame.x) == [0, 10, 20])
    try session.setItemValues("span", .integers([1, .max, 2]))
    let error = #expect(throws: HostError.self) { try session.contentSize() }
    #expect(error?.kind == .refused)
    #expect(error?.message.contains("columnCount") == true)
  }

  @Test(arguments: [
    ("aspectRatio", 0.0, "above 0"), ("aspectRatio", -1, "above 0"),
    ("height", -2, "not negative"),
  ])
  func invalidItemIsReportedWithItsPlace(_ name: String, _ number: Double, _ rule: String) throws {
    let session = try ShippedEngines.session(Self.id)
    try session.setSections([1, 3])
    try session.setItemValues(name, .numbers([1, 1, number, 1]))
    let error = #expect(throws: HostError.self) { try session.contentSize() }
    #expect(error?.kind == .refused)
    for part in ["\(name) of item 1 in section 1 is \(number.shortText)", rule] {
      #expect(error?.message.contains(part) == true, "\(error as Any)")
    }
  }

  @Test func invalidSectionIsReportedWithItsNumber() throws {
    for (name, column) in [
      ("columnCount", ValueColumn.integers([2, -1])),
      ("sectionInset", .insets([.zero, Insets(left: -1)])),
      ("headerReferenceSize", .sizes([.zero, Size(width: 0, height: -1)])),
      ("footerReferenceSize", .sizes([.zero, Size(width: -1, height: 0)])),
    ] {
      let session = try ShippedEngines.session(Self.id)
      try session.setSections([1, 1])
      try session.setSectionValues(name, column)
      let error = #expect(throws: HostError.self) { try session.contentSize() }
      #expect(error?.message.contains("\(name) of section 1 is") == true, "\(error as Any)")
    }
  }

  @Test func onlyWhatFollowsIsRedone() throws {
    // From the checkpoint before.
    try PartialChecks.expectOnlyWhatFollowsIsRedone(Self.id, slack: 4096)
  }

  @Test func boundsWithoutEffectAreNotPrepared() throws {
    try PartialChecks.expectReuse(Self.id, dependsOnWidth: true)
  }

  private func check(_ rules: WaterfallRules, _ session: Session) throws {
    try rules.apply(to: session)
    try rules.place().check(session, rules)
  }
}
