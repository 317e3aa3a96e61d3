import TesseraSDK

/// Days side by side, events by the hour, pinned along both axes.
final class Timetable: ReusableLayout, AdjustingLayout {
  static let identity = EngineIdentity(
    id: "org.tessera.timetable", name: "Timetable", version: "0.1.0",
    author: "The Tessera authors", license: "MIT",
    summary: "Days side by side, events by the hour, with days and hours that stay in sight.")
  static let traits: Traits = [.mirrors, .incremental]
  static let laws: Laws = .scales
  static let columns: BuiltInColumns = [.zIndex, .hidden]

  @Parameter("Height of an hour.", unit: "pt", in: 0...) var hourHeight = 60.0
  @Parameter("The hour at the top.", in: 0...23) var firstHour = 0
  @Parameter("The hour at the bottom; above firstHour.", in: 1...48) var lastHour = 24
  @Parameter("The narrowest that a day may be.", unit: "pt", in: 0...) var minimumDayWidth = 120.0
  @Parameter("Width of the hours' labels; 0 for none.", unit: "pt", in: 0...)
  var timeColumnWidth = 56.0
  @Parameter("Height of the days' headers; 0 for none.", unit: "pt", in: 0...)
  var dayHeaderHeight = 44.0
  @Parameter("Space between events side by side.", unit: "pt", in: 0...) var eventSpacing = 2.0
  @Parameter("The shortest that an event may be, in hours; above 0.", in: 0...)
  var minimumDuration = 0.25
  @Parameter("The hour of the line that marks the time; below 0 for none.") var now = -1.0

  @ItemValue("When the event starts, in hours since its day's midnight.")
  var start: Column<Double>
  @ItemValue("When the event ends, in hours since its day's midnight.")
  var end: Column<Double>

  let dayHeader = Kind(.supplementary, role: .header, shows: "day")
  let hourLabel = Kind(.supplementary, role: .label, shows: "hour")
  let hourLine = Kind(.decoration, role: .separator)
  let dayLine = Kind(.decoration, role: .separator)
  let nowLine = Kind(.decoration)
  let day = Attribute("The day that a header shows.", unit: "d", initial: 0, when: .adjusted)
  let hour = Attribute("The hour that a label shows.", unit: "h", initial: 0, when: .adjusted)

  /// Labels are in front of events; day headers in front of pinned hours.
  private static let labelZIndex: Int32 = 1024
  private static let headerZIndex: Int32 = 1025

  private var table: TimetableGrid?
  private var lanes = EventLanes()

  func prepare(_ input: Input, into output: Output) throws(LayoutFailure) {
    let earlier = table
    table = nil
    let grid = try grid(input)
    let content = grid.contentSize
    guard grid.days > 0 else { return try output.setContentSize(.zero) }

    let isSame = grid == earlier && !input.change.what.contains(.parameters)
    for day in 0..<grid.days {
      if let header = grid.header(ofDay: day) {
        let rows = try output.add(.elements(dayHeader, inSection: day))
        rows.frame[0] = header
        rows.zIndex[0] = Self.headerZIndex
      }
      try addEvents(
        ofDay: day, isSame: isSame && input.change.unchangedItems(inSection: day) == .max, grid,
        input, to: output)
      let line = try output.add(.elements(dayLine, inSection: day))
      line.frame[0] = Rect(
        x: grid.x(ofDay: day), y: dayHeaderHeight, width: grid.lineWidth,
        height: content.height - dayHeaderHeight)
      line.zIndex[0] = -1
    }
    try addHours(grid, to: output)
    try output.setContentSize(content)
    table = grid
  }

  func stillValid(_ input: Input) -> Bool {
    guard let table else { return false }
    return (try? grid(input)) == table
  }

  /// Moves labels and headers to their pinned places, and adds others pinned there.
  func adjust(_ input: Input, rect: Rect, into output: Output) throws(LayoutFailure) {
    guard let table else { return }
    let content = table.contentSize
    func pinned(_ start: Double, _ end: Double, _ length: Double) -> Double {
      min(max(start, 0), end - length)
    }
    let y = pinned(
      input.viewport.y + input.contentInsets.top, content.height, table.dayHeaderHeight)
    for day in table.days(touching: rect) {
      guard let natural = table.header(ofDay: day) else { break }
      var frame = natural
      frame.y = y
      guard frame.touches(rect) || natural.touches(rect) else { continue }
      let rows = try output.add(.elements(dayHeader, inSection: day))
      if rows.count > 0 {
        rows.frame[0] = frame
        rows[self.day][0] = day
      }
    }
    let x = pinned(
      input.viewport.x + input.contentInsets.left, content.width, table.timeColumnWidth)
    func label(_ hour: Int) -> Rect? {
      guard table.days > 0, var frame = table.label(ofHour: hour) else { return nil }
      frame.x = x
      return frame
    }
    // The query returns few runs of labels.
    var isShown = Array(repeating: false, count: table.hours)
    for index in 0..<output.runCount {
      let (run, rows) = try output.get(index)
      guard run.isKind(hourLabel) else { continue }
      let (frames, hours) = (rows.frame, rows[self.hour])
      for (row, hour) in run.items.enumerated() where hour < table.hours {
        guard let frame = label(hour) else { continue }
        frames[row] = frame
        hours[row] = table.firstHour + hour
        isShown[hour] = true
      }
    }
    for hour in 0..<table.hours where !isShown[hour] {
      guard let frame = label(hour), let natural = table.label(ofHour: hour),
        frame.touches(rect) || natural.touches(rect)
      else { continue }
      let rows = try output.add(.elements(hourLabel, inSection: 0, items: hour..<hour + 1))
      if rows.count > 0 {
        rows.frame[0] = frame
        rows[self.hour][0] = table.firstHour + hour
      }
    }
  }

  private func grid(_ input: Input) throws(LayoutFailure) -> TimetableGrid {
    guard firstHour < lastHour else {
      throw .invalidValue(
        "firstHour is \(firstHour) and lastHour is \(lastHour); lastHour must be above firstHour")
    }
    guard minimumDuration > 0 else {
      throw .invalidValue(
        "minimumDuration is \(describe(minimumDuration)); it must be above 0 hours")
    }
    let days = input.sectionCount
    let dayWidth = max(
      minimumDayWidth, (input.extent.width - timeColumnWidth) / Double(max(days, 1)))
    return TimetableGrid(
      days: days, firstHour: firstHour, hours: lastHour - firstHour, dayWidth: dayWidth,
      hourHeight: hourHeight, timeColumnWidth: timeColumnWidth, dayHeaderHeight: dayHeaderHeight,
      gap: min(eventSpacing, dayWidth / 2), lineWidth: 1 / input.scale)
  }

  private func addEvents(
    ofDay day: Int, isSame: Bool, _ grid: TimetableGrid, _ input: Input, to output: Output
  ) throws(LayoutFailure) {
    let items = input.items(inSection: day)
    guard !items.isEmpty else { return }
    let rows = try output.add(.cells(inSection: day, items: 0..<items.count))
    if isSame, rows.kept >= items.count { return }

    let (starts, ends) = (start[items], end[items])
    let (first, last) = (Double(grid.firstHour), Double(grid.firstHour + grid.hours))
    let (left, room) = (grid.x(ofDay: day) + grid.gap, grid.dayWidth - grid.gap)
    let (frames, hidden, shortest) = (rows.frame, rows.hidden, minimumDuration)
    // Each access to a property of the class is checked.
    var lanes = EventLanes()
    swap(&lanes, &self.lanes)
    defer { swap(&lanes, &self.lanes) }
    lanes.removeAll()
    for item in 0..<items.count {
      let (start, given) = (starts[item], ends[item])
      guard start.isFinite else { throw refusal("start", start, item, day) }
      guard given.isFinite else { throw refusal("end", given, item, day) }
      let end = max(given, start + shortest)
      let isOutside = end <= first || start >= last
      hidden[item] = isOutside
      if isOutside {
        let hour = end <= first ? first : last
        frames[item] = Rect(
          x: left, y: grid.y(ofHour: hour), width: max(0, room - grid.gap), height: 0)
      } else {
        lanes.append(item: item, start: start, end: end)
      }
      if item & 0xFFFF == 0xFFFF {
        try output.progress(Double(items.lowerBound + item) / Double(input.itemCount))
      }
    }
    lanes.arrange()
    for event in lanes.events {
      let width = room / Double(event.lanes)
      let (start, end) = (max(event.start, first), min(event.end, last))
      frames[event.item] = Rect(
        x: left + Double(event.lane) * width, y: grid.y(ofHour: start),
        width: max(0, Double(event.reach - event.lane) * width - grid.gap),
        height: (end - start) * grid.hourHeight)
    }
  }

  private func addHours(_ grid: TimetableGrid, to output: Output) throws(LayoutFailure) {
    if grid.label(ofHour: 0) != nil {
      let labels = try output.add(.elements(hourLabel, inSection: 0, items: 0..<grid.hours))
      for hour in 0..<grid.hours {
        labels.frame[hour] = grid.label(ofHour: hour) ?? .zero
        labels.zIndex[hour] = Self.labelZIndex
      }
    }
    func line(_ hour: Double) -> Rect {
      Rect(
        x: grid.timeColumnWidth, y: grid.y(ofHour: hour),
        width: Double(grid.days) * grid.dayWidth, height: grid.lineWidth)
    }
    let lines = try output.add(.elements(hourLine, inSection: 0, items: 0..<grid.hours))
    for hour in 0..<grid.hours {
      lines.frame[hour] = line(Double(grid.firstHour + hour))
      lines.zIndex[hour] = -1
    }
    guard now >= 0, now >= Double(firstHour), now <= Double(lastHour) else { return }
    let mark = try output.add(.elements(nowLine, inSection: 0))
    mark.frame[0] = line(now)
    mark.zIndex[0] = 2
  }

  private func refusal(_ name: String, _ hour: Double, _ item: Int, _ day: Int) -> LayoutFailure {
    .invalidValue(
      "\(name) of item \(item) in section \(day) is \(describe(hour)); it must be finite")
  }
}

extension Timetable: SnappingLayout {
  /// At the start of the nearest day, or of the next one in the direction of a flick.
  func restingOffset(
    _ proposed: Point, velocity: Point, _ input: Input
  ) throws(LayoutFailure) -> Point {
    guard let table, table.dayWidth > 0 else { return proposed }
    let start = input.contentInsets.left
    let day = (proposed.x + start) / table.dayWidth
    let rounding: FloatingPointRoundingRule =
      velocity.x > Self.flick ? .up : velocity.x < -Self.flick ? .down : .toNearestOrAwayFromZero
    return Point(x: day.rounded(rounding) * table.dayWidth - start, y: proposed.y)
  }

  /// Points per second from which a scroll continues to the next day.
  private static let flick = 300.0
}

/// Registers the engine of this library.
@c(tessera_register)
public func register(_ host: HostReference, _ registry: RegistryReference) -> Status {
  registry.add(Timetable.self, host: host)
}

struct TimetableGrid: Equatable {
  let days, firstHour, hours: Int
  let dayWidth, hourHeight, timeColumnWidth, dayHeaderHeight: Double
  let gap: Double
  let lineWidth: Double

  var contentSize: Size {
    days == 0
      ? .zero
      : Size(
        width: timeColumnWidth + Double(days) * dayWidth,
        height: dayHeaderHeight + Double(hours) * hourHeight)
  }

  func x(ofDay day: Int) -> Double { timeColumnWidth + Double(day) * dayWidth }

  func y(ofHour hour: Double) -> Double {
    dayHeaderHeight + (hour - Double(firstHour)) * hourHeight
  }

  /// At the top of the content; nil if it has no width or height.
  func header(ofDay day: Int) -> Rect? {
    guard dayWidth > 0, dayHeaderHeight > 0 else { return nil }
    return Rect(x: x(ofDay: day), y: 0, width: dayWidth, height: dayHeaderHeight)
  }

  /// The label of an hour from the first, at the left; nil if it has no width or height.
  func label(ofHour hour: Int) -> Rect? {
    guard timeColumnWidth > 0, hourHeight > 0 else { return nil }
    return Rect(
      x: 0, y: y(ofHour: Double(firstHour + hour)), width: timeColumnWidth, height: hourHeight)
  }

  /// Includes neighbours.
  func days(touching rect: Rect) -> Range<Int> {
    guard dayWidth > 0 else { return 0..<0 }
    func day(_ x: Double) -> Int {
      Int(min(max((x - timeColumnWidth) / dayWidth, -1), Double(days)).rounded(.down))
    }
    let first = max(0, day(rect.x) - 1)
    return first..<max(first, min(days, day(rect.maxX) + 2))
  }
}

extension Rect {
  /// Whether edges touch, too: a query for one element uses its frame, which may be empty.
  fileprivate func touches(_ other: Rect) -> Bool {
    x <= other.maxX && maxX >= other.x && y <= other.maxY && maxY >= other.y
  }
}
