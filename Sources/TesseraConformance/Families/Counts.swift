import TesseraHost

/// Cases about item counts: few items, many items and empty sections.
let countCases: [ConformanceCase] = [
  counts("counts-zero", "No items at all", [[0], []]),
  counts("counts-one", "One item", [[1]]),
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
        LayoutImage(session), as: expected, "as a new layout, after sections of \(counts) items")
    }
  },
]

private func counts(
  _ id: String, _ text: String, _ counts: [[Int]], _ level: CaseLevel = .quick
) -> ConformanceCase {
  ConformanceCase(
    id, .counts, level,
    rule:
      "\(text) produce\(text.hasSuffix("s") || text.contains("items") ? "" : "s") a layout with "
      + "a cell for each item",
    why: "Collections start empty and grow beyond the sizes that anybody tried",
    remedy: "Handle an empty section and a last line that is not full like any other",
    samples: .fixed(counts.map { Sample(counts: $0) })
  ) { trial in
    try trial.requireLayout()
    try itemsExactlyOnce(trial)
  }
}
