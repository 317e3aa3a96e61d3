import TesseraGeometry
import TesseraHost

/// Where elements are, and how they look there.
let geometryCases: [ConformanceCase] = [
  ConformanceCase(
    "geometry-frames-finite", .geometry,
    rule: "Every number of every frame is finite",
    why: "One NaN in a frame makes comparisons false, and views and searches go wrong silently",
    remedy: "Write every frame of a run that is added, and divide by nothing that may be 0",
    samples: .usual, owns: { $0.isAboutFrame && $0.hasNoNumber }
  ) { trial in
    for element in try trial.elements() {
      try trial.require(
        element.frame.isFinite, expected: "four finite numbers",
        found: "\(element.identity.text) at \(element.frame.text)")
    }
  },
  ConformanceCase(
    "geometry-sizes-not-negative", .geometry,
    rule: "No frame has a negative width or height",
    why: "A negative size means another rectangle to each who reads it",
    remedy: "Where insets and spacings leave less than nothing, use max(0, …)",
    samples: .usual, owns: { $0.isAboutFrame && !$0.hasNoNumber }
  ) { trial in
    for element in try trial.elements() {
      try trial.require(
        element.frame.width >= 0 && element.frame.height >= 0, expected: "a size of 0 or more",
        found: "\(element.identity.text) at \(element.frame.text)")
    }
  },
  ConformanceCase(
    "geometry-content-size-finite", .geometry,
    rule: "The content size is set in every prepare, finite and not negative",
    why: "Scrolling ends where the content size says",
    remedy: "Call set_content_size in every prepare that succeeds, with 0 where there is nothing",
    samples: .usual, owns: { $0.message.holds("set_content_size", "the content size") }
  ) { trial in
    let size = try trial.contentSize()
    try trial.require(
      size.isFinite && size.width >= 0 && size.height >= 0,
      expected: "finite lengths of 0 or more", found: "\(Value.size(size))")
  },
  ConformanceCase(
    "geometry-alpha-in-range", .geometry,
    rule: "Every alpha is from 0 to 1",
    why: "What lies outside means nothing, and blending with it makes colours of no picture",
    remedy: "Clamp what is calculated to 0...1",
    needs: .column(.alpha), samples: .usual, owns: { $0.message.holds("the alpha ") }
  ) { trial in
    for element in try trial.elements() {
      try trial.require(
        (0...1).contains(element.alpha), expected: "0 to 1",
        found: "alpha \(element.alpha.shortText) of \(element.identity.text)")
    }
  },
  ConformanceCase(
    "geometry-hidden-zero-or-one", .geometry,
    rule: "Every value of the column hidden is 0 or 1",
    why: "Other numbers are true to some who read them and false to others",
    remedy: "Write 0 or 1",
    needs: .column(.hidden), samples: .usual, owns: { $0.message.holds("the hidden value ") }
  ) { trial in _ = try trial.elements() },
  ConformanceCase(
    "geometry-attributes-finite", .geometry,
    rule: "Every value of an attribute is finite, and an enum's one of its choices",
    why: "An animation from or to what is no value never arrives",
    remedy: "Write what the type declares; an enum is an index into the choices",
    needs: .attributes, samples: .usual, owns: { $0.message.holds("a value for ") }
  ) { trial in
    for element in try trial.elements() {
      try trial.require(
        element.attributes.allSatisfy { $0.numbers.allSatisfy(\.isFinite) },
        expected: "finite numbers", found: "\(element.identity.text) with \(element.attributes)")
    }
  },
  ConformanceCase(
    "geometry-transforms-invertible", .geometry,
    rule: "Every transform at rest is finite and has an inverse on the plane",
    why: "A tap cannot be led back through a transform without an inverse",
    remedy: "Hide an element, or leave it out, in place of scaling it to nothing",
    needs: .column(.transform), samples: .usual, owns: { $0.message.holds("a transform that") }
  ) { trial in
    for element in try trial.elements() {
      let transform = element.transform
      try trial.require(
        transform.isFinite && transform.planeDeterminant.magnitude > 1e-9,
        expected: "a transform with an inverse",
        found: "\(element.identity.text) with \(transform.text)")
    }
  },
  ConformanceCase(
    "geometry-items-exactly-once", .geometry,
    rule: "Every item has exactly one cell, and no element is there twice",
    why: "An item without a cell is never seen, one with two is seen twice",
    remedy: "Add for each section one run of cells from its first item to its last",
    samples: .usual, owns: { $0.message.holds(" twice; each element has one row") },
    examine: itemsExactlyOnce),
  ConformanceCase(
    "geometry-indexes-in-range", .geometry,
    rule: "Every element belongs to a section that exists, and every cell to an item of it",
    why: "A host asked for an item that does not exist has nothing to show",
    remedy: "Take sections and items from section_starts, never from an earlier prepare",
    samples: .usual,
    owns: {
      $0.message.holds("elements of section ", "no number reaches", "and cells have the kind")
    }
  ) { trial in
    let counts = trial.sample.counts
    for identity in try trial.elements().map(\.identity) {
      let isKnown =
        counts.indices.contains(identity.section)
        && (identity.category != .cell || identity.item < counts[identity.section])
      try trial.require(
        isKnown, expected: "items of sections of \(counts)", found: identity.text)
    }
  },
  ConformanceCase(
    "geometry-kinds-as-declared", .geometry,
    rule: "Every supplementary and decoration element is of a kind that is declared",
    why: "A host makes views for the kinds that an engine declares, and for no others",
    remedy: "Declare the kind, or use the number of one that is",
    samples: .usual,
    owns: { $0.message.holds(", which it does not declare", "a run of category ") }
  ) { trial in
    let kinds = try trial.engine.kinds
    for identity in try trial.elements().map(\.identity) where identity.category != .cell {
      try trial.require(
        kinds.contains { $0.name == identity.kind && $0.category == identity.category },
        expected: "one of \(kinds.map(\.name).joined(separator: ", "))", found: identity.text)
    }
  },
  ConformanceCase(
    "geometry-content-contains-elements", .geometry,
    rule: "The content size reaches behind every cell and supplementary element",
    why: "What lies behind the end of the content cannot be scrolled to",
    remedy: "Set the content size to the farthest edge of all of them, the last line's too",
    samples: .usual { sample, _ in sample.itemValues = sample.itemValues.filter(\.value.isConstant)
    },
    examine: contentContainsElements),
  ConformanceCase(
    "geometry-origins-on-pixel-grid", .geometry,
    rule: "Origins lie on the pixel grid of the scale",
    why: "Edges between pixels are drawn blurred",
    remedy: "Round origins to floor(v*scale + 0.5)/scale, or take the trait away",
    needs: .trait(.pixelAligned), samples: .usual
  ) { trial in
    let scale = trial.sample.scale
    for element in try trial.elements() {
      let pixels = [element.frame.x * scale, element.frame.y * scale]
      try trial.require(
        pixels.allSatisfy { ($0 - $0.rounded()).magnitude < 1e-6 * max(1, $0.magnitude) },
        expected: "multiples of 1/\(scale.shortText)",
        found: "\(element.identity.text) at \(element.frame.text)")
    }
  },
  ConformanceCase(
    "geometry-same-every-run", .geometry,
    rule: "The same input gives the same layout to the last bit",
    why: "A layout that depends on anything else jumps when it is made again",
    remedy: "Use no clock, no address, no chance and nothing that an earlier layout left",
    samples: .usual
  ) { trial in
    let first = try trial.image()
    let again = try LayoutImage(trial.session())
    try trial.requireSame(again, as: first, "the answer of the first question")
    let other = try LayoutImage(trial.freshSession(for: trial.sample))
    try trial.requireSame(other, as: first, "the layout of the first session")
  },
]

/// Every item has exactly one cell, and no element is there twice.
@Sendable func itemsExactlyOnce(_ trial: Trial) throws {
  let elements = try trial.elements()
  var found = trial.sample.counts.map { Array(repeating: 0, count: $0) }
  var others = Set<ElementIdentity>()
  for place in elements.indices {
    let identity = elements.identity(at: place)
    if identity.category != .cell {
      try trial.require(
        others.insert(identity).inserted, expected: "\(identity.text) once", found: "it twice")
    } else if found.indices.contains(identity.section),
      found[identity.section].indices.contains(identity.item)
    {
      found[identity.section][identity.item] += 1
    }
  }
  for (section, items) in found.enumerated() {
    guard let item = items.firstIndex(where: { $0 != 1 }) else { continue }
    throw Violation(
      expected: "one cell for item \(item) of section \(section)", found: "\(items[item]) of them")
  }
}

/// The content reaches from (0, 0) to behind every cell and supplementary element; nothing is asked
/// on an axis on which an element cannot fit.
///
/// It cannot where it is larger than the extent, and where the content is as long as the extent and
/// the element alone on its line: then insets leave it too little room. Half a pixel is allowed,
/// since origins may be rounded to the display and content sizes not. A negative spacing leads back,
/// before the beginning too where elements are smaller than it.
@Sendable private func contentContainsElements(_ trial: Trial) throws {
  let (content, extent) = (try trial.contentSize(), trial.sample.extent)
  let slack = 0.5 / trial.sample.scale + 1e-6
  let mayLeadBack = try trial.engine.hasNegativeLength(in: trial.sample)
  // Mirrored, the beginning is at the other end.
  let mayLeadOver = mayLeadBack && trial.sample.direction == .rightToLeft
  func holds(_ low: Double, _ length: Double, _ end: Double) -> Bool {
    (low >= -slack || mayLeadBack)
      && (low + length <= end + slack * max(1, end * 1e-9) || mayLeadOver)
  }
  let elements = Array(try trial.elements()).filter { $0.identity.category != .decoration }
  for element in elements {
    let frame = element.frame
    // What sticks is kept behind the beginning, and may then reach over an end that was led back.
    if mayLeadBack && element.identity.category == .supplementary { continue }
    // A header that sticks lies over cells, and is none of their line.
    let others = elements.lazy.filter {
      $0.identity.category == element.identity.category && $0.identity != element.identity
    }.map(\.frame)
    let fitsAcross =
      holds(frame.x, frame.width, content.width) || frame.width > extent.width
      || content.width == extent.width
        && !others.contains { $0.minY < frame.maxY && $0.maxY > frame.minY }
    let fitsDown =
      holds(frame.y, frame.height, content.height) || frame.height > extent.height
      || content.height == extent.height
        && !others.contains { $0.minX < frame.maxX && $0.maxX > frame.minX }
    guard !fitsAcross || !fitsDown else { continue }
    let found = try trial.image()
    var expected = found
    expected.contentSize = Size(
      width: max(content.width, frame.maxX), height: max(content.height, frame.maxY))
    throw Violation(
      expected: "\(element.identity.text) within the content size \(Value.size(content))",
      found: "it at \(frame.text)",
      pictures: Violation.Pictures(expected: expected, found: found))
  }
}

extension SampleColumn {
  /// Whether it is one value for all.
  ///
  /// An engine may give each item of a line the same share of it; a large one among small ones then
  /// hangs over, and no content size can change that.
  fileprivate var isConstant: Bool { if case .constant = self { true } else { false } }
}

extension Transform {
  /// What the transform makes of an area of 1 on the plane, before perspective: 0 where all of the
  /// plane falls on a line.
  fileprivate var planeDeterminant: Double {
    m11 * (m22 * m44 - m24 * m42) - m12 * (m21 * m44 - m24 * m41) + m14 * (m21 * m42 - m22 * m41)
  }
}

extension HostError {
  /// Whether the host found a frame that is none.
  fileprivate var isAboutFrame: Bool { message.holds(" the frame ") && kind == .brokenContract }
  /// Whether what it found holds a NaN or an infinity.
  fileprivate var hasNoNumber: Bool { message.holds("nan", "inf,", "inf;", "-inf") }
}

extension String {
  /// Whether the text holds any of some texts.
  func holds(_ texts: String...) -> Bool { texts.contains { contains($0) } }
}
