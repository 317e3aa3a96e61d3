import TesseraGeometry
import TesseraHost

/// What engines promise beyond what every layout must keep.
let lawCases: [ConformanceCase] = [
  ConformanceCase(
    "laws-first-items-flow", .laws,
    rule: "The cells of the first half of the items lie where they would without the other half",
    why: "Whoever appends items relies on it that nothing moves which is on the screen",
    remedy: "Let no cell depend on how many come after it, or take the trait away",
    needs: .trait(.flows), samples: .leftToRight
  ) { trial in
    let half = trial.sample.itemCount / 2
    var expected = try trial.image()
    var found = try LayoutImage(trial.freshSession(for: trial.sample.prefix(items: half)))
    expected.elements = Array(
      expected.elements.filter { $0.identity.category == .cell }.prefix(half))
    found.elements = found.elements.filter { $0.identity.category == .cell }
    // How far the content reaches does depend on all items.
    found.contentSize = expected.contentSize
    try trial.requireSame(
      found, as: expected, "the first \(half) cells of all \(trial.sample.itemCount)")
  },
  ConformanceCase(
    "laws-empty-section-appends", .laws,
    rule: "An empty section more at the end moves nothing that is there without it",
    why: "Sections are often made before their items are known",
    remedy: "Let no element depend on how many sections come after it, or take the trait away",
    needs: .trait(.appends), samples: .leftToRight
  ) { trial in
    var expected = try trial.image()
    let count = trial.sample.counts.count
    let longer = trial.sample.with(counts: trial.sample.counts + [0])
    var found = try LayoutImage(trial.freshSession(for: longer))
    // What the new section has of its own may be anywhere behind.
    found.elements = found.elements.filter { $0.identity.section < count }
    expected.contentSize = found.contentSize
    try trial.requireSame(found, as: expected, "as without the empty section \(count)")
  },
  ConformanceCase(
    "laws-scale-only-rounds", .laws,
    rule: "Every edge lies less than a pixel from where it lies on the finest display",
    why: "One layout for all displays is only possible where the display decides nothing else",
    remedy: "Add up without rounding, and round what comes out; or take the trait away",
    needs: .trait(.scales), samples: .usual, examine: scaleOnlyRounds),
  ConformanceCase(
    "laws-mirrored-twice-is-nothing", .laws,
    rule: "A layout that is turned to the other direction and back is as it was",
    why: "Texts of both directions are read in one view, one after the other",
    remedy: "Keep nothing of the direction from prepare to prepare; better, ignore it",
    needs: .trait(.mirrors), samples: .usual
  ) { trial in
    let expected = try trial.image()
    let session = try trial.session()
    let direction = session.direction
    session.direction = direction == .leftToRight ? .rightToLeft : .leftToRight
    _ = try session.elements()
    session.direction = direction
    try trial.requireSame(LayoutImage(session), as: expected, "as before it was turned")
  },
]

/// The finest scale that a session takes.
private let finest = 1000.0

@Sendable private func scaleOnlyRounds(_ trial: Trial) throws {
  let coarse = try trial.image()
  var fine = trial.sample
  fine.scale = finest
  let expected = try LayoutImage(trial.freshSession(for: fine))
  let pixel = 1 / trial.sample.scale
  for (found, wanted) in zip(coarse.elements, expected.elements) {
    let isNear = zip(found.frame.edges, wanted.frame.edges).allSatisfy { found, wanted in
      (found - wanted).magnitude < pixel + 1e-9 * max(1, wanted.magnitude)
    }
    guard found.identity != wanted.identity || !isNear else { continue }
    throw Violation(
      expected: "\(wanted.identity.text) less than \(pixel.shortText) from \(wanted.frame.text), "
        + "where it is at the scale \(finest.shortText)",
      found: "\(found.identity.text) at \(found.frame.text)",
      pictures: Violation.Pictures(expected: expected, found: coarse))
  }
  try trial.require(
    coarse.elements.count == expected.elements.count,
    expected: "\(expected.elements.count) elements, as at the scale \(finest.shortText)",
    found: "\(coarse.elements.count)")
}

extension SampleSet {
  /// The usual samples, all read from left to right: from right to left the first items lie at the
  /// far end of the content, wherever that is.
  fileprivate static let leftToRight = usual { sample, _ in sample.direction = .leftToRight }
}

extension Rect {
  /// Left, top, right, bottom.
  fileprivate var edges: [Double] { [minX, minY, maxX, maxY] }
}
