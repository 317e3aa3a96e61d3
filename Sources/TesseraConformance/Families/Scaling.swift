import TesseraExamination
import TesseraGeometry
import TesseraHost

/// Warnings, unless no machine could explain the growth; all times are processor time.
let scalingCases: [ConformanceCase] = [
  ConformanceCase(
    "scaling-prepare-time", .scaling,
    rule: "Ten times as many items take about ten times as long to prepare",
    why: "An engine that is fast for a thousand items should not take an hour for a million",
    remedy: "Look at each item once, and do not search among earlier items",
    needs: .process, examine: prepareGrowsLinearly),
  ConformanceCase(
    "scaling-prepare-time-of-any-input", .scaling,
    rule:
      "Ten times as many items, sections or records take about ten times as long, whatever their values "
      + "and order",
    why: "Real items differ, and an order that nobody tried may take a hundred times as long",
    remedy: "Sort with an algorithm that no order slows down, and keep totals instead of searching",
    needs: .process, examine: prepareGrowsLinearlyAnywhere),
  ConformanceCase(
    "scaling-query-time", .scaling,
    rule: "Queries during scrolling take no longer for many items or sections than for few",
    why: "A display refreshes many times a second, however long the list is",
    remedy: "Calculate which items intersect the rect, and look at no others",
    needs: .examinedQueries, examine: queriesDoNotGrow),
  ConformanceCase(
    "scaling-query-time-for-visible", .scaling,
    rule: "Ten times as many visible elements take about ten times as long to return and to adjust",
    why: "A large screen shows thousands of small elements, and scrolls as smoothly as a small one",
    remedy: "Look at each element of the query once, and do not search among the others for it",
    needs: .examinedQueries, examine: queriesGrowLinearly),
  ConformanceCase(
    "scaling-memory", .scaling,
    rule: "Ten times as many items, sections or records use about ten times as much memory",
    why: "Memory that grows faster than the number of items runs out for a million items",
    remedy: "Store data per item, not per pair of items",
    needs: .process
  ) { trial in
    try memoryGrowsLinearly(trial)
    try elementsGrowLinearly(trial)
  },
]

private func sizes(_ level: CaseLevel) -> [Int] {
  switch level {
  case .quick: [1_000, 10_000]
  case .standard: [1_000, 10_000, 100_000]
  case .thorough: [1_000, 10_000, 100_000, 1_000_000]
  }
}

/// Noise on a busy machine: linear work stays far below, quadratic far above.
private let allowance = 4.0

/// For ten times the input; quadratic growth is 100.
private let certainGrowth = 50.0

/// Microseconds; shorter times count as equal.
private let instant = 200.0

@Sendable private func prepareGrowsLinearly(_ trial: Trial) throws {
  try trial.expectLinear(sizes(trial.level), [("items", { LayoutInput(counts: [$0]) })])
}

/// Inputs that are slow for careless algorithms.
@Sendable private func prepareGrowsLinearlyAnywhere(_ trial: Trial) throws {
  let counts =
    switch trial.level {
    case .quick: [1_000, 10_000]
    case .standard: [2_000, 20_000]
    case .thorough: [10_000, 100_000]
    }
  let values = try trial.engine.settableValues.filter { $0.scope == .item && $0.type != .choice }
  var random = trial.random
  let orders: [(name: String, number: (Int, Int) -> Double)] = [
    ("values that decrease", { index, count in 2 + 100 * Double(count - index) / Double(count) }),
    ("values that increase", { index, count in 2 + 100 * Double(index) / Double(count) }),
    ("random values", { _, _ in random.number(in: 2...200) }),
    ("a large value among small ones", { index, count in index == count / 2 ? 20_000 : 4 }),
    ("values of 0", { _, _ in 0 }),
  ]
  var inputs: [(what: String, sample: (Int) -> LayoutInput)] = [
    ("sections of one item", { LayoutInput(counts: Array(repeating: 1, count: $0)) }),
    ("empty sections", { LayoutInput(counts: Array(repeating: 0, count: $0)) }),
  ]
  let sampling = try trial.sampling()
  for list in sampling.engine.settableLists {
    for shape in Sampling.shapes where sampling.grown(list, count: counts[0], shape.parent) != nil {
      let sample = { sampling.items([$0], list, count: $0, shape.parent) }
      inputs.append(("\(shape.name) of \(list.name)", sample))
    }
  }
  func items(_ count: Int, _ number: (Int, Int) -> Double) -> LayoutInput {
    var sample = LayoutInput(counts: [count])
    for value in values {
      let dealt = (0..<count).compactMap { value.type.filled(with: number($0, count)) }
      guard dealt.count == count else { continue }
      sample.itemValues[value.name] = ValueColumn(dealt, type: value.type)
    }
    return sample
  }
  for (name, number) in orders where !values.isEmpty {
    inputs.append(("items with \(name)", { items($0, number) }))
  }
  for parameter in sampling.engine.settableParameters where trial.level != .quick {
    for choice in parameter.otherChoices {
      let sample = { (count: Int) in
        items(count) { _, _ in random.number(in: 2...200) }
          .with { $0.parameters[parameter.name] = choice }
      }
      inputs.append(("items with random values and \(parameter.name) \(choice)", sample))
    }
  }
  try trial.expectLinear(counts, inputs)
}

/// Spare capacity of arrays that double.
private let spareRoom = 2.5

/// Bytes; smaller amounts count as equal.
private let tiny = 4096.0

@Sendable private func memoryGrowsLinearly(_ trial: Trial) throws {
  let counts = sizes(trial.level)
  let sessions = try counts.map { try trial.freshSession(for: LayoutInput(counts: [$0])) }
  let empty = try trial.freshSession(for: LayoutInput(counts: [0]))
  let found = try empty.examine(.kept, with: sessions)?.heapBytes ?? []
  try trial.require(
    found.count == counts.count + 1, expected: "the memory of \(counts.count + 1) layouts",
    found: "that of \(found.count)")
  let kept = found.dropFirst().map { Double(max(0, $0 - found[0])) }
  for (number, (less, more)) in zip(kept, kept.dropFirst()).enumerated() {
    let growth = Double(counts[number + 1]) / Double(counts[number])
    try trial.require(
      more <= max(less, tiny) * growth * spareRoom,
      expected: "about \(growth.shortText) times the \(less.inKibibytes) that "
        + "\(counts[number]) items keep",
      found: "\(more.inKibibytes) for \(counts[number + 1]) items", isWarning: true)
  }
}

/// Lazy layouts store no rows and may have one per pair, as a sheet does.
@Sendable private func elementsGrowLinearly(_ trial: Trial) throws {
  guard try !trial.engine.traits.contains(.lazy) else { return }
  let sampling = try trial.sampling()
  for list in sampling.engine.settableLists {
    for shape in Sampling.shapes where trial.hasTime {
      let found = try [150, 1500].map { count -> Int? in
        let sample = sampling.items(
          Array(repeating: 1, count: count), list, count: count, shape.parent)
        guard sample.lists[list.name] != nil else { return nil }
        let session = try trial.freshSession(for: sample)
        return try trial.isLaidOut(session) ? session.elements().count : nil
      }
      guard let less = found[0], let more = found[1], less > 0 else { continue }
      try trial.require(
        Double(more) <= Double(less) * certainGrowth,
        expected: "about 10 times the \(less) elements of 150 sections of one item, with as many "
          + "\(shape.name) of \(list.name)", found: "\(more) elements of 1500")
    }
  }
}

@Sendable private func queriesDoNotGrow(_ trial: Trial) throws {
  let isLazy = try trial.engine.traits.contains(.lazy)
  let (few, many) = (1_000, isLazy || trial.level == .thorough ? 1_000_000 : 100_000)
  let first = try trial.queryTime(few)
  let limit = max(first, 0.1) * 2 * allowance
  let time = try trial.least(below: limit) { try trial.queryTime(many) }
  try trial.require(
    time <= limit,
    expected: "about \(first.roundedText) µs for each visible element, as among \(few) items",
    found: "\(time.roundedText) µs among \(many) items", isWarning: true)
  // Nested loops over sections, or over many sections or records per query, are certain findings.
  let sampling = try trial.sampling()
  var inputs = [10_000, isLazy ? 500_000 : 200_000].map { many in
    (
      what: "sections", counts: [500, many],
      sample: { (count: Int) in LayoutInput(counts: Array(repeating: 2, count: count)) }
    )
  }
  if trial.level == .quick && !isLazy { inputs.removeLast() }
  for list in sampling.engine.settableLists where trial.level != .quick {
    let shape = Sampling.shapes.first { sampling.grown(list, count: 500, $0.parent) != nil }
    guard let shape else { continue }
    let sample = { sampling.items([$0], list, count: $0, shape.parent) }
    inputs.append(("\(shape.name) of \(list.name)", [500, 100_000], sample))
  }
  for (what, counts, sample) in inputs where trial.hasTime {
    let samples = counts.map(sample)
    let isLaidOut = try trial.withFreshSession(for: samples[1]) { session in
      try trial.isLaidOut(session, inSight: true)
    }
    guard isLaidOut else { continue }
    let fast = max(try trial.queryTime(samples[0]), 0.1)
    let isFew = counts[1] <= 10_000
    let limit = fast * (isFew ? certainGrowth : certainGrowth / 2)
    let slow = try trial.least(below: limit) { try trial.queryTime(samples[1]) }
    try trial.require(
      slow <= limit,
      expected:
        "about \(fast.roundedText) µs for each visible element, as among \(counts[0]) \(what)",
      found: "\(slow.roundedText) µs among \(counts[1]) \(what)", isWarning: !isFew && !isLazy)
  }
}

/// Compares time per visible element in usual and much larger bounds.
@Sendable private func queriesGrowLinearly(_ trial: Trial) throws {
  let count = trial.level == .quick ? 40_000 : 100_000
  let larger = LayoutInput(counts: [count]).with {
    $0.bounds.width *= 30
    $0.bounds.height *= 30
  }
  let first = try trial.queryTime(LayoutInput(counts: [count]))
  let limit = max(first, 0.1) * 2 * allowance
  let time = try trial.least(below: limit) { try trial.queryTime(larger) }
  try trial.require(
    time <= limit,
    expected: "about \(first.roundedText) µs for each visible element, as in bounds of "
      + "\(Value.size(LayoutInput().bounds))",
    found: "\(time.roundedText) µs in bounds of \(Value.size(larger.bounds))",
    isWarning: time <= max(first, 0.1) * certainGrowth)
}

extension Sampling {
  fileprivate func items(
    _ counts: [Int], _ list: ListDescription, count: Int, _ parent: (Int, Int) -> Int
  ) -> LayoutInput {
    LayoutInput(counts: counts).with { $0.lists[list.name] = grown(list, count: count, parent) }
  }
}

extension Trial {
  /// The least of up to four measurements, since noise only adds; stops below the limit.
  fileprivate func least(below limit: Double, _ measure: () throws -> Double) rethrows -> Double {
    var least = try measure()
    for _ in 0..<3 where least > limit && least < 10 * limit && hasTime {
      least = min(least, try measure())
    }
    return least
  }

  fileprivate func expectLinear(
    _ counts: [Int], _ inputs: [(what: String, sample: (Int) -> LayoutInput)]
  ) throws {
    var inputs = inputs
    var smaller: (count: Int, sessions: [Session], times: [Double])?
    for count in counts where hasTime {
      if inputs.count > 1 {
        // An engine may refuse some values or sizes.
        let accepted = try inputs.map { input in
          try withFreshSession(for: input.sample(count)) { try isLaidOut($0) }
        }
        func kept<Item>(_ items: [Item]) -> [Item] { zip(items, accepted).filter(\.1).map(\.0) }
        inputs = kept(inputs)
        smaller = smaller.map { ($0.count, kept($0.sessions), kept($0.times)) }
      }
      guard !inputs.isEmpty else { return }
      let sessions = try inputs.map { try unstartedSession(for: $0.sample(count)) }
      var times = try microseconds(.timedPrepares, sessions)
      guard times.count == inputs.count else { return }
      for (index, input) in inputs.enumerated() {
        guard let earlier = smaller else { continue }
        var less = earlier.times[index]
        let growth = Double(count) / Double(earlier.count)
        func isLinear() -> Bool { times[index] <= max(less, instant) * growth * allowance }
        // Noise affects either measurement, so each one must agree. A second is no noise.
        for _ in 0..<3 where !isLinear() && times[index] < 1e6 && hasTime {
          less = max(less, try microseconds(.timedPrepares, [earlier.sessions[index]])[0])
          times[index] = min(times[index], try microseconds(.timedPrepares, [sessions[index]])[0])
        }
        try require(
          isLinear(),
          expected: "about \(growth.shortText) times the \(less.inMilliseconds) that "
            + "\(earlier.count) \(input.what) take",
          found: "\(times[index].inMilliseconds) for \(count) \(input.what)",
          isWarning: times[index] <= max(less, instant) * certainGrowth * growth / 10)
      }
      smaller = (count, sessions, times)
    }
  }

  /// Microseconds per element found, since a layout may fit on one screen.
  fileprivate func queryTime(_ count: Int) throws -> Double {
    try queryTime(LayoutInput(counts: [count]))
  }

  fileprivate func queryTime(_ sample: LayoutInput) throws -> Double {
    try microseconds(.timedQueries, [unstartedSession(for: sample)])[0]
  }

  /// A hung call counts a quarter of its timeout: a busy machine may have used the rest.
  private func microseconds(_ examination: Examination, _ inputs: [Session]) throws -> [Double] {
    let start = ContinuousClock.now
    do throws(HostError) {
      let report = try inputs[0].examine(examination, with: Array(inputs.dropFirst()))
      return report?.processorSeconds.map { $0 * 1e6 } ?? []
    } catch {
      guard error.code == .hung else { throw error }
      guard inputs.count == 1 else {
        return try inputs.flatMap { try microseconds(examination, [$0]) }
      }
      return [(ContinuousClock.now - start) / .microseconds(4)]
    }
  }
}

extension Double {
  fileprivate var roundedText: String { ((self * 100).rounded() / 100).shortText }

  fileprivate var inMilliseconds: String { "\((self / 1000).roundedText) ms" }

  fileprivate var inKibibytes: String { "\((self / 1024).rounded().shortText) KiB" }
}

extension CaseNeed {
  fileprivate static let examinedQueries = CaseNeed(reason: queries.reason) {
    queries.isMet(by: $0) && process.isMet(by: $0)
  }
}
