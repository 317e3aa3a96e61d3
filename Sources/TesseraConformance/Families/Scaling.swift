import TesseraGeometry
import TesseraHost

/// Time and memory as items become many; they depend on the machine, and so they only ever warn.
let scalingCases: [ConformanceCase] = [
  ConformanceCase(
    "scaling-prepare-time", .scaling,
    rule: "Ten times the items take about ten times as long to prepare",
    why: "What takes a moment for a thousand items must not take an hour for a million",
    remedy: "Look at each item once; search nothing among the items before it",
    examineOnce: prepareGrowsLinearly),
  ConformanceCase(
    "scaling-query-time", .scaling,
    rule: "What is asked while scrolling takes as long for many items as for few",
    why: "A frame has a hundredth of a second, however long the list is",
    remedy: "Calculate which items meet the rect, and look at no others",
    needs: .queries, examineOnce: queriesDoNotGrow),
  ConformanceCase(
    "scaling-memory", .scaling,
    rule: "Ten times the items keep about ten times the memory",
    why: "What is small for a thousand items must not be all the memory there is for a million",
    remedy: "Keep so many numbers for each item, not for each pair of items",
    needs: .process, examineOnce: memoryGrowsLinearly),
]

/// How many items are prepared, by the level.
private func sizes(_ level: CaseLevel) -> [Int] {
  switch level {
  case .quick: [1_000, 10_000]
  case .standard: [1_000, 10_000, 100_000]
  case .thorough: [1_000, 10_000, 100_000, 1_000_000]
  }
}

/// What a busy machine may add to ten times as much: linear work stays far below, quadratic work far
/// above.
private let allowance = 4.0

/// Microseconds below which everything counts as no time at all.
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
        + "\(last?.count ?? 0) items take", found: "\(time.inMilliseconds) for \(count)")
    last = (count, time)
  }
}

/// What arrays that grow by doubling may add to ten times as much.
private let spareRoom = 2.5

/// Bytes below which everything counts as no memory at all.
private let tiny = 4096.0

@Sendable private func memoryGrowsLinearly(_ trial: Trial) throws {
  let counts = sizes(trial.level)
  let sessions = try counts.map { try trial.freshSession(for: Sample(counts: [$0])) }
  let empty = try trial.freshSession(for: Sample(counts: [0]))
  let found = try empty.examine(.kept, with: sessions)?.heapBytes ?? []
  try trial.require(
    found.count == counts.count + 1, expected: "the memory of \(counts.count + 1) layouts",
    found: "that of \(found.count)")
  // What every layout keeps is not the items'.
  let kept = found.dropFirst().map { Double(max(0, $0 - found[0])) }
  for (number, (less, more)) in zip(kept, kept.dropFirst()).enumerated() {
    let growth = Double(counts[number + 1]) / Double(counts[number])
    try trial.expect(
      more <= max(less, tiny) * growth * spareRoom,
      expected: "about \(growth.shortText) times the \(less.inKibibytes) that "
        + "\(counts[number]) items keep", found: "\(more.inKibibytes) for \(counts[number + 1])")
  }
}

@Sendable private func queriesDoNotGrow(_ trial: Trial) throws {
  let (few, many) = (1_000, trial.level == .thorough ? 1_000_000 : 100_000)
  let first = try trial.queryTime(few)
  let limit = max(first, 0.1) * 2 * allowance
  let time = try trial.least(below: limit) { try trial.queryTime(many) }
  try trial.expect(
    time <= limit,
    expected: "about the \(first.shortText) µs for each element shown that it takes among \(few) "
      + "items", found: "\(time.shortText) µs among \(many) items")
}

extension Trial {
  /// The least of some measurements, the first that is no more than a limit: what an engine needs is
  /// the least, and what is more others took.
  fileprivate func least(below limit: Double, _ measure: () throws -> Double) rethrows -> Double {
    var least = try measure()
    for _ in 0..<3 where least > limit && hasTime { least = min(least, try measure()) }
    return least
  }

  /// Microseconds that a prepare of so many items takes; infinite where the engine needs none.
  fileprivate func prepareTime(_ count: Int) throws -> Double {
    let session = try freshSession(for: Sample(counts: [count]))
    let calls = CallLog()
    session.trace = { calls.note($0) }
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

  /// Microseconds that the engine takes for what the viewport shows among so many items, for each
  /// element of it: a layout may show all on one screen.
  fileprivate func queryTime(_ count: Int) throws -> Double {
    let session = try freshSession(for: Sample(counts: [count]))
    let content = try session.contentSize()
    let calls = CallLog()
    session.trace = { calls.note($0) }
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
  /// Warns where a condition does not hold.
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
