import TesseraGeometry
import TesseraHost

/// The rules of the timetable engine as they are written down, every event compared with every other.
struct TimetableRules {
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

  /// An event in its lanes.
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

  /// Where everything is at the scroll offset.
  func place() -> Placement {
    var placement = Placement()
    placement.contentSize = contentSize
    guard !days.isEmpty else { return placement }
    func add(
      _ category: ElementCategory, _ kind: String?, _ section: Int, _ item: Int, _ frame: Rect
    ) {
      placement.entries.append(
        Placement.Entry(
          identity: ElementIdentity(
            category: category, kind: kind, section: section, item: item), frame: frame))
    }
    let (dayWidth, gap, line) = (dayWidth, min(eventSpacing, dayWidth / 2), 1 / scale)
    let across = Double(days.count) * dayWidth
    let hours = lastHour - firstHour
    let pinned = Point(
      x: min(max(offset.x + contentInsets.left, 0), contentSize.width - timeColumnWidth),
      y: min(max(offset.y + contentInsets.top, 0), contentSize.height - dayHeaderHeight))
    for day in days.indices {
      let x = timeColumnWidth + Double(day) * dayWidth
      if dayWidth > 0, dayHeaderHeight > 0 {
        add(
          .supplementary, "dayHeader", day, 0,
          Rect(x: x, y: pinned.y, width: dayWidth, height: dayHeaderHeight))
      }
      add(
        .decoration, "dayLine", day, 0,
        Rect(x: x, y: dayHeaderHeight, width: line, height: Double(hours) * hourHeight))
      for (item, event) in placed(inDay: day).enumerated() {
        let width = (dayWidth - gap) / Double(event.lanes)
        let top = y(min(max(event.start, Double(firstHour)), Double(lastHour)))
        let bottom = y(min(max(event.end, Double(firstHour)), Double(lastHour)))
        add(
          .cell, nil, day, item,
          Rect(
            x: x + gap + Double(event.lane) * width, y: top,
            width: max(0, Double(event.reach - event.lane) * width - gap), height: bottom - top))
      }
    }
    for hour in 0..<hours {
      let top = y(Double(firstHour + hour))
      if timeColumnWidth > 0, hourHeight > 0 {
        add(
          .supplementary, "hourLabel", 0, hour,
          Rect(x: pinned.x, y: top, width: timeColumnWidth, height: hourHeight))
      }
      add(
        .decoration, "hourLine", 0, hour,
        Rect(x: timeColumnWidth, y: top, width: across, height: line))
    }
    if now >= 0, now >= Double(firstHour), now <= Double(lastHour) {
      add(
        .decoration, "nowLine", 0, 0,
        Rect(x: timeColumnWidth, y: y(now), width: across, height: line))
    }
    return placement
  }

  /// Gives a session of the engine what the rules are followed for.
  func apply(to session: Session) throws {
    session.bounds = bounds
    session.contentInsets = contentInsets
    session.offset = offset
    session.scale = scale
    for (name, number) in [
      ("hourHeight", hourHeight), ("minimumDayWidth", minimumDayWidth),
      ("timeColumnWidth", timeColumnWidth), ("dayHeaderHeight", dayHeaderHeight),
      ("eventSpacing", eventSpacing), ("minimumDuration", minimumDuration), ("now", now),
    ] {
      try session.setParameter(name, to: .number(number))
    }
    try session.setParameter("firstHour", to: .integer(Int64(firstHour)))
    try session.setParameter("lastHour", to: .integer(Int64(lastHour)))
    try session.setSections(days.map(\.count))
    try session.setItemValues("start", .numbers(days.flatMap { $0.map(\.start) }))
    try session.setItemValues("end", .numbers(days.flatMap { $0.map(\.end) }))
  }
}
