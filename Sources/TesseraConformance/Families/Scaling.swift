import TesseraGeometry
import TesseraHost

/// Cases about time and memory for large item counts; they depend on the machine, so they only warn.
let scalingCases: [ConformanceCase] = [
  ConformanceCase(
    "scaling-prepare-time", .scaling,
    rule: "Ten times as many items take about ten times as long to prepare",
    why: "An engine that is fast for a thousand items should not take an hour for a million",
    remedy: "Look at each item once, and do not search among earlier items",
    examineOnce: prepareGrowsLinearly),
  ConformanceCase(
    "scaling-query-time", .scaling,
    rule: "Queries during scrolling take no longer for many items than for few",
    why: "A display refreshes many times a second, however long the list is",
    remedy: "Calculate which items intersect the rect, and look at no others",
    needs: .queries, examineOnce: queriesDoNotGrow),
  ConformanceCase(
    "scaling-memory", .scaling,
    rule: "Ten times as many items use about ten times as much memory",
    why: "Memory that grows faster than the number of items runs out for a million items",
    remedy: "Store data per item, not per pair of items",
    needs: .process, examineOnce: memoryGrowsLinearly),
]

/// How many items each level prepares.
private func sizes(_ level: CaseLevel) -> [Int] {
  switch level {
  case .quick: [1_000, 10_000]
  case .standard: [1_000, 10_000, 100_000]
  case .thorough: [1_000, 10_000, 100_000, 1_000_000]
  }
}

/// The factor that a busy machine may add; linear work stays far below it, quadratic work far above.
private let allowance = 4.0

/// Times below this many microseconds are treated as equal.
private let instant = 200.0

@Sendable private func prepareGrowsLinearly(_ trial: Trial) throws {
  var last: (count: Int, time: Double)?
  for count in sizes(trial.level) where trial.hasTime {
    let growth = Double(count) / Double(last?.count ?? count)
    let limit = max(last?.time ?? .infinity, instant) * growth * allowance
    let time = try trial.least(below: limit) { try trial.prepareTime(count) }
    guard time.isFinite else { return }
    try trial.expect(
      time <= limit,
      expected: "about \(growth.shortText) times the \((last?.time ?? 0).inMilliseconds) that "
        + "\(last?.count ?? 0) items take", found: "\(time.inMilliseconds) for \(count) items")
    last = (count, time)
  }
}

/// The factor that arrays which grow by doubling may add.
private let spareRoom = 2.5

/// Amounts below this many bytes are treated as equal.
private let tiny = 4096.0

@Sendable private func memoryGrowsLinearly(_ trial: Trial) throws {
  let counts = sizes(trial.level)
  let sessions = try counts.map { try trial.freshSession(for: Sample(counts: [$0])) }
  let empty = try trial.freshSession(for: Sample(counts: [0]))
  let found = try empty.examine(.kept, with: sessions)?.heapBytes ?? []
  try trial.require(
    found.count == counts.count + 1, expected: "the memory of \(counts.count + 1) layouts",
    found: "that of \(found.count)")
  // Subtracts what a layout without items keeps.
  let kept = found.dropFirst().map { Double(max(0, $0 - found[0])) }
  for (number, (less, more)) in zip(kept, kept.dropFirst()).enumerated() {
    let growth = Double(counts[number + 1]) / Double(counts[number])
    try trial.expect(
      more <= max(less, tiny) * growth * spareRoom,
      expected: "about \(growth.shortText) times the \(less.inKibibytes) that "
        + "\(counts[number]) items keep",
      found: "\(more.inKibibytes) for \(counts[number + 1]) items")
  }
}

@Sendable private func queriesDoNotGrow(_ trial: Trial) throws {
  let (few, many) = (1_000, trial.level == .thorough ? 1_000_000 : 100_000)
  let first = try trial.queryTime(few)
  let limit = max(first, 0.1) * 2 * allowance
  let time = try trial.least(below: limit) { try trial.queryTime(many) }
  try trial.expect(
    time <= limit,
    expected: "about \(first.shortText) µs for each visible element, as among \(few) items",
    found: "\(time.shortText) µs among \(many) items")
}

extension Trial {
  /// The least of up to four measurements; it stops at the first that is within a limit.
  ///
  /// Other programs only ever add to a measurement.
  fileprivate func least(below limit: Double, _ measure: () throws -> Double) rethrows -> Double {
    var least = try measure()
    for _ in 0..<3 where least > limit && hasTime { least = min(least, try measure()) }
    return least
  }

  /// Microseconds that a prepare of so many items takes; infinite if the engine has no prepare.
  fileprivate func prepareTime(_ count: Int) throws -> Double {
    let session = try freshSession(for: Sample(counts: [count]))
    let calls = CallLog()
    session.trace = { calls.append($0) }
    var time = Double.infinity
    for run in 0..<5 where run < 2 || time < 200_000 && hasTime {
      session.bounds.width = 375 + Double(run)
      session.bounds.height = 667 + Double(run)
      calls.clear()
      _ = try session.contentSize()
      if calls.hasPrepared { time = min(time, calls.microseconds(of: "prepare")) }
    }
    return time
  }

  /// Microseconds that the engine takes to query the viewport among so many items, divided by the
  /// number of elements found, since a layout may show all items on one screen.
  fileprivate func queryTime(_ count: Int) throws -> Double {
    let session = try freshSession(for: Sample(counts: [count]))
    let content = try session.contentSize()
    let calls = CallLog()
    session.trace = { calls.append($0) }
    var time = Double.infinity
    for step in 0..<20 {
      let share = 0.4 + Double(step) / 100
      session.offset = Point(
        x: max(0, content.width - session.bounds.width) * share,
        y: max(0, content.height - session.bounds.height) * share)
      calls.clear()
      let found = try session.elements(in: session.visibleRect).count
      let spent = calls.microseconds(of: "elements_in_rect", "adjust")
      time = min(time, spent / Double(max(1, found)))
    }
    return time
  }
}

extension Trial {
  /// Warns if a condition does not hold.
  fileprivate func expect(
    _ condition: Bool, expected: @autoclosure () -> String, found: @autoclosure () -> String
  ) throws(Violation) {
    guard !condition else { return }
    throw Violation(expected: expected(), found: found(), isWarning: true)
  }
}

extension Double {
  /// Microseconds as text in milliseconds.
  fileprivate var inMilliseconds: String { "\(((self / 10).rounded() / 100).shortText) ms" }

  /// Bytes as text in KiB.
  fileprivate var inKibibytes: String { "\((self / 1024).rounded().shortText) KiB" }
}
