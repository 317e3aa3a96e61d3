import TesseraHost
import TestSupport
import Testing

@Suite struct TimetableTests {
  private static let id = "org.tessera.timetable"

  @Test(arguments: 1...150) func randomWeekIsPlacedByTheRules(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    try check(Self.random(using: &random), try ShippedEngines.session(Self.id))
  }

  /// Stops: multiples of 120, and the end, 396.
  ///
  /// Labels of 56 + seven days of 120 = 896 wide, 500 visible. Right to left counts from the other
  /// end.
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

  /// Alt texts of headers and labels, for a day that begins at 8.
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

  @Test(arguments: [(8, 8), (9, 3), (23, 1)])
  func hoursInTheWrongOrderAreReported(_ first: Int, _ last: Int) throws {
    let session = try ShippedEngines.session(Self.id)
    try session.setParameter("firstHour", to: .integer(Int64(first)))
    try session.setParameter("lastHour", to: .integer(Int64(last)))
    session.expectRefusal(
      "org.tessera.timetable: firstHour is \(first) and lastHour is \(last); lastHour must be above "
        + "firstHour")
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
      (0..<random.pick([0, 1, 3, 30])).map { _ in
        let start = random.pick([
          Double(Int.random(in: -4...100, using: &random)) / 4, random.number(in: -2...30),
        ])
        return TimetableRules.Event(start: start, end: start + random.number(in: -1...5))
      }
    }
    return rules
  }
}

/// By comparing all pairs of events.
struct TimetableRules: EngineRules {
  struct Event {
    var start = 0.0
    var end = 0.0
  }

  var bounds = Size(width: 400, height: 300)
  var contentInsets = Insets.zero
  var offset = Point.zero
  var scale = 2.0
  var hourHeight = 60.0
  var firstHour = 0
  var lastHour = 24
  var minimumDayWidth = 120.0
  var timeColumnWidth = 56.0
  var dayHeaderHeight = 44.0
  var eventSpacing = 2.0
  var minimumDuration = 0.25
  var now = -1.0
  var days: [[Event]] = []

  struct Placed {
    var start, end: Double
    var lane = 0
    var reach = 1
    var lanes = 1
    var isOutside = false

    func overlaps(_ other: Placed) -> Bool { start < other.end && other.start < end }
  }

  var dayWidth: Double {
    let width = max(0, bounds.width - contentInsets.left - contentInsets.right)
    return max(minimumDayWidth, (width - timeColumnWidth) / Double(days.count))
  }

  var contentSize: Size {
    days.isEmpty
      ? .zero
      : Size(
        width: timeColumnWidth + Double(days.count) * dayWidth,
        height: dayHeaderHeight + Double(lastHour - firstHour) * hourHeight)
  }

  private func y(_ hour: Double) -> Double {
    dayHeaderHeight + (hour - Double(firstHour)) * hourHeight
  }

  func placed(inDay day: Int) -> [Placed] {
    let hours = (Double(firstHour), Double(lastHour))
    var events = days[day].map { event in
      Placed(start: event.start, end: max(event.end, event.start + minimumDuration))
    }
    for item in events.indices {
      events[item].isOutside = events[item].end <= hours.0 || events[item].start >= hours.1
    }
    let order = events.indices.filter { !events[$0].isOutside }.sorted { left, right in
      let (one, other) = (events[left], events[right])
      return (one.start, -one.end, left) < (other.start, -other.end, right)
    }
    var clusters: [[Int]] = []
    for (place, item) in order.enumerated() {
      let before = order.prefix(place)
      events[item].lane =
        (0...).first { lane in
          before.allSatisfy { events[$0].lane != lane || events[$0].end <= events[item].start }
        } ?? 0
      let isChained = clusters.last?.contains { events[$0].overlaps(events[item]) } ?? false
      if isChained {
        clusters[clusters.count - 1].append(item)
      } else {
        clusters.append([item])
      }
    }
    for cluster in clusters {
      let lanes = Set(cluster.map { events[$0].lane }).count
      for item in cluster {
        let taken = cluster.filter { events[$0].overlaps(events[item]) }.map { events[$0].lane }
        events[item].lanes = lanes
        events[item].reach = taken.filter { $0 > events[item].lane }.min() ?? lanes
      }
    }
    return events
  }

  func place() -> Placement {
    var placement = Placement()
    placement.contentSize = contentSize
    guard !days.isEmpty else { return placement }
    let (dayWidth, gap, line) = (dayWidth, min(eventSpacing, dayWidth / 2), 1 / scale)
    let across = Double(days.count) * dayWidth
    let hours = lastHour - firstHour
    let pinned = Point(
      x: min(max(offset.x + contentInsets.left, 0), contentSize.width - timeColumnWidth),
      y: min(max(offset.y + contentInsets.top, 0), contentSize.height - dayHeaderHeight))
    for day in days.indices {
      let x = timeColumnWidth + Double(day) * dayWidth
      if dayWidth > 0, dayHeaderHeight > 0 {
        placement.add(
          .supplementary, "dayHeader", day, 0,
          Rect(x: x, y: pinned.y, width: dayWidth, height: dayHeaderHeight))
      }
      placement.add(
        .decoration, "dayLine", day, 0,
        Rect(x: x, y: dayHeaderHeight, width: line, height: Double(hours) * hourHeight))
      for (item, event) in placed(inDay: day).enumerated() {
        let width = (dayWidth - gap) / Double(event.lanes)
        let top = y(min(max(event.start, Double(firstHour)), Double(lastHour)))
        let bottom = y(min(max(event.end, Double(firstHour)), Double(lastHour)))
        placement.addCell(
          day, item,
          Rect(
            x: x + gap + Double(event.lane) * width, y: top,
            width: max(0, Double(event.reach - event.lane) * width - gap), height: bottom - top))
      }
    }
    for hour in 0..<hours {
      let top = y(Double(firstHour + hour))
      if timeColumnWidth > 0, hourHeight > 0 {
        placement.add(
          .supplementary, "hourLabel", 0, hour,
          Rect(x: pinned.x, y: top, width: timeColumnWidth, height: hourHeight))
      }
      placement.add(
        .decoration, "hourLine", 0, hour,
        Rect(x: timeColumnWidth, y: top, width: across, height: line))
    }
    if now >= 0, now >= Double(firstHour), now <= Double(lastHour) {
      placement.add(
        .decoration, "nowLine", 0, 0,
        Rect(x: timeColumnWidth, y: y(now), width: across, height: line))
    }
    return placement
  }

  func apply(to session: Session) throws {
    session.bounds = bounds
    session.contentInsets = contentInsets
    session.offset = offset
    session.scale = scale
    try session.set([
      "hourHeight": .number(hourHeight), "minimumDayWidth": .number(minimumDayWidth),
      "timeColumnWidth": .number(timeColumnWidth), "dayHeaderHeight": .number(dayHeaderHeight),
      "eventSpacing": .number(eventSpacing), "minimumDuration": .number(minimumDuration),
      "now": .number(now), "firstHour": .integer(Int64(firstHour)),
      "lastHour": .integer(Int64(lastHour)),
    ])
    try session.setSections(days.map(\.count))
    try session.setItemValues("start", .numbers(days.flatMap { $0.map(\.start) }))
    try session.setItemValues("end", .numbers(days.flatMap { $0.map(\.end) }))
  }
}
