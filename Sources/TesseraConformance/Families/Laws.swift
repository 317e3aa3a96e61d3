import TesseraGeometry
import TesseraHost

let lawCases: [ConformanceCase] = [
  ConformanceCase(
    "laws-first-items-flow", .laws,
    rule: "Removing the second half of the items does not move the cells of the first half",
    why: "A program that appends items expects that nothing on the screen moves",
    remedy: "Place each cell independently of the items after it, or remove the law",
    needs: .law(.flows), samples: .leftToRight + .counts([130], [70, 0, 90])
  ) { trial in
    let half = trial.sample.itemCount / 2
    var expected = try trial.image()
    var found = try LayoutImage(trial.freshSession(for: trial.sample.prefix(items: half)))
    expected.elements = Array(
      expected.elements.filter { $0.identity.category == .cell }.prefix(half))
    found.elements = found.elements.filter { $0.identity.category == .cell }
    found.contentSize = expected.contentSize
    try trial.requireSame(
      found, as: expected, "first \(half) cells as among all \(trial.sample.itemCount)")
  },
  ConformanceCase(
    "laws-empty-section-appends", .laws,
    rule: "Adding an empty section at the end moves no existing element",
    why: "Programs often create sections before their items are known",
    remedy: "Place each element independently of the sections after it, or remove the law",
    needs: .law(.appends), samples: .leftToRight
  ) { trial in
    var expected = try trial.image()
    let count = trial.sample.counts.count
    let longer = trial.sample.with(counts: trial.sample.counts + [0])
    var found = try LayoutImage(trial.freshSession(for: longer))
    // Headers of the new section may be anywhere after the others.
    found.elements = found.elements.filter { $0.identity.section < count }
    expected.contentSize = found.contentSize
    try trial.requireSame(found, as: expected, "as without the empty section \(count)")
  },
  ConformanceCase(
    "laws-scale-only-rounds", .laws,
    rule: "Every edge is less than a pixel from its position at the highest scale",
    why: "A program may share one layout between displays if only the rounding differs",
    remedy: "Calculate without rounding, and round only the results; or remove the law",
    needs: .law(.scales),
    samples: .usual.changed { sample, sampling in
      // A mirrored edge moves with the content's width, which the engine may round.
      if sampling.engine.traits.contains(.mirrors) { sample.direction = .leftToRight }
    }, examine: scaleOnlyRounds),
  ConformanceCase(
    "laws-mirrored-twice-is-nothing", .laws,
    rule: "After changing to the other direction and back, the layout is as it was",
    why: "A view may show content of both directions, one after the other",
    remedy: "Keep nothing about the direction between prepares; better, ignore the direction",
    needs: .trait(.mirrors), samples: .usual
  ) { trial in
    // An earlier layout of the process may have had the other direction.
    let session = try trial.untouchedSession()
    let expected = try LayoutImage(session)
    let direction = session.direction
    session.direction = direction == .leftToRight ? .rightToLeft : .leftToRight
    _ = try session.elements()
    session.direction = direction
    try trial.requireSame(LayoutImage(session), as: expected, "as before the direction changed")
  },
]

private let finest = 1000.0

@Sendable private func scaleOnlyRounds(_ trial: Trial) throws {
  let coarse = try trial.image()
  let fine = trial.sample.with { $0.scale = finest }
  let expected = try LayoutImage(trial.freshSession(for: fine))
  let pixel = 1 / trial.sample.scale
  for (found, wanted) in zip(coarse.elements, expected.elements) {
    let isNear = zip(found.frame.edges, wanted.frame.edges).allSatisfy { found, wanted in
      (found - wanted).magnitude < pixel + 1e-9 * max(1, wanted.magnitude)
    }
    guard found.identity != wanted.identity || !isNear else { continue }
    throw Violation(
      expected: "\(wanted.identity) less than \(pixel.shortText) from \(wanted.frame.text), "
        + "its frame at the scale \(finest.shortText)",
      found: "\(found.identity) at \(found.frame.text)",
      pictures: (expected: expected, found: coarse))
  }
  try trial.require(
    coarse.elements.count == expected.elements.count,
    expected: "\(expected.elements.count) elements, as at the scale \(finest.shortText)",
    found: "\(coarse.elements.count)")
}

extension SampleSet {
  /// The usual samples, left to right: right to left, the first items move as the content grows.
  static let leftToRight = usual.changed { sample, _ in sample.direction = .leftToRight }
}

extension Rect {
  fileprivate var edges: [Double] { [minX, minY, maxX, maxY] }
}
