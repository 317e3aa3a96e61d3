import TesseraHost

let countCases: [ConformanceCase] = [
  counts("counts-zero", "No items at all", [[0], []]), counts("counts-one", "One item", [[1]]),
  counts("counts-two", "Two items", [[2], [1, 1]]),
  counts("counts-three", "Three items", [[3], [1, 2], [1, 1, 1]]),
  counts("counts-ten", "Ten items", [[10], [4, 6]]),
  counts("counts-thousand", "A thousand items", [[1000], [400, 600]]),
  counts("counts-hundred-thousand", "A hundred thousand items", [[100_000]], .standard),
  counts("counts-first-section-empty", "An empty first section", [[0, 5], [0, 0, 3, 4]]),
  counts(
    "counts-middle-section-empty", "An empty section between others", [[5, 0, 4], [2, 0, 0, 7]]),
  counts("counts-last-section-empty", "An empty last section", [[5, 0], [3, 4, 0, 0]]),
  counts("counts-all-sections-empty", "Only empty sections", [[0, 0], [0, 0, 0, 0, 0]]),
  counts(
    "counts-many-sections-of-one", "Many sections of one item each",
    [Array(repeating: 1, count: 300)]),
  counts(
    "counts-end-of-a-byte", "Items and sections around 256",
    [[255], [256], [257], Array(repeating: 1, count: 255), Array(repeating: 1, count: 257)]),
  counts(
    "counts-end-of-two-bytes", "Items and sections around 65536",
    [[65_535], [65_536], [65_537, 3], Array(repeating: 1, count: 65_537)], .standard),
  counts(
    "counts-million-empty-sections", "A million empty sections",
    [Array(repeating: 0, count: 1_000_000) + [3]], .thorough),
  ConformanceCase(
    "counts-change-equals-fresh", .counts,
    rule: "After the item counts change, the layout equals a new one",
    why: "Data changes while it is on the screen",
    remedy: "Read the counts in every prepare, and forget the rows of removed items",
    samples: .usual
  ) { trial in
    let expected = try LayoutImage(trial.freshSession(for: trial.sample))
    var plain = trial.sample
    (plain.sectionValues, plain.itemValues) = ([:], [:])
    plain.counts = [60, 7]
    let session = try trial.session()
    for counts in [plain.counts, [0], [1], [100], [2, 9, 0, 4], Array(repeating: 1, count: 12)] {
      plain.counts = counts
      try trial.change(session, to: plain)
      guard try trial.isLaidOut(session) else { continue }
      try trial.change(session, to: trial.sample)
      try trial.requireSame(
        LayoutImage(session), as: expected, "as a new layout, after sections of \(counts) items",
        remedy: trial.remedyOfKeeping())
    }
  },
  ConformanceCase(
    "counts-cells-lie-apart", .counts,
    rule:
      "Cells that lie apart among few items of one section lie apart among many, and in several",
    why: "A number that wraps at 256 or 65536, or begins again in each section, hides items",
    remedy:
      "Count items and lines in 64 bits, and begin each section after the end of the one before it",
    samples: SampleSet { _, level in
      let many = [[300], [1000]] + (level == .quick ? [] : [[70_000]])
      return many.map { LayoutInput(counts: $0) }
        + ([2, 2.625] + (level == .quick ? [] : [1.25, 1.5])).flatMap { scale in
          [[7, 7], [4, 0, 5, 3]].map { counts in
            LayoutInput(counts: counts).with { $0.scale = scale }
          }
        }
    }, examine: cellsLieApart),
]

/// `counts` is evaluated only when the case runs: a million counts take 8 MB.
private func counts(
  _ id: String, _ text: String, _ counts: @autoclosure @escaping @Sendable () -> [[Int]],
  _ level: CaseLevel = .quick
) -> ConformanceCase {
  ConformanceCase(
    id, .counts, level,
    rule:
      "\(text) produce\(text.hasSuffix("s") || text.contains("items") ? "" : "s") a layout with "
      + "a cell for each item",
    why: "Collections start empty and grow beyond the sizes that anybody tried",
    remedy: "Handle an empty section and a last line that is not full like any other",
    samples: SampleSet { _, _ in counts().map { LayoutInput(counts: $0) } },
    examine: laidOutWithEveryItem)
}

/// Allows overlaps that also occur with fewer items or one section.
@Sendable private func cellsLieApart(_ trial: Trial) throws {
  let sample = trial.sample
  var fewer = sample
  let count = sample.itemCount
  fewer.counts = [sample.counts.count > 1 ? count : count > 10_000 ? 1000 : 200]
  let session = try trial.freshSession(for: fewer)
  let (before, found) = (try session.elements(), try trial.elements())
  if sample.counts.count > 1 {
    // Without these laws, sections may overlap.
    let follow = try !trial.engine.laws.isDisjoint(with: [.flows, .appends])
    guard try before.overlap(trial) == nil, let (one, other) = try found.overlap(trial),
      follow || found.coincidence != nil
    else { return }
    throw Violation(
      expected: "\(one.identity) at \(one.frame.text) and \(other.identity) apart, as among "
        + "\(count) items of one section", found: "\(other.identity) at \(other.frame.text)",
      isWarning: !follow)
  }
  // In content of fixed size, cells shrink until rounding makes them coincide.
  let growth = Double(count) / Double(fewer.itemCount)
  let (small, large) = (try session.contentSize(), try trial.contentSize())
  guard large.width * large.height >= small.width * small.height * growth / 2,
    before.coincidence == nil, let (one, other) = found.coincidence
  else { return }
  throw Violation(
    expected: "\(one) and \(other.identity) with different frames, as all among "
      + "\(fewer.itemCount) items", found: "both at \(other.frame.text)")
}

extension Elements {
  fileprivate var coincidence: (ElementIdentity, Element)? {
    var known: [Rect: Int] = [:]
    for place in indices where identity(at: place).category == .cell {
      let frame = frame(at: place)
      guard frame.width > 0, frame.height > 0 else { continue }
      if let other = known.updateValue(place, forKey: frame) {
        return (identity(at: other), self[place])
      }
    }
    return nil
  }

  fileprivate func overlap(_ trial: Trial) throws -> (Element, Element)? {
    let areStill = try !trial.engine.traits.contains(.viewport)
    let shown = filter { element in
      element.identity.category == .cell || element.identity.category == .supplementary && areStill
    }
    let slack = 1 / trial.sample.scale + 1e-6
    for (place, one) in shown.enumerated() {
      for other in shown[(place + 1)...]
      where one.identity.category == .cell || other.identity.category == .cell {
        let across =
          Swift.min(one.frame.maxX, other.frame.maxX) - Swift.max(one.frame.minX, other.frame.minX)
        let down =
          Swift.min(one.frame.maxY, other.frame.maxY) - Swift.max(one.frame.minY, other.frame.minY)
        if across > slack, down > slack { return (one, other) }
      }
    }
    return nil
  }
}
