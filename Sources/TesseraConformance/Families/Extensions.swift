import TesseraGeometry
import TesseraHost

let extensionCases: [ConformanceCase] = [
  ConformanceCase(
    "extensions-resting-offset-is-sound", .extensions,
    rule: "Scrolling stops at finite offsets, the same as in a new layout, wherever it would stop",
    why: "A wrong offset makes the content jump or vanish at the end of every scroll",
    remedy:
      "In resting_offset, calculate only from the last prepare and the arguments; expect offsets "
      + "before and behind the content, any velocity, and layouts without elements",
    needs: .extension(.snapping, named: "tessera.snapping"), samples: .usualAndEmpty,
    owns: [.invalidRestingOffset], examine: restingOffsetIsSound),
  ConformanceCase(
    "extensions-resting-offset-rests", .extensions,
    rule: "A scroll that has stopped, and is not moved, stops again where it is",
    why: "Content that creeps on after each stop never comes to rest",
    remedy:
      "In resting_offset, return the proposed offset if it is already one of those at which scrolling "
      + "stops; move by a page only for a velocity other than 0",
    needs: .extension(.snapping, named: "tessera.snapping"),
    samples: SampleSet { sampling, level in
      let limits = sampling.atLimits()
      var varied = LayoutInput(counts: [60, 0, 40])
      sampling.fillValues(&varied)
      let inset = ([LayoutInput(), varied] + limits).map { sample in
        sample.with {
          $0.bounds = Size(width: 240, height: 240)
          $0.contentInsets = Insets(top: 83, left: 101, bottom: 0, right: 0)
        }
      }
      return SampleSet.usual.samples(&sampling, level) + limits + inset
    }, examine: restingOffsetRests),
  ConformanceCase(
    "extensions-target-exists", .extensions,
    rule: "A dragged item goes to a place that exists, the same as in a new layout, wherever it is",
    why: "Programs move the item to that place in their data, and crash if there is none",
    remedy:
      "Return a place below the section's item count; in another section than the item's, the "
      + "count itself is the place behind its last item",
    needs: .extension(.reordering, named: "tessera.reordering"), samples: .usualAndEmpty,
    owns: [.targetOutOfRange], examine: targetExists),
  ConformanceCase(
    "extensions-measured-sizes-are-values", .extensions,
    rule: "A layout of measured items equals one whose item values are the measured sizes",
    why: "Items would move again when a program saves their sizes and supplies them itself",
    remedy:
      "Return estimates and proposals of 0 or more for any bounds, none (a `count` of 0) where parameters "
      + "turn measuring off, and place elements only by the values that `measured` names",
    needs: .extension(.sizing, named: "tessera.sizing"),
    samples: .fixed(
      [8, 0].map { width in LayoutInput(counts: [3, 0, 5]).with { $0.bounds.width = width } })
      + .usual, owns: [.invalidSizing], examine: measuredSizesAreValues),
  ConformanceCase(
    "extensions-estimates-of-each-element", .extensions,
    rule:
      "The estimate and the proposal of an element depend neither on measured sizes nor on the run in which "
      + "they are asked for",
    why: "Each measurement would change the others, so that elements move again and again",
    remedy:
      "Calculate estimates and proposals from parameters, bounds and other values, never from the values "
      + "that `measured` names; sizes[0] belongs to the first item of the run, not of the section",
    needs: CaseNeed.extension(.sizing, named: "tessera.sizing").and(.process),
    // Parameters may turn measuring on.
    samples: (.few + .everyParameter).changed { $1.fillValues(&$0) }
  ) { trial in
    let engine = try trial.engine
    let others = [7.25, 1234.5].map { size in
      trial.sample.with { sample in
        for value in engine.chain.first(where: { !$0.measured.isEmpty })?.values ?? [] {
          guard engine.measures(value), let size = value.type.filled(with: size) else { continue }
          sample[value] = .constant(size)
        }
      }
    }
    try trial.requireNoProblem(
      .estimates, with: others, expected: "the same for any sizes and runs")
  },
  ConformanceCase(
    "extensions-host-may-lack", .extensions,
    rule: "Under a host without extensions, nothing crashes, and the layout is the same",
    why: "Hosts differ in what they offer, and an extension is never certain",
    remedy:
      "Compare what host->extension returns with null before using it, and keep it in the layout that "
      + "asked for it", needs: .process, samples: .counts([20], [3, 0, 5]),
    examine: noProblem(.bare, expected: "the layout under a host with extensions")),
]

extension SampleSet {
  fileprivate static let usualAndEmpty = SampleSet { sampling, level in
    var empty = LayoutInput(counts: [3, 0, 5])
    empty.bounds = .zero
    return [empty, sampling.withoutLengths()] + usual.samples(&sampling, level)
  }
}

@Sendable private func restingOffsetIsSound(_ trial: Trial) throws {
  let content = try trial.contentSize()
  var questions: [(Point, Point)] = [
    (.zero, .zero), (Point(x: -1e4, y: -1e4), Point(x: -3000, y: -3000)),
    (Point(x: content.width + 1e4, y: content.height + 1e4), Point(x: 3000, y: 3000)),
    (Point(x: content.width, y: content.height), .zero), (Point(x: 1e12, y: -1e12), .zero),
  ]
  for _ in 0..<8 {
    let place = trial.random.point(around: content, within: 100)
    questions.append((place, trial.random.point(around: .zero, within: 2000)))
  }
  try trial.requireSameAnswers(questions.count) { session, index throws(HostError) in
    let (offset, velocity) = questions[index]
    let place = try session.restingOffset(for: offset, velocity: velocity)
    return "scrolling to \(Value.point(offset)) stops at \(Value.point(place))"
  }
}

@Sendable private func restingOffsetRests(_ trial: Trial) throws {
  let content = try trial.contentSize()
  let session = try trial.freshSession(for: trial.sample)
  let (bounds, insets) = (trial.sample.bounds, trial.sample.contentInsets)
  let last = Point(
    x: content.width + insets.right - bounds.width,
    y: content.height + insets.bottom - bounds.height)
  func isWithin(_ offset: Point) -> Bool {
    func isWithin(_ place: Double, _ first: Double, _ last: Double) -> Bool {
      last <= first || place > first + 1e-6 && place < last - 1e-6
    }
    return isWithin(offset.x, -insets.left, last.x) && isWithin(offset.y, -insets.top, last.y)
  }
  for share in [0.15, 0.4, 0.5, 0.77, 0.9] where trial.hasTime {
    let proposed = Point(
      x: last.x > -insets.left ? max(0, last.x) * share : -insets.left,
      y: last.y > -insets.top ? max(0, last.y) * share : -insets.top)
    let rest = try session.restingOffset(for: proposed, velocity: Point(x: 300, y: 300))
    guard isWithin(rest) else { continue }
    session.offset = rest
    let again = try session.restingOffset(for: rest, velocity: .zero)
    // Sums of lengths may round differently.
    let slack = 1e-6 * max(1, rest.x.magnitude, rest.y.magnitude)
    try trial.require(
      (again.x - rest.x).magnitude <= slack && (again.y - rest.y).magnitude <= slack,
      expected: "a scroll at rest at \(Value.point(rest)) that stays there",
      found: "it moves to \(Value.point(again))")
  }
}

@Sendable private func targetExists(_ trial: Trial) throws {
  let items = trial.sample.paths
  guard !items.isEmpty else { return }
  let content = try trial.contentSize()
  var questions = [
    (items[0], Point(x: -50, y: -50)), (items[0], Point(x: content.width, y: content.height)),
    (items[items.count - 1], Point(x: content.width + 50, y: content.height + 50)),
    (items[items.count - 1], .zero),
  ]
  for _ in 0..<8 {
    let item = trial.random.pick(items)
    questions.append((item, trial.random.point(around: content, within: 20)))
  }
  try trial.requireSameAnswers(questions.count) { session, index throws(HostError) in
    let (item, point) = questions[index]
    let target = try session.reorderingTarget(for: item, at: point)
    return
      "item \(item.item) of section \(item.section), dropped at \(Value.point(point)), goes to "
      + "item \(target.item) of section \(target.section)"
  }
  let session = try trial.freshSession(for: trial.sample)
  try session.beginReordering(items[items.count / 2])
  for (_, point) in questions.prefix(6) { _ = try session.drag(to: point) }
  try session.cancelReordering()
  try trial.requireSame(LayoutImage(session), as: trial.image(), "as before the item was dragged")
}

extension Trial {
  /// Throws if an answer depends on earlier calls or layouts.
  fileprivate func requireSameAnswers(
    _ count: Int, _ answer: (Session, Int) throws(HostError) -> String
  ) throws {
    let new = try freshSession(for: sample)
    var expected: [String] = []
    for index in 0..<count { expected.append(try answer(new, index)) }
    let changed = try freshSession(for: companion)
    var sessions = [try freshSession(for: sample)]
    if try isLaidOut(changed) {
      _ = try? changed.restingOffset(for: .zero)
      try change(changed, to: sample)
      sessions.append(changed)
    }
    for session in sessions {
      for index in (0..<count).reversed() {
        let found = try answer(session, index)
        try require(
          found == expected[index], expected: "\(expected[index]), as in a new layout",
          found: found)
        if index % 4 == 0 { _ = try session.elements(in: session.visibleRect) }
      }
    }
  }
}

@Sendable private func measuredSizesAreValues(_ trial: Trial) throws {
  let session = try trial.freshSession(for: trial.sample)
  let wideness = trial.random.number(in: 0.3...1)
  nonisolated(unsafe) var sizes: [ItemPath: Size] = [:]
  nonisolated(unsafe) var proposals: [ItemPath: Size] = [:]
  session.measure = { section, item, proposed throws(HostError) in
    let height = 12 + Double((item * 7 + section * 3) % 11) * 6.5
    let size = Size(
      width: proposed.width > 0 ? (proposed.width * wideness * 4).rounded() / 4 : 60.5,
      height: proposed.height > 0 ? min(proposed.height, height) : height)
    sizes[ItemPath(section: section, item: item)] = size
    proposals[ItemPath(section: section, item: item)] = proposed
    return size
  }
  nonisolated(unsafe) var supplementary: [String: [Int: Size]] = [:]
  session.measureSupplementary = { kind, section, proposed throws(HostError) in
    let size = Size(
      width: proposed.width > 0 ? proposed.width : 40, height: 10 + Double(section % 5) * 3.5)
    supplementary[kind, default: [:]][section] = size
    return size
  }
  defer { (session.measure, session.measureSupplementary) = (nil, nil) }
  _ = try session.visibleElements()
  // Finding every cell measures every item.
  _ = try session.elements(in: Rect(x: -1e7, y: -1e7, width: 2e7, height: 2e7))
  let found = try LayoutImage(session)
  // Measuring lazily must give the same layout as measuring at once.
  let other = try trial.freshSession(for: trial.sample)
  other.measure = session.measure
  other.measureSupplementary = session.measureSupplementary
  defer { (other.measure, other.measureSupplementary) = (nil, nil) }
  for share in [0.6, 0, 1, 0.3] {
    other.offset = Point(x: 0, y: max(0, try other.contentSize().height) * share)
    _ = try other.visibleElements()
  }
  _ = try other.elements(in: Rect(x: -1e7, y: -1e7, width: 2e7, height: 2e7))
  var scrolled = try LayoutImage(other)
  scrolled.viewport = found.viewport
  if try !trial.engine.traits.contains(.viewport) {
    try trial.requireSame(scrolled, as: found, "however elements came into sight to be measured")
  }
  guard sizes.count == trial.sample.itemCount, !sizes.isEmpty,
    let value = try trial.engine.measured(nil)
  else { return }
  // If only a height is measured, the width is the one proposed.
  let slack = 1 / trial.sample.scale + 1e-6
  for element in found.elements where value.type == .number && element.identity.category == .cell {
    let path = ItemPath(section: element.identity.section, item: element.identity.item)
    guard let proposed = proposals[path]?.width, proposed > 0 else { continue }
    try trial.require(
      (element.frame.width - proposed).magnitude <= slack,
      expected:
        "\(element.identity) with the width \(proposed.shortText), for which it was measured",
      found: element.frame.width.shortText)
  }
  func measured(_ value: ValueDescription, _ size: Size?) -> Value {
    value.type == .number ? .number(size?.height ?? 0) : .size(size ?? .zero)
  }
  var given = trial.sample
  given.itemValues[value.name] = ValueColumn(
    trial.sample.paths.map { measured(value, sizes[$0]) }, type: value.type)
  for (kind, sizes) in supplementary {
    guard sizes.count == trial.sample.counts.count, let value = try trial.engine.measured(kind)
    else { return }
    given.sectionValues[value.name] = ValueColumn(
      trial.sample.counts.indices.map { measured(value, sizes[$0]) }, type: value.type)
  }
  given.offset = session.offset
  let expected = try LayoutImage(trial.freshSession(for: given))
  try trial.requireSame(found, as: expected, "with \(value.name) as item values")
}

extension Engine {
  fileprivate func measures(_ value: ValueDescription) -> Bool {
    chain.first { !$0.measured.isEmpty }?.measured.contains {
      $0.value == value.name && ($0.kind == nil) == (value.scope == .item)
    } ?? false
  }

  /// The value that measuring supplies for a kind, or for cells (nil).
  fileprivate func measured(_ kind: String?) -> ValueDescription? {
    guard let layer = chain.first(where: { !$0.measured.isEmpty }),
      let name = layer.measured.first(where: { $0.kind == kind })?.value
    else { return nil }
    return (kind == nil ? layer.itemValues : layer.sectionValues).first { $0.name == name }
  }
}
