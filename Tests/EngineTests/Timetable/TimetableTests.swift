import TesseraGeometry
import TesseraHost
import TestSupport
import Testing

/// The timetable engine against its rules.
@Suite struct TimetableTests {
  private static let id = "org.tessera.timetable"

  /// Every day of up to four events that start and end within six hours, some of them before they
  /// start.
  @Test func everySmallDayIsPlacedByTheRules() throws {
    let session = try ShippedEngines.session(Self.id)
    let events = (0..<4).flatMap { start in
      [0, 1, 3].map { TimetableRules.Event(start: Double(start), end: Double(start + $0)) }
    }
    for count in 0...2 {
      for day in lists(of: events, count: count) {
        var rules = TimetableRules()
        (rules.firstHour, rules.lastHour) = (1, 4)
        rules.days = [day, day + [TimetableRules.Event(start: 1.5, end: 2.5)]]
        try check(rules, session)
      }
    }
  }

  @Test(arguments: 1...150) func randomWeekIsPlacedByTheRules(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    try check(Self.random(using: &random), try ShippedEngines.session(Self.id))
  }

  /// Scrolling stops where a day begins, at a multiple of 120, or at the end, 396.
  ///
  /// Seven days of 120 beside labels of 56 are 896 wide, of which 500 are seen. Right to left, that is
  /// counted from the other end.
  @Test(
    arguments: [
      (130, 0, 120), (190, 0, 240), (130, 400, 240), (190, -400, 120), (120, 400, 120),
      (130, 200, 120), (-70, 0, 0), (420, 0, 396),
    ] as [(Double, Double, Double)])
  func scrollingStopsWhereADayBegins(
    _ proposed: Double, _ velocity: Double, _ expected: Double
  ) throws {
    let session = try ShippedEngines.session(Self.id)
    session.bounds = Size(width: 500, height: 400)
    try session.setSections(Array(repeating: 1, count: 7))
    #expect(
      try session.restingOffset(
        for: Point(x: proposed, y: 77), velocity: Point(x: velocity, y: 900))
        == Point(x: expected, y: 77))
    session.direction = .rightToLeft
    #expect(
      try session.restingOffset(
        for: Point(x: 396 - proposed, y: 77), velocity: Point(x: -velocity, y: 900))
        == Point(x: 396 - expected, y: 77))
  }

  /// What a header and a label stand for, on a day that begins at 8.
  @Test func daysAndHoursAreSaid() throws {
    let session = try ShippedEngines.session(Self.id)
    try session.setParameter("firstHour", to: .integer(8))
    try session.setParameter("lastHour", to: .integer(11))
    try session.setSections([0, 2])
    let elements = try session.elements()
    let names = elements.attributes.map(\.name)
    for (kind, attribute, expected) in [
      ("dayHeader", "day", [0, 1]), ("hourLabel", "hour", [8, 9, 10]),
    ] as [(String, String, [Int64])] {
      let place = try #require(names.firstIndex(of: attribute))
      let found = elements.filter { $0.identity.kind == kind }.map { $0.attributes[place] }
      #expect(found == expected.map { .integer($0) })
    }
    let kinds = session.engine.description.kinds
    #expect(kinds.filter { $0.shows != nil }.map(\.name) == ["dayHeader", "hourLabel"])
  }

  @Test func hiddenEventsAreThoseOutsideTheHours() throws {
    var rules = TimetableRules()
    (rules.firstHour, rules.lastHour) = (8, 18)
    rules.days = [
      [(6, 7), (7, 8), (7, 8.5), (17.5, 20), (18, 19), (30, 31), (9, 9)].map {
        TimetableRules.Event(start: $0.0, end: $0.1)
      }
    ]
    let session = try ShippedEngines.session(Self.id)
    try rules.apply(to: session)
    let cells = try session.elements().filter { $0.identity.category == .cell }
    #expect(cells.map(\.isHidden) == [true, true, false, false, true, true, false])
    #expect(cells.map(\.frame.height) == [0, 0, 30, 30, 0, 0, 15])
    #expect(cells.map(\.frame.y) == [44, 44, 44, 614, 644, 644, 104])
  }

  @Test func pinnedElementsAreInFront() throws {
    var rules = TimetableRules()
    rules.now = 12
    rules.days = [[TimetableRules.Event(start: 9, end: 10)]]
    let session = try ShippedEngines.session(Self.id)
    try rules.apply(to: session)
    let expected: [String: Int32] = [
      "": 0, "dayHeader": 1025, "hourLabel": 1024, "hourLine": -1, "dayLine": -1, "nowLine": 2,
    ]
    for element in try session.elements() {
      let zIndex = try #require(expected[element.identity.kind ?? ""])
      #expect(element.zIndex == zIndex, "\(element)")
    }
  }

  /// Scrolled in both directions, whatever is asked for: all, what is in sight, and one element.
  @Test(arguments: LayoutDirection.allCases)
  func daysAndHoursStayInSight(_ direction: LayoutDirection) throws {
    var random = SeededGenerator(seed: 3)
    var rules = TimetableRules()
    rules.contentInsets = Insets(top: 8, left: 5, bottom: 3, right: 16)
    rules.days = (0..<9).map { day in
      (0..<day).map { TimetableRules.Event(start: Double($0), end: Double($0) + 2) }
    }
    let session = try ShippedEngines.session(Self.id)
    for _ in 0..<60 {
      rules.offset = Point(
        x: Double(Int.random(in: -60...1000, using: &random)),
        y: Double(Int.random(in: -60...1600, using: &random)))
      try rules.apply(to: session)
      session.direction = direction
      var expected = rules.place()
      if direction == .rightToLeft {
        var mirrored = rules
        (mirrored.contentInsets.left, mirrored.contentInsets.right) = (16, 5)
        mirrored.offset.x = rules.contentSize.width - rules.offset.x - rules.bounds.width
        expected = mirrored.place()
        expected.entries = expected.entries.map { entry in
          var frame = entry.frame
          frame.x = rules.contentSize.width - frame.maxX
          return Placement.Entry(identity: entry.identity, frame: frame)
        }
      }
      try expected.check(session, rules)
      let sight = session.visibleRect
      let found = Set(try session.elements(in: sight).map(\.identity))
      #expect(
        found == Set(expected.entries.filter { $0.frame.intersects(sight) }.map(\.identity)))
      for entry in expected.entries.shuffled(using: &random).prefix(20) {
        #expect(try session.element(entry.identity)?.frame == entry.frame)
      }
    }
  }

  @Test func onlyDaysThatChangeAreRedone() throws {
    let session = try ShippedEngines.session(Self.id)
    let counts = [5000, 5000, 10, 5000]
    try session.setSections(counts)
    let starts = (0..<counts.reduce(0, +)).map { Double($0 % 97) / 4 }
    try session.setItemValues("start", .numbers(starts))
    try RowMark.set(session)
    var changed = starts
    changed[10_005] = 3.125
    try session.setItemValues("start", .numbers(changed))
    // From the changed day on, and all that is not an event.
    let redone = try RowMark.countOfRedone(session)
    #expect(redone >= 5010 && redone < 5010 + 100)
  }

  @Test func sameWidthIsNotPrepared() throws {
    let session = try ShippedEngines.session(Self.id)
    try session.setSections([3, 3])
    try RowMark.set(session)
    session.bounds.height += 100
    #expect(try RowMark.countOfRedone(session) == 0)
    session.bounds.width += 100
    #expect(try RowMark.countOfRedone(session) > 0)
  }

  @Test(arguments: [(8, 8), (9, 3), (23, 1)])
  func hoursInTheWrongOrderAreReported(_ first: Int, _ last: Int) throws {
    let session = try ShippedEngines.session(Self.id)
    try session.setParameter("firstHour", to: .integer(Int64(first)))
    try session.setParameter("lastHour", to: .integer(Int64(last)))
    let error = #expect(throws: HostError.self) { try session.elements() }
    #expect(error?.kind == .refused)
    #expect(
      error?.message
        == "org.tessera.timetable: firstHour is \(first) and lastHour is \(last); lastHour must be "
        + "above firstHour")
  }

  @Test func noDurationIsReported() throws {
    let session = try ShippedEngines.session(Self.id)
    try session.setParameter("minimumDuration", to: .number(0))
    let error = #expect(throws: HostError.self) { try session.elements() }
    #expect(
      error?.message == "org.tessera.timetable: minimumDuration is 0; it must be above 0 hours")
  }

  /// A lane for each of many events, beside one that all reach over: quadratic work would take
  /// minutes.
  @Test func manyLanesAreLaidOut() throws {
    let count = 100_000
    let session = try ShippedEngines.session(Self.id)
    try session.setSections([2 * count])
    // One event all day, many at noon, and many one after the other in the afternoon.
    let starts = (0..<2 * count).map { item in
      item == 0 ? 0 : item < count ? 12 : 13 + Double(item - count) / Double(count)
    }
    try session.setParameter("minimumDuration", to: .number(1e-6))
    try session.setItemValues("start", .numbers(starts))
    try session.setItemValues(
      "end", .numbers(starts.enumerated().map { $0 == 0 ? 24 : $0 < count ? 13 : $1 + 9e-6 }))
    let last = try #require(try session.element(.cell(section: 0, item: 2 * count - 1)))
    // From lane 1 over all others.
    #expect((last.frame.maxX - (56 + 319 - 2)).magnitude < 1e-6)
  }

  private func check(_ rules: TimetableRules, _ session: Session) throws {
    try rules.apply(to: session)
    try rules.place().check(session, rules)
    for (day, events) in rules.days.indices.map({ ($0, rules.placed(inDay: $0)) }) {
      for (item, event) in events.enumerated() {
        #expect(
          try session.element(.cell(section: day, item: item))?.isHidden == event.isOutside)
      }
    }
  }

  private static func random(using random: inout SeededGenerator) -> TimetableRules {
    var rules = TimetableRules()
    rules.bounds = Size(width: random.number(in: 0...900), height: random.number(in: 0...900))
    rules.contentInsets = random.edges(upTo: 40)
    rules.offset = Point(x: random.number(in: -50...900), y: random.number(in: -50...900))
    rules.scale = random.pick([1, 2, 3])
    rules.hourHeight = random.pick([60, 0, random.number(in: 0...90)])
    rules.firstHour = Int.random(in: 0...23, using: &random)
    rules.lastHour = Int.random(in: rules.firstHour + 1...48, using: &random)
    rules.minimumDayWidth = random.pick([120, 0, random.number(in: 0...200)])
    rules.timeColumnWidth = random.pick([56, 0, random.number(in: 0...90)])
    rules.dayHeaderHeight = random.pick([44, 0, random.number(in: 0...90)])
    rules.eventSpacing = random.pick([2, 0, random.number(in: 0...50)])
    rules.minimumDuration = random.pick([0.25, 1, 0.01])
    rules.now = random.pick([-1, random.number(in: 0...30)])
    rules.days = (0..<Int.random(in: 0...7, using: &random)).map { _ in
      (0..<random.pick([0, 3, 30])).map { _ in
        let start = random.pick([
          Double(Int.random(in: -4...100, using: &random)) / 4, random.number(in: -2...30),
        ])
        return TimetableRules.Event(start: start, end: start + random.number(in: -1...5))
      }
    }
    return rules
  }
}
