import TesseraGeometry
import TesseraHost

let boundsCases: [ConformanceCase] =
  [
    extremeBounds("zero", "of zero width, zero height or both", [(0, 667), (375, 0), (0, 0)]),
    extremeBounds("one-point", "one point wide or high", [(1, 667), (375, 1), (1, 1)]),
    extremeBounds(
      "fractional", "with fractional sizes",
      [(320.5, 480.25), (374.9999, 0.1), (1e-9, 1e-9), (100.0 / 3, 200.0 / 3)]),
    extremeBounds("huge", "ten million points wide or high", [(1e7, 667), (375, 1e7), (1e7, 1e7)]),
  ] + [
    ConformanceCase(
      "bounds-change-equals-fresh", .bounds,
      rule: "After the viewport changes, the layout equals a new one",
      why: "A layout that remembers its earlier size is wrong after every rotation",
      remedy: "Calculate everything in prepare from its input; keep nothing that depends on bounds",
      samples: .usual, examine: { try compareChanged($0, afterPrepare: true) }),
    ConformanceCase(
      "bounds-kept-layout-still-holds", .bounds,
      rule: "A layout that still_valid keeps equals a new one",
      why: "A layout that is kept too long shows the frames of other bounds",
      remedy: "Return 0 from still_valid whenever a frame or the content size would change",
      samples: .usual, examine: { try compareChanged($0, afterPrepare: false) }),
    ConformanceCase(
      "bounds-scroll-moves-nothing", .bounds,
      rule: "Scrolling alone changes nothing",
      why: "Without the trait, the host does not call the engine again when the viewport moves",
      remedy: "Read the viewport's origin only in adjust, and declare TESSERA_TRAIT_VIEWPORT",
      needs: .withoutTrait(.viewport), samples: .usual
    ) { trial in
      let expected = try trial.image()
      let session = try trial.session()
      for offset in [Point(x: 0, y: 123.5), Point(x: 310, y: 0), Point(x: -40, y: -60)] {
        // Sets everything to force a prepare at this offset.
        try trial.change(session, to: trial.sample.with { $0.offset = offset })
        var found = try LayoutImage(session)
        found.viewport = expected.viewport
        try trial.requireSame(
          found, as: expected, "at the offset \(Value.point(offset)) as before scrolling")
      }
    },
    ConformanceCase(
      "bounds-scroll-and-back", .bounds,
      rule: "After scrolling away and back, every element is where it was",
      why: "Small errors add up while a user scrolls",
      remedy: "Calculate in adjust from the prepared rows, never from its own earlier output",
      needs: .trait(.viewport), samples: .usual
    ) { trial in
      let expected = try trial.image()
      let session = try trial.session()
      for offset in [Point(x: 0, y: 250), Point(x: 400, y: 0), Point(x: -80, y: -80)] {
        session.offset = offset
        _ = try session.elements(in: session.visibleRect)
      }
      session.offset = trial.sample.offset
      try trial.requireSame(LayoutImage(session), as: expected, "as before scrolling")
    },
    ConformanceCase(
      "bounds-nothing-to-adjust-is-true", .bounds,
      rule: "Where a prepare says that there is nothing to adjust, adjust changes and adds nothing",
      why:
        "The host then does not call adjust: what it would move stays behind while a user scrolls",
      remedy:
        "Call not_needed of tessera.adjusting/1 only in a prepare after which adjust does nothing, wherever "
        + "the viewport is and whatever the values are that only adjust reads",
      needs: .trait(.viewport), samples: .usual, examine: nothingToAdjustIsTrue),
    ConformanceCase(
      "bounds-right-to-left-is-mirror", .bounds,
      rule:
        "The right-to-left layout is the exact mirror of the left-to-right layout, in every column",
      why: "The trait promises it, and users of right-to-left languages see the difference",
      remedy:
        "Ignore right_to_left in every column, since the host mirrors frames, transforms and the "
        + "points, rects and insets of attributes; or remove the trait and lay out both directions",
      needs: .trait(.mirrors), samples: .leftToRight, examine: rightToLeftIsMirror),
    ConformanceCase(
      "bounds-insets-on-both-sides", .bounds,
      rule:
        "Content insets leave the layout of bounds that are as much smaller, and exchanging them, or left and "
        + "right layout margins, moves all elements alike, or none",
      why: "Insets leave the same space to fill on whichever side they are larger",
      remedy:
        "Fill the bounds less the insets of both sides, each with its own; 0,0 lies inside the content "
        + "insets; in adjust, what is in sight begins at the offset plus the insets and ends before the others",
      samples: .usual.changed { sample, sampling in
        // The other insets are measured from the bounds and would add to these.
        for path in LayoutField.insets { sample.viewport[keyPath: path] = .zero }
        let insets = sampling.insets(upTo: 30)
        sample.contentInsets = Insets(
          top: insets.top, left: insets.left, bottom: insets.bottom + 13, right: insets.right + 7)
        sample.direction = .leftToRight
      }, examine: insetsOnBothSides),
    ConformanceCase(
      "bounds-every-scale", .bounds,
      rule: "Every item is laid out at scales 1, 2 and 3 and at fractional scales",
      why: "Displays have all of these scales",
      remedy: "Use scale for rounding only",
      samples: .fixed(
        [0.5, 1, 1.25, 1.5, 2, 2.625, 3, 4].map { scale in
          LayoutInput(counts: [7, 0, 20]).with { $0.scale = scale }
        }), examine: laidOutAtEveryScale),
  ]

/// Compares the layout before and after adjust, if the engine declares adjust a no-op here.
@Sendable private func nothingToAdjustIsTrue(_ trial: Trial) throws {
  let session = try trial.session()
  func compare(_ text: String) throws {
    let plain = try LayoutImage(session)
    guard let elements = try session.elementsAdjustedAnyway() else { return }
    var adjusted = plain
    adjusted.elements = Array(elements)
    try trial.requireSame(plain, as: adjusted, "as after adjust\(text)")
  }
  try compare("")
  let content = try session.contentSize()
  for share in [0.4, 1] {
    session.offset = Point(x: content.width * share, y: content.height * share + 7)
    try compare(" at the offset \(Value.point(session.offset))")
  }
  var sampling = try trial.sampling()
  for parameter in sampling.engine.settableParameters where parameter.isInAdjust {
    let value = sampling.value(of: parameter)
    try session.setParameter(parameter.name, to: value)
    try compare(" with \(parameter.name) \(value)")
  }
}

/// Allows a refusal, but not because of the scale.
@Sendable private func laidOutAtEveryScale(_ trial: Trial) throws {
  do throws(HostError) { _ = try trial.elements() } catch {
    let plain = trial.sample.with { $0.scale = 1 }
    guard error.isRefusal, try trial.isLaidOut(trial.freshSession(for: plain)) else { throw error }
    throw Violation(expected: "a layout, as at scale 1", found: error.message)
  }
  try itemsExactlyOnce(trial)
}

private func extremeBounds(
  _ name: String, _ text: String, _ sizes: [(width: Double, height: Double)]
) -> ConformanceCase {
  ConformanceCase(
    "bounds-\(name)", .bounds,
    rule: "Bounds \(text) produce a layout with every item",
    why: "Windows and views take every size while they open, close and animate",
    remedy: "Clamp the space left after insets to 0 or more, and put at least one item on a line",
    samples: .fixed(
      sizes.flatMap { size in
        [[20], [1], [3, 0, 5], []].map { counts in
          LayoutInput(counts: counts).with {
            $0.bounds = Size(width: size.width, height: size.height)
          }
        }
      }), examine: laidOutWithEveryItem)
}

@Sendable func laidOutWithEveryItem(_ trial: Trial) throws {
  try trial.requireLayout()
  try itemsExactlyOnce(trial)
}

extension Trial {
  func requireLayout() throws {
    do throws(HostError) { _ = try elements() } catch {
      guard error.isRefusal, try isLaidOut(freshSession(for: LayoutInput())) else { throw error }
      throw Violation(
        expected: "a layout", found: "a refusal: \(error.message)",
        remedy:
          "Lay out every size and every number of items; refuse only parameters and values, by name"
      )
    }
  }
}

let ignoreDirection =
  "Ignore right_to_left, since the host mirrors what the engine is given and what it gives"

private func compareChanged(_ trial: Trial, afterPrepare: Bool) throws {
  let expected = try LayoutImage(trial.freshSession(for: trial.sample))
  // Without still_valid, any change but a scroll makes the engine prepare again.
  let decides = try trial.engine.has(.stillValid)
  let others =
    !decides && !afterPrepare
    ? trial.sample.neighbours.suffix(1) : [trial.sample.elsewhere] + trial.sample.neighbours
  for other in others where trial.hasTime {
    try trial.compareChanged(from: other, to: trial.sample, expected, afterPrepare: afterPrepare)
  }
  // Mixed-up insets don't matter while both are 0.
  guard decides, !afterPrepare, trial.sample == LayoutInput(counts: trial.sample.counts) else {
    return
  }
  for other in trial.sample.neighbours where trial.hasTime {
    try trial.compareChanged(
      from: trial.sample, to: other, LayoutImage(trial.freshSession(for: other)),
      afterPrepare: false)
  }
}

extension Trial {
  /// Compares a session after a change of viewport with a new session.
  fileprivate func compareChanged(
    from other: LayoutInput, to next: LayoutInput,
    _ expected: @autoclosure () throws -> LayoutImage, afterPrepare: Bool
  ) throws {
    let session = try session()
    try change(session, to: other)
    guard try isLaidOut(session) else { return }
    let calls = CallLog()
    session.trace = { calls.append($0) }
    session.viewport = next.viewport
    let found = try LayoutImage(session)
    guard calls.hasPrepared == afterPrepare else { return }
    let expected = try expected()
    let changes = LayoutField.settings.filter {
      $0.value(in: other.viewport) != $0.value(in: next.viewport)
    }
    let isBack = next == sample
    let texts = changes.map { field in
      isBack
        ? "\(field.name) \(field.value(in: other.viewport))"
        : "\(field.name) became \(field.value(in: next.viewport))"
    }
    try requireSame(
      found, as: expected,
      "as a new layout, after \(isBack ? "a layout with " : "")\(texts.joined(separator: ", "))",
      remedy: try remedy(forChange: changes, afterPrepare))
  }

  fileprivate func remedy(
    forChange changes: [LayoutField], _ afterPrepare: Bool
  ) throws(HostError) -> String? {
    if changes.map(\.name) == ["direction"], try engine.traits.contains(.mirrors) {
      return "\(ignoreDirection); or remove the trait and lay out both directions"
    }
    if changes.map(\.name) == ["offset"] {
      return "Read the scroll offset only in adjust or queries, since scrolling prepares nothing"
    }
    guard changes.map(\.name) == ["scale"] else { return nil }
    return "Use scale only to round results, and "
      + (afterPrepare ? "keep none of them" : "return 0 from still_valid") + " when it changes"
  }
}

extension Trial {
  func isLaidOut(_ session: Session, inSight: Bool = false) throws(HostError) -> Bool {
    do throws(HostError) {
      _ = try inSight ? session.visibleElements() : session.elements()
    } catch {
      guard error.isRefusal || error.kind == .invalidInput else { throw error }
      return false
    }
    return true
  }
}

extension LayoutInput {
  fileprivate var elsewhere: LayoutInput {
    with {
      $0.bounds = Size(width: $0.bounds.width + 40, height: $0.bounds.height / 2 + 9)
      for path in LayoutField.insets {
        $0.viewport[keyPath: path].left += 3
        $0.viewport[keyPath: path].bottom += 5
        $0.viewport[keyPath: path].right += 25
      }
      $0.scale = $0.scale == 1 ? 3 : 1
    }
  }

  fileprivate var neighbours: [LayoutInput] {
    let insets: [(inout LayoutInput) -> Void] = LayoutField.insets.flatMap { path in
      [(\Insets.left, 17.0), (\.bottom, 30), (\.right, 25), (\.top, 44)].map { edge, length in
        { $0.viewport[keyPath: path][keyPath: edge] += length }
      }
    }
    let bounds: [(inout LayoutInput) -> Void] = [
      { $0.bounds.height += 1 }, { $0.bounds.height += 300 }, { $0.bounds.width += 1 },
      { $0.bounds.width += 300 }, { $0.bounds.width /= 2 },
      { ($0.bounds.width, $0.bounds.height) = ($0.bounds.height, $0.bounds.width) },
    ]
    let others: [(inout LayoutInput) -> Void] = [
      { $0.scale = $0.scale == 1 ? 3 : 1 }, { $0.scale += 0.25 },
      { $0.direction = $0.direction == .leftToRight ? .rightToLeft : .leftToRight },
      { $0.offset.y += 90 },
    ]
    return (bounds + insets + others).map { change in
      with {
        change(&$0)
        if !(0.5...4).contains($0.scale) { $0.scale = 1 }
      }
    }
  }
}

@Sendable private func insetsOnBothSides(_ trial: Trial) throws {
  var other = trial.sample
  let insets = other.contentInsets
  // Content insets move the viewport and pinned elements.
  if try !trial.engine.traits.contains(.viewport) {
    other.contentInsets = Insets(
      top: insets.bottom, left: insets.right, bottom: insets.top, right: insets.left)
    try requireMoved(
      trial, trial.image(), other, "contentInsets \(Value.insets(other.contentInsets))")
  }
  var margins = trial.sample
  (margins.contentInsets, margins.layoutMargins) = (.zero, insets)
  let before = try LayoutImage(trial.freshSession(for: margins))
  (margins.layoutMargins.left, margins.layoutMargins.right) = (insets.right, insets.left)
  try requireMoved(
    trial, before, margins, "layoutMargins \(Value.insets(margins.layoutMargins))", cellsOnly: true)
  try insetsOnlyShrink(trial)
}

/// Ignores attributes and elements that depend on the viewport's middle or are pinned.
@Sendable private func insetsOnlyShrink(_ trial: Trial) throws {
  let insets = trial.sample.contentInsets
  var inner = trial.sample
  inner.contentInsets = .zero
  inner.bounds.width -= insets.left + insets.right
  inner.bounds.height -= insets.top + insets.bottom
  inner.offset.x += insets.left
  inner.offset.y += insets.top
  guard inner.bounds.width >= 0, inner.bounds.height >= 0 else { return }
  let follows = try trial.engine.traits.contains(.viewport)
  func frames(of sample: LayoutInput) throws -> LayoutImage? {
    let session = try trial.freshSession(for: sample)
    guard try trial.isLaidOut(session) else { return nil }
    var image = try LayoutImage(session)
    image.viewport = .zero
    image.elements = image.elements.filter { !follows || $0.identity.category == .supplementary }
      .map { Element(identity: $0.identity, frame: $0.frame) }
    return image
  }
  // Margins are also measured from the bounds; without them an engine may fill more.
  let marked = trial.sample.with { $0.layoutMargins = insets }
  guard let expected = try frames(of: inner), let found = try frames(of: trial.sample),
    expected.difference(from: found) != nil, let other = try frames(of: marked),
    expected.difference(from: other) != nil
  else { return }
  try trial.requireSame(
    found, as: expected, "as in bounds of \(Value.size(inner.bounds)) without contentInsets")
}

/// Allows a layout to move as a whole, and separators to keep to a layout margin.
private func requireMoved(
  _ trial: Trial, _ before: LayoutImage, _ other: LayoutInput, _ name: String,
  cellsOnly: Bool = false
) throws {
  var (expected, found) = (before, try LayoutImage(trial.freshSession(for: other)))
  if cellsOnly {
    expected.elements.removeAll { $0.identity.category != .cell }
    found.elements.removeAll { $0.identity.category != .cell }
  }
  guard let difference = expected.difference(from: found) else { return }
  let (first, moved) = (expected.elements.first?.frame, found.elements.first?.frame)
  let (x, y) = ((moved?.x ?? 0) - (first?.x ?? 0), (moved?.y ?? 0) - (first?.y ?? 0))
  let slack = 1 / trial.sample.scale + 1e-6
  let isMoved = zip(expected.elements, found.elements).allSatisfy { before, after in
    before.identity == after.identity && (after.frame.x - before.frame.x - x).magnitude <= slack
      && (after.frame.y - before.frame.y - y).magnitude <= slack
      && (after.frame.width - before.frame.width).magnitude <= slack
      && (after.frame.height - before.frame.height).magnitude <= slack
  }
  let (before, after) = (expected.contentSize, found.contentSize)
  let isAsLarge =
    (before.width - after.width).magnitude <= slack
    && (before.height - after.height).magnitude <= slack
  guard !isMoved || !isAsLarge || expected.elements.count != found.elements.count else { return }
  throw Violation(
    expected: "the same with \(name): \(difference.expected)", found: difference.found,
    pictures: (expected: expected, found: found))
}

@Sendable private func rightToLeftIsMirror(_ trial: Trial) throws {
  let content = try trial.contentSize()
  var (sample, other) = trial.sample.mirrorImages(
    contentWidth: content.width, try trial.engine.delegateFunctions)
  if try !trial.engine.traits.contains(.viewport) {
    (sample.offset, other.offset) = (trial.sample.offset, trial.sample.offset)
  }
  let mirrored = try LayoutImage(trial.freshSession(for: other))
  var expected =
    sample == trial.sample ? try trial.image() : try LayoutImage(trial.freshSession(for: sample))
  for index in expected.elements.indices { expected.elements[index].mirror(in: content.width) }
  expected.viewport = mirrored.viewport
  let names = expected.attributeNames
  for (found, wanted) in zip(mirrored.elements, expected.elements) where found != wanted {
    throw Violation(
      expected: found.identity == wanted.identity
        ? wanted.differing(from: found, names) : "\(wanted.identity) at \(wanted.frame.text)",
      found: found.identity == wanted.identity
        ? found.differing(from: wanted, names) : "\(found.identity) at \(found.frame.text)",
      pictures: (expected: expected, found: mirrored))
  }
  try trial.require(
    mirrored.contentSize == content && mirrored.elements.count == expected.elements.count,
    expected: "\(expected.elements.count) elements, content size \(Value.size(content))",
    found: "\(mirrored.elements.count), \(Value.size(mirrored.contentSize))")
}

extension LayoutInput {
  func mirrorImages(
    contentWidth: Double, _ functions: [FunctionDescription]
  ) -> (left: LayoutInput, right: LayoutInput) {
    var (left, right) = (self, self)
    left.direction = .leftToRight
    right.direction = .rightToLeft
    for path in LayoutField.insets {
      let insets = viewport[keyPath: path]
      (right.viewport[keyPath: path].left, right.viewport[keyPath: path].right) =
        (insets.right, insets.left)
    }
    for function in functions where function.returnsInsets {
      guard case .text(let text)? = delegate[function.name]?.value else { continue }
      let parts = text.split(separator: ",")
      guard parts.count == 4 else { continue }
      right.delegate[function.name] = JSONNode(
        text: [parts[0], parts[3], parts[2], parts[1]].joined(separator: ","),
        source: "delegate.\(function.name)")
    }
    right.viewport.offset.x = contentWidth - viewport.offset.x - viewport.bounds.width
    // Mirroring rounds; left to right, the engine gets the mirrored viewport exactly.
    left.viewport.offset.x = contentWidth - right.viewport.offset.x - viewport.bounds.width
    return (left, right)
  }
}

extension Element {
  mutating func mirror(in width: Double) {
    frame.x = width - frame.x - frame.width
    let m = transform
    for (entry, value) in [
      (\Transform.m12, m.m12), (\.m13, m.m13), (\.m14, m.m14), (\.m21, m.m21), (\.m31, m.m31),
      (\.m41, m.m41),
    ] { transform[keyPath: entry] = -value }
    attributes = attributes.map { [frame] in $0.seenMirrored(in: frame.width) }
  }
}

extension Value {
  func seenMirrored(in width: Double) -> Value {
    if let point = Point(self) { return .point(Point(x: width - point.x, y: point.y)) }
    if let rect = Rect(self) {
      return .rect(
        Rect(x: width - rect.x - rect.width, y: rect.y, width: rect.width, height: rect.height))
    }
    guard let insets = Insets(self) else { return self }
    return .insets(
      Insets(top: insets.top, left: insets.right, bottom: insets.bottom, right: insets.left))
  }
}
