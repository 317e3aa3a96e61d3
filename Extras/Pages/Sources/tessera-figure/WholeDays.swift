import TesseraCommand
import TesseraHost
import TesseraScenario

// Shows whole-day events in rows above the hours, as calendars do. Engines only have hours, so
// these events are laid out elsewhere at no height, under a higher header. Afterwards each is
// placed on its days' headers.

/// Row height in points.
private let rowHeight = 20.0

extension FigureOptions {
  /// Moves whole-day events out of the hours and makes room in the headers.
  ///
  /// - Returns: The first item of each event, with its row from the top and its number of days;
  ///   empty without dates, hours or headers.
  func takeWholeDays(
    from scenario: inout Scenario, for chain: [EngineDescription]
  ) -> [ElementIdentity: (row: Int, days: Int)] {
    let height = "dayHeaderHeight"
    guard case .table(let table) = scenario.content,
      let header = chain.flatMap(\.parameters).first(where: { $0.name == height }),
      let starts = table.texts(of: "start"), let ends = table.texts(of: "end")
    else { return [:] }
    let names = table.labels ?? []
    let moments = zip(starts, ends).map { start, end -> (start: Double, end: Double)? in
      guard let start = calendarDays(of: start), let end = calendarDays(of: end) else { return nil }
      return (start, end)
    }
    /// A day may lack its last minute.
    func isWhole(_ item: Int) -> Bool {
      guard let moment = moments[item] else { return false }
      return moment.start == moment.start.rounded(.down) && moment.end >= moment.start + 0.999
    }
    func name(_ item: Int) -> String { names.indices.contains(item) ? names[item] : "" }

    // An event of several days has one item per day, with the same name. Events that begin or end
    // at an hour don't count.
    var runs: [(first: ElementIdentity, items: [Int])] = []
    var open: [String: Int] = [:]
    var first = 0
    for (section, count) in table.itemCounts.enumerated() {
      var next: [String: Int] = [:]
      for item in 0..<count where isWhole(first + item) {
        let index = first + item
        if let run = open[name(index)], next[name(index)] == nil,
          moments[runs[run].items.last ?? index]?.end == moments[index]?.start
        {
          runs[run].items.append(index)
          next[name(index)] = run
        } else {
          next[name(index)] = runs.count
          runs.append((.cell(section: section, item: item), [index]))
        }
      }
      open = next
      first += count
    }
    let parts = Set(
      moments.indices.filter { !isWhole($0) }.flatMap { item -> [String] in
        guard let moment = moments[item] else { return [] }
        return ["\(moment.start) \(name(item))", "\(moment.end) \(name(item))"]
      })
    runs.removeAll { run in
      guard let first = run.items.first, let last = run.items.last else { return true }
      return parts.contains("\(moments[first]?.start ?? 0) \(name(first))")
        || parts.contains("\(moments[last]?.end ?? 0) \(name(first))")
    }
    guard !runs.isEmpty else { return [:] }

    // Longer events first, each in the first row free on all its days.
    var rows: [Set<Int>] = []
    var result: [ElementIdentity: (row: Int, days: Int)] = [:]
    for run in runs.sorted(by: {
      ($0.first.section, -$0.items.count) < ($1.first.section, -$1.items.count)
    }) {
      let days = Set(run.first.section..<run.first.section + run.items.count)
      let row = rows.firstIndex { $0.isDisjoint(with: days) } ?? rows.count
      if row == rows.count { rows.append([]) }
      rows[row].formUnion(days)
      result[run.first] = (row, run.items.count)
    }
    let taken = Set(runs.flatMap(\.items))
    func hours(_ hour: Double) -> [Double?] {
      moments.indices.map { taken.contains($0) ? hour : nil }
    }
    scenario.content = .table(
      table.setting("start", to: hours(-1)).setting("end", to: hours(0)))
    let given = scenario.parameters[height]
    var text = "\(given?.value.double ?? header.initial.numbers.first ?? 0)"
    if case .text(let expression)? = given?.value { text = expression }
    scenario.parameters[height] = JSONNode(
      text: "(\(text))+\(Double(rows.count) * rowHeight)", source: given?.source ?? height)
    return result
  }
}

extension FigureOptions {
  /// Fits the default days and hours of a timetable on a page, without empty night hours.
  func fitDays(in scenario: inout Scenario, for chain: [EngineDescription]) {
    func number(_ name: String) -> Double? {
      guard let parameter = chain.flatMap(\.parameters).first(where: { $0.name == name }) else {
        return nil
      }
      guard let given = scenario.parameters[name]?.value else {
        return parameter.initial.numbers.first
      }
      if case .text(let text) = given { return Double(text) }
      return given.double
    }
    guard let paper, scenario.bounds == nil, number("minimumDayWidth") != nil,
      let first = number("firstHour"), let last = number("lastHour"), last > first
    else { return }
    var (from, to) = (first, last)
    if !["firstHour", "lastHour", "hourHeight"].contains(where: { scenario.parameters[$0] != nil }),
      let hours = eventHours(of: scenario)
    {
      (from, to) = (max(first, min(8, hours.first)), min(last, max(18, hours.last)))
      scenario.parameters["firstHour"] = JSONNode(.number(from), source: "firstHour")
      scenario.parameters["lastHour"] = JSONNode(.number(to), source: "lastHour")
    }
    // Leaves room for headers, whole-day events and a title.
    let height = (paper.room.height - 164) / (to - from)
    // A week fills the width beside the hours.
    let week = (paper.room.width - (number("timeColumnWidth") ?? 0)) / 7
    for (name, length) in [("minimumDayWidth", week), ("hourHeight", min(60, max(20, height)))]
    where scenario.parameters[name] == nil {
      scenario.parameters[name] = JSONNode(.number(length), source: name)
    }
  }
}

/// The whole hours around all timed events; nil without events.
private func eventHours(of scenario: Scenario) -> (first: Double, last: Double)? {
  guard case .table(let table) = scenario.content, let starts = table.texts(of: "start"),
    let ends = table.texts(of: "end")
  else { return nil }
  var result: (first: Double, last: Double)?
  for (start, end) in zip(starts, ends) {
    guard let start = hours(start), let end = hours(end), 0..<24 ~= start, 0...48 ~= end else {
      return nil
    }
    // An end at midnight belongs to the day.
    let until = end > start ? end : 24
    if start == 0, until == 24 { continue }
    result = (
      min(result?.first ?? 24, start.rounded(.down)), max(result?.last ?? 0, until.rounded(.up))
    )
  }
  return result
}

extension FinishedLayout<Elements> {
  func placing(_ wholeDays: [ElementIdentity: (row: Int, days: Int)]) -> FinishedLayout {
    let headers = Dictionary(
      elements.filter { element in
        kinds.contains { $0.role == .header && $0.name == element.identity.kind }
      }.map { ($0.identity.section, $0) }, uniquingKeysWith: { first, _ in first })
    let rows = (wholeDays.values.map(\.row).max() ?? -1) + 1
    var result = elements.filter { wholeDays[$0.identity] == nil }
    for (identity, place) in wholeDays {
      let days = identity.section..<identity.section + place.days
      let frames = days.compactMap { headers[$0]?.frame }
      guard let first = days.lazy.compactMap({ headers[$0] }).first,
        let start = frames.map(\.minX).min(), let end = frames.map(\.maxX).max()
      else { continue }
      result.append(
        Element(
          identity: identity,
          frame: Rect(
            x: start + 2, y: first.frame.maxY - Double(rows - place.row) * rowHeight,
            width: max(0, end - start - 4), height: rowHeight - 2),
          zIndex: first.zIndex + 1, attributes: first.attributes))
    }
    var layout = self
    result.sort { one, other in
      let (one, other) = (one.identity, other.identity)
      return (one.section, one.category, one.kind ?? "", one.item)
        < (other.section, other.category, other.kind ?? "", other.item)
    }
    layout.elements = Elements(result, attributes: attributes)
    return layout
  }
}
