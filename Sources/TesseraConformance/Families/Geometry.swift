import TesseraGeometry
import TesseraHost

let geometryCases: [ConformanceCase] = [
  ConformanceCase(
    "geometry-frames-finite", .geometry,
    rule: "Every number of every frame is finite",
    why: "Comparisons with NaN are false, so views and searches fail without an error",
    remedy: "Write every frame of each run that you add, and never divide by a value that may be 0",
    samples: .usual, owns: [.frameNotFinite], examine: hostAcceptsElements),
  ConformanceCase(
    "geometry-sizes-not-negative", .geometry,
    rule: "No frame has a negative width or height",
    why: "Programs interpret a negative size in different ways",
    remedy:
      "Use max(0, …) where insets and spacings may leave less than nothing, and exchange the edges where either may "
      + "come first", samples: .usual, owns: [.frameNegative], examine: hostAcceptsElements),
  ConformanceCase(
    "geometry-content-size-finite", .geometry,
    rule: "Every prepare sets a finite content size that is not negative",
    why: "The content size determines how far users can scroll",
    remedy:
      "Call set_content_size in every prepare that succeeds, with 0 for an empty layout; a size without "
      + "limits comes from a division by 0 or a minimum that nothing lowered, a negative one from spacing that "
      + "was taken away without having been added",
    samples: .usual, owns: [.invalidContentSize], examine: { _ = try $0.contentSize() }),
  ConformanceCase(
    "geometry-alpha-in-range", .geometry,
    rule: "Every alpha is between 0 and 1",
    why: "Other values have no meaning, and blending with them produces wrong colours",
    remedy: "Clamp calculated values to 0...1",
    needs: .column(.alpha), samples: .usual, owns: [.invalidAlpha],
    examine: hostAcceptsElements),
  ConformanceCase(
    "geometry-hidden-zero-or-one", .geometry,
    rule: "Every value of the column hidden is 0 or 1",
    why: "Some programs treat other numbers as true, others as false",
    remedy: "Write 0 or 1",
    needs: .column(.hidden), samples: .usual, owns: [.invalidHidden],
    examine: hostAcceptsElements),
  ConformanceCase(
    "geometry-attributes-finite", .geometry,
    rule: "Every attribute value is finite, and every enum value is a declared choice",
    why: "An animation cannot start or end at an invalid value",
    remedy: "Write values of the declared type; an enum value is an index into the choices",
    needs: .attributes, samples: .usual, owns: [.invalidAttribute], examine: hostAcceptsElements),
  ConformanceCase(
    "geometry-transforms-invertible", .geometry,
    rule: "Every transform is finite and invertible in the plane, except during an animation",
    why: "A tap cannot be mapped back through a transform without an inverse",
    remedy: "Hide or omit an element instead of scaling it to zero",
    needs: .column(.transform), samples: .usual + .limits, owns: [.invalidTransform]
  ) { trial in
    for element in try trial.elements() {
      let transform = element.transform
      try trial.require(
        transform.isFinite && transform.planeDeterminant.magnitude > 1e-9,
        expected: "an invertible transform", found: "\(element.identity) with \(transform.text)")
    }
  },
  ConformanceCase(
    "geometry-items-exactly-once", .geometry,
    rule: "Every item has exactly one cell, and no element occurs twice",
    why: "An item without a cell is invisible, and an item with two cells is shown twice",
    remedy:
      "For each section, add one run of cells from its first item to its last, and every other element "
      + "once", samples: .usual, owns: [.elementTwice], examine: itemsExactlyOnce),
  ConformanceCase(
    "geometry-indexes-in-range", .geometry,
    rule: "Every element belongs to an existing section, and every cell to an existing item",
    why: "A program has no content for an item that does not exist",
    remedy: "Read sections and items from section_starts, never from an earlier prepare",
    samples: .usual, owns: [.elementOutOfRange], examine: hostAcceptsElements),
  ConformanceCase(
    "geometry-kinds-as-declared", .geometry,
    rule:
      "Every supplementary and decoration element has a declared kind, and what is reserved in a run is "
      + "0",
    why:
      "A program creates views only for the kinds that an engine declares, and a later version may give "
      + "reserved members a meaning",
    remedy:
      "Declare the kind, or use the number of a declared one; initialize the whole tessera_run",
    samples: .usual, owns: [.undeclaredKind, .invalidRun], examine: hostAcceptsElements),
  ConformanceCase(
    "geometry-content-contains-elements", .geometry,
    rule:
      "Every cell and supplementary element lies between the content's origin 0,0 and its size",
    why: "Users cannot scroll to an element beyond the end of the content or before its origin",
    remedy:
      "Set the content size to the farthest edge of all elements, including the last line, or limit an element "
      + "to its room; place none left of or above 0,0, the corner inside the content insets",
    samples: SampleSet { sampling, level in
      SampleSet.usual.samples(&sampling, level) + sampling.tight() + sampling.emptyAtTheEnd()
    }, examine: contentContainsElements),
  ConformanceCase(
    "geometry-origins-on-pixel-grid", .geometry,
    rule: "Every origin lies on the pixel grid of the scale",
    why: "Edges between pixels are drawn blurred",
    remedy: "Round origins to floor(v*scale + 0.5)/scale, or remove the trait",
    needs: .trait(.pixelAligned), samples: .usual
  ) { trial in
    let scale = trial.sample.scale
    let isMirrored =
      try trial.sample.direction == .rightToLeft && trial.engine.traits.contains(.mirrors)
    for element in try trial.elements() {
      let pixels = [element.frame.x * scale, element.frame.y * scale]
      guard pixels.contains(where: { ($0 - $0.rounded()).magnitude > 1e-6 * max(1, $0.magnitude) })
      else { continue }
      var violation = Violation(
        expected: "multiples of 1/\(scale.shortText)",
        found: "\(element.identity) at \(element.frame.text)")
      if try trial.followsViewport(element, across: true, down: true) {
        violation.remedy =
          "Round what adjust adds from the scroll offset and the insets to the pixel grid, too"
      } else if isMirrored {
        let width = try trial.session().contentSize().width
        violation.found += ", mirrored in content that is \(width.shortText) wide"
        violation.remedy =
          "Place right edges whole pixels away from the right edge of the content, for example by rounding "
          + "its width: the host mirrors a layout with the trait \"mirrors\""
      }
      throw violation
    }
  },
  ConformanceCase(
    "geometry-same-every-run", .geometry,
    rule: "The same input always produces exactly the same layout",
    why: "A layout that depends on anything else jumps when it is prepared again",
    remedy: "Do not use clocks, addresses, random numbers or the state of earlier layouts",
    samples: .usual
  ) { trial in
    let first = try trial.image()
    let again = try LayoutImage(trial.session())
    try trial.requireSame(again, as: first, "as in the first answer")
    let other = try LayoutImage(trial.freshSession(for: trial.sample))
    try trial.requireSame(other, as: first, "as in the first session")
  },
]

/// Copying the elements makes the host check them; this case owns its error.
@Sendable private func hostAcceptsElements(_ trial: Trial) throws { _ = try trial.elements() }

@Sendable func itemsExactlyOnce(_ trial: Trial) throws {
  let elements = try trial.elements()
  var found = trial.sample.counts.map { Array(repeating: 0, count: $0) }
  var others = Set<ElementIdentity>()
  for place in elements.indices {
    let identity = elements.identity(at: place)
    if identity.category != .cell {
      try trial.require(
        others.insert(identity).inserted, expected: "\(identity) once", found: "two of it")
    } else if found.indices.contains(identity.section),
      found[identity.section].indices.contains(identity.item)
    {
      found[identity.section][identity.item] += 1
    }
  }
  for (section, items) in found.enumerated() {
    guard let item = items.firstIndex(where: { $0 != 1 }) else { continue }
    throw Violation(
      expected: "one cell for item \(item) of section \(section)", found: "\(items[item]) cells")
  }
}

/// Tolerates half a pixel, since content sizes aren't rounded to the display; elements too large
/// for a fixed axis; negative spacing; pinned elements; own values of items, which may reach over a
/// fixed edge by less than half; and cells that a viewport engine scrolls itself.
@Sendable func contentContainsElements(_ trial: Trial) throws {
  let (content, extent) = (try trial.contentSize(), trial.sample.extent)
  let slack = 0.5 / trial.sample.scale + 1e-6
  let mayMoveBack = try trial.engine.hasNegativeLength(in: trial.sample)
  let mayReachOver = mayMoveBack && trial.sample.direction == .rightToLeft
  func holds(_ low: Double, _ length: Double, _ end: Double) -> Bool {
    (low >= -slack || mayMoveBack)
      && (low + length <= end + slack * max(1, end * 1e-9) || mayReachOver)
  }
  let isVaried =
    trial.sample.measure != nil || trial.sample.itemValues.values.contains { $0.count != nil }
  func isOnLine(_ low: Double, _ length: Double, _ end: Double, _ extent: Double) -> Bool {
    isVaried && end == extent && low + length / 2 >= 0 && low + length / 2 <= end
  }
  let isPlain = trial.sample.parameters.isEmpty && trial.sample.sectionValues.isEmpty && !isVaried
  func mayBeCut(_ low: Double, _ end: Double) -> Bool { !isPlain || low <= end + slack }
  let elements = Array(try trial.elements()).filter { $0.identity.category != .decoration }
  let slides = isPlain ? (across: false, down: false) : try trial.axesOfOwnScrolling(elements)
  func isTooWide(_ frame: Rect) -> Bool {
    frame.width > extent.width && content.width <= extent.width + slack
  }
  func isTooHigh(_ frame: Rect) -> Bool {
    frame.height > extent.height && content.height <= extent.height + slack
  }
  let tooLarge = elements.filter {
    $0.identity.category == .cell && (isTooWide($0.frame) || isTooHigh($0.frame))
  }.map(\.frame)
  let badges = try Set(trial.engine.kinds.filter { $0.role == .badge }.map(\.name))
  for element in elements {
    let frame = element.frame
    // A pinned header stays after the start and may pass an end that moved back.
    if mayMoveBack && element.identity.category == .supplementary { continue }
    // A pinned header covers cells and isn't part of their line.
    let others = elements.lazy.filter {
      $0.identity.category == element.identity.category && $0.identity != element.identity
    }.map(\.frame)
    let isCell = element.identity.category == .cell
    let canSlide = isCell || element.identity.kind.map(badges.contains) == true
    let fitsAcross =
      canSlide && slides.across || holds(frame.x, frame.width, content.width) || isTooWide(frame)
      || !isCell && tooLarge.contains { isTooWide($0) && $0.holds(frame, slack) }
      || isOnLine(frame.x, frame.width, content.width, extent.width)
      || content.width == extent.width && mayBeCut(frame.x, content.width)
        && !others.contains { $0.minY < frame.maxY && $0.maxY > frame.minY }
    let fitsDown =
      canSlide && slides.down || holds(frame.y, frame.height, content.height) || isTooHigh(frame)
      || !isCell && tooLarge.contains { isTooHigh($0) && $0.holds(frame, slack) }
      || isOnLine(frame.y, frame.height, content.height, extent.height)
      || content.height == extent.height && mayBeCut(frame.y, content.height)
        && !others.contains { $0.minX < frame.maxX && $0.maxX > frame.minX }
    guard !fitsAcross || !fitsDown,
      try !trial.followsViewport(element, across: !fitsAcross, down: !fitsDown)
    else { continue }
    let moves = try trial.axesMovedByValues([element])
    guard !(fitsAcross || moves.across) || !(fitsDown || moves.down) else { continue }
    let found = try trial.image()
    var expected = found
    expected.contentSize = Size(
      width: max(content.width, frame.maxX), height: max(content.height, frame.maxY))
    let isBefore = !fitsAcross && frame.x < -slack || !fitsDown && frame.y < -slack
    throw Violation(
      expected: isBefore
        ? "\(element.identity) not left of or above the content's origin 0,0"
        : "\(element.identity) within the content size \(Value.size(content))",
      found: "its frame \(frame.text)", pictures: (expected: expected, found: found),
      remedy: try? trial.remedy(forPlaceOf: element))
  }
}

extension Trial {
  fileprivate func remedy(forPlaceOf element: Element) throws -> String? {
    func isMoved(by change: (inout LayoutInput) -> Void) throws -> Bool {
      let other = sample.with(change)
      guard other != sample else { return false }
      let session = try freshSession(for: other)
      return try isLaidOut(session) && session.element(element.identity)?.frame != element.frame
    }
    if try isMoved(by: { $0.offset = .zero }) {
      return
        "Read the viewport's origin only in adjust, and move there only what stays within the content or the "
        + "viewport"
    }
    guard try sample.direction == .rightToLeft && !engine.traits.contains(.mirrors) else {
      return nil
    }
    return
      "Right to left, place an element at the content's width - x - width, in the width that is set"
  }

  /// Whether adjust pins an element to the viewport, perhaps beyond the content, along these axes.
  fileprivate func followsViewport(_ element: Element, across: Bool, down: Bool) throws -> Bool {
    guard try engine.traits.contains(.viewport) else { return false }
    let (frame, viewport) = (element.frame, try session().visibleRect)
    // An element pinned along one axis may be out of sight along the other.
    guard !across || frame.minX <= viewport.maxX && frame.maxX >= viewport.minX,
      !down || frame.minY <= viewport.maxY && frame.maxY >= viewport.minY
    else { return false }
    let moved = sample.with {
      $0.offset.x += 7
      $0.offset.y += 11
    }
    return try freshSession(for: moved).element(element.identity)?.frame != frame
  }
}

extension Rect {
  fileprivate func holds(_ other: Rect, _ slack: Double) -> Bool {
    other.minX >= minX - slack && other.maxX <= maxX + slack && other.minY >= minY - slack
      && other.maxY <= maxY + slack
  }
}

extension Sampling {
  /// Bounds about as large as a cell at odd scales, and ample bounds with separate values.
  fileprivate mutating func tight() -> [LayoutInput] {
    var samples = [[7, 0, 8], [3], [11], [2, 4, 6]].map { counts in
      LayoutInput(counts: counts).with { fillValues(&$0) }
    }
    for (place, share) in [0.4, 1, 1.2, 1.45].enumerated() {
      for step in 0..<2 {
        let scale = Self.oddScales[(place + step) % 3]
        var sample = LayoutInput(counts: [5, 0, 3])
        let bounds = Size(width: cell.width * share, height: cell.height * share)
        if place % 2 == 0 { sample.bounds = bounds } else { sample.bounds.width = bounds.width }
        sample.scale = scale
        if step == 1 { fillValues(&sample) }
        samples.append(sample)
      }
    }
    samples += [0.5, 1.2].map { share in
      LayoutInput(counts: [3, 0, 2]).with {
        $0.bounds.width = cell.width * share
        $0.layoutMargins = Insets(
          top: 0, left: cell.width * 1.5, bottom: 0, right: cell.width * 0.25)
      }
    }
    return samples + belowZero()
  }

  /// -5 or -1e9 for every second section or item, -1 for every third unless it may be a spacing.
  private mutating func belowZero() -> [LayoutInput] {
    var samples: [LayoutInput] = []
    let lengths = Set(engine.chain.flatMap(\.parameters).filter { $0.unit == "pt" }.map(\.name))
    for description in engine.settableValues where !lengths.contains(description.fallback ?? "") {
      for (step, number) in [(2, -5.0), (3, -1), (2, -1e9)] {
        guard let negative = description.type.filled(with: number) else { continue }
        var sample = LayoutInput(counts: [6, 0, 3])
        sample.set(description) { ($0 + 1) % step == 0 ? negative : value(of: description) }
        samples.append(sample)
      }
    }
    return samples
  }
}

extension Transform {
  fileprivate var planeDeterminant: Double {
    m11 * (m22 * m44 - m24 * m42) - m12 * (m21 * m44 - m24 * m41) + m14 * (m21 * m42 - m22 * m41)
  }
}
