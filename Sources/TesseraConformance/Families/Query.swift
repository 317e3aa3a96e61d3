import TesseraGeometry
import TesseraHost

let queryCases: [ConformanceCase] = [
  ConformanceCase(
    "query-rect-is-a-filter", .query,
    rule: "A rect query returns exactly the elements whose frames intersect the rect",
    why: "An element missing from a query leaves a hole on the screen",
    remedy: remedy,
    samples: .usual + .scrolled + .limits
      + SampleSet { $1 == .quick ? [] : [LayoutInput(counts: [1500])] }
  ) { trial in
    let content = try trial.contentSize()
    for _ in 0..<(trial.level == .quick ? 12 : 40) where trial.hasTime {
      try trial.checkQuery(trial.random.rect(near: content))
    }
    try trial.checkQuery(trial.session().visibleRect)
    try trial.checkQueriesWhileScrolling()
  },
  ConformanceCase(
    "query-thin-rects", .query,
    rule: "A query with a very thin rect is correct",
    why: "Taps and drags query points, not whole screens",
    remedy: remedy, samples: .usual
  ) { trial in
    let content = try trial.contentSize()
    // For other engines the host answers.
    let rounds = try trial.engine.traits.contains(.lazy) ? 2 : 1
    for thickness in Array(repeating: [1e-9, 1e-3, 1], count: rounds).joined() {
      let (x, y) = (
        trial.random.number(in: 0...content.width), trial.random.number(in: 0...content.height)
      )
      try trial.checkQuery(Rect(x: x, y: 0, width: thickness, height: content.height))
      try trial.checkQuery(Rect(x: 0, y: y, width: content.width, height: thickness))
      try trial.checkQuery(Rect(x: x, y: y, width: thickness, height: thickness))
    }
  },
  ConformanceCase(
    "query-touching-edges-do-not-meet", .query,
    rule:
      "A rect that only touches an element's edge does not return it; a slightly larger one does",
    why: "Otherwise two neighbours would both match the edge between them",
    remedy: "Compare with < and >, never with <= or >=: rects are half-open",
    samples: .usual
  ) { trial in
    let elements = try trial.elements()
    for element in elements.shuffled(using: &trial.random).prefix(5) {
      for rect in element.frame.neighbours { try trial.checkQuery(rect) }
    }
  },
  ConformanceCase(
    "query-outside-and-everywhere", .query,
    rule: "A rect outside the content returns nothing, and one around all of it returns everything",
    why: "Scrolling past the end must neither fail nor show unrelated elements",
    remedy: remedy, samples: .usual
  ) { trial in
    let content = try trial.contentSize()
    for rect in [
      Rect(x: -1e9, y: -1e9, width: 2e9, height: 2e9), Rect(origin: .zero, size: content),
      Rect(x: content.width, y: 0, width: 1000, height: 1e9),
      Rect(x: 0, y: content.height, width: 1e9, height: 1000),
      Rect(x: -1000, y: -1000, width: 1000, height: 1000),
      Rect(x: 1e9, y: 1e9, width: 1e9, height: 1e9),
    ] { try trial.checkQuery(rect) }
  },
  ConformanceCase(
    "query-empty-rect-brings-nothing", .query,
    rule: "An empty rect returns nothing",
    why: "A rect without points does not intersect anything",
    remedy: remedy, samples: .usual
  ) { trial in
    let content = try trial.contentSize()
    for rect in [
      Rect.zero, Rect(x: 0, y: 0, width: content.width, height: 0),
      Rect(x: 0, y: 0, width: 0, height: content.height),
      Rect(x: content.width, y: content.height, width: -content.width, height: -content.height),
    ] {
      let found = try trial.answer(to: rect)
      try trial.require(
        found.isEmpty, expected: "no elements in \(rect.text)",
        found: "\(found.count) elements, \(found.first?.identity.description ?? "")")
    }
  },
  ConformanceCase(
    "query-item-is-its-entry", .query,
    rule: "An element that is looked up alone equals its entry in the whole layout",
    why: "Otherwise a cell moves when it is selected or reloaded",
    remedy: "Calculate a single element from the same numbers as all elements",
    samples: .usual
  ) { trial in
    let elements = try trial.elements()
    let names = elements.attributes.map(\.name)
    for place in elements.indices.shuffled(using: &trial.random).prefix(400) where trial.hasTime {
      let found = try trial.session().element(elements.identity(at: place))
      let expected = elements[place]
      try trial.require(
        found == expected,
        expected: found.map { expected.differing(from: $0, names) }
          ?? expected.identity.description,
        found: found?.differing(from: expected, names) ?? "nothing")
    }
  },
  ConformanceCase(
    "query-unknown-item-is-nothing", .query,
    rule: "Looking up an element that does not exist returns nothing",
    why: "A program that shows an element for a removed item may crash",
    remedy:
      "In element, add nothing for an index that does not exist in the section, nor for a header or another "
      + "element that elements_in_rect does not add", samples: .usual + .limits
  ) { trial in
    let counts = trial.sample.counts
    var unknown = [ElementIdentity.cell(section: counts.count, item: 0)]
    for (section, count) in counts.enumerated() {
      unknown += [.cell(section: section, item: count), .cell(section: section, item: count + 9)]
    }
    let known = Set(try trial.elements().map(\.identity))
    for kind in try trial.engine.kinds {
      for section in counts.indices.prefix(8) {
        unknown += [0, 1, counts[section], counts[section] + 9].map { item in
          ElementIdentity(category: kind.category, kind: kind.name, section: section, item: item)
        }.filter { !known.contains($0) }
      }
    }
    for identity in unknown {
      let found = try trial.session().element(identity)
      try trial.require(
        found == nil, expected: "no \(identity)", found: "one at \(found?.frame.text ?? "")")
    }
    guard try trial.engine.hasOwnProcess, try trial.engine.traits.contains(.lazy) else { return }
    try trial.requireNoProblem(
      .unknownElements, expected: "no rows from element for what does not exist")
  },
  ConformanceCase(
    "query-answers-in-order", .query,
    rule: "Results are sorted by section, category, kind and item, without duplicates",
    why: "Programs that compare two results rely on their order",
    remedy: "Add each element once; the host sorts",
    samples: .usual
  ) { trial in
    let content = try trial.contentSize()
    let rect = trial.random.rect(near: content)
    for found in [try trial.elements(), try trial.session().elements(in: rect)] {
      for (before, after) in zip(found.indices, found.indices.dropFirst()) {
        let (left, right) = (found.identity(at: before), found.identity(at: after))
        try trial.require(
          left.isListedBefore(right), expected: "\(left) before \(right)",
          found: left == right ? "it twice" : "the opposite order")
      }
    }
  },
  ConformanceCase(
    "query-lazy-is-its-enumeration", .query,
    rule: "A lazy engine returns the same layout by rects as item by item",
    why: "The host cannot see which elements a lazy engine omits",
    remedy: "Calculate frames in elements_in_rect and element by the same formula",
    needs: .trait(.lazy), samples: .usual, examine: lazyIsItsEnumeration),
  ConformanceCase(
    "query-far-items-agree", .query,
    rule: "Among up to 1e12 items, a rect around one returns it and its neighbours as looked up",
    why: "A lazy list may hold more items than 32 bits count, and than a float tells apart",
    remedy: "Calculate positions in double, and items, lines and section_starts in uint64_t",
    needs: .trait(.lazy),
    samples: .counts([1_000_003], [1 << 32 + 7], [999_999_999_989], [1 << 32, 0, 1 << 32 + 1, 3])
      + SampleSet { sampling, _ in
        [false, true].map { sampling.withInexactLengths([999_999_999_989], areSpacesEmpty: $0) }
      }, examine: farItemsAgree),
]

private let remedy =
  "In a lazy engine, add every element that intersects the rect; in others, the host searches, and "
  + "adjust must not depend on the rect"

private let alikeRemedy =
  "Calculate every column from the item and the viewport alone, whatever the rect of the query"

/// Compares single look-ups with all cells, and queries bands across them.
@Sendable private func lazyIsItsEnumeration(_ trial: Trial) throws {
  let elements = try trial.elements()
  let cells = try trial.sample.paths.map { try trial.lookUp($0.section, $0.item) }
  let enumerated = elements.filter { $0.identity.category == .cell }
  for (alone, among) in zip(cells, enumerated) where alone != among {
    throw Violation(
      expected: "\(alone.identity) at \(alone.frame.text), as when looked up alone",
      found: "\(among.identity) at \(among.frame.text) among all")
  }
  try trial.require(
    cells.count == enumerated.count, expected: "\(cells.count) cells among all",
    found: "\(enumerated.count)")
  for frame in cells.map(\.frame).shuffled(using: &trial.random).prefix(12) {
    let band = Rect(x: -1e7, y: frame.y, width: 2e7, height: max(frame.height / 2, 1e-3))
    try trial.checkQuery(band, among: elements)
  }
}

extension Trial {
  fileprivate func checkQueriesWhileScrolling() throws {
    guard try engine.traits.contains(.viewport) else { return }
    let (session, content) = (try session(), try contentSize())
    defer { session.offset = sample.offset }
    for _ in 0..<3 where hasTime {
      session.offset = random.point(around: content, within: 60)
      try checkQuery(session.visibleRect, among: session.elements())
    }
  }

  fileprivate func answer(to rect: Rect) throws -> Elements {
    let session = try session()
    _ = try session.contentSize()
    do throws(HostError) { return try session.elements(in: rect) } catch {
      guard error.kind == .refused else { throw error }
      throw Violation(
        expected: "the elements in the rect \(rect.text)",
        found: "the refusal \"\(error.message)\"",
        remedy: "Return TESSERA_OK for every rect, and add nothing where no element is")
    }
  }

  /// Compares a query with a filter over all elements.
  func checkQuery(_ rect: Rect, among all: Elements? = nil) throws {
    let elements = if let all { all } else { try self.elements() }
    let expected = elements.indices.filter { rect.meets(elements.frame(at: $0)) }
    let found = try answer(to: rect)
    let isSame =
      found.count == expected.count
      && zip(found.indices, expected).allSatisfy { found[$0] == elements[$1] }
    guard
      try !isSame && !isSameInSight(of: rect, found, expected.map { elements[$0] }, among: elements)
    else { return }
    let answered = Set(found.map(\.identity))
    let due = Set(expected.map { elements.identity(at: $0) })
    let missing = expected.map { elements[$0] }.first { !answered.contains($0.identity) }
    let surplus = found.first { !due.contains($0.identity) }
    let names = elements.attributes.map(\.name)
    if let surplus, missing == nil { try requireListed(surplus, in: elements, rect) }
    let what: String
    var advice: String?
    if let missing {
      what = "without \(missing.identity) at \(missing.frame.text)"
      advice = try self.advice(lost: missing.frame, in: rect)
    } else if let surplus {
      let listed = elements.first { $0.identity == surplus.identity }
      if listed != nil { advice = alikeRemedy }
      what =
        "with \(surplus.identity) at \(surplus.frame.text)"
        + (listed.map { "; in the whole layout it lies at \($0.frame.text)" } ?? "")
    } else if let (found, listed) = zip(found, expected).lazy
      .map({ ($0, elements[$1]) }).first(where: { $0 != $1 })
    {
      advice = alikeRemedy
      what =
        found.identity == listed.identity
        ? "with \(found.differing(from: listed, names)); in the whole layout "
          + listed.differing(from: found, names)
        : "with \(found.identity) where the whole layout has \(listed.identity)"
    } else {
      what = "with an element twice"
    }
    let content = try contentSize()
    throw Violation(
      expected: "\(expected.count) elements in the rect \(rect.text)",
      found: "\(found.count), \(what)",
      pictures: (
        expected: LayoutImage(
          contentSize: content, elements: expected.map { elements[$0] }, viewport: rect,
          attributeNames: names),
        found: LayoutImage(
          contentSize: content, elements: Array(found), viewport: rect, attributeNames: names)
      ),
      remedy: advice)
  }

  /// Throws if a returned element that can be looked up is missing from the full list.
  private func requireListed(_ element: Element, in all: Elements, _ rect: Rect) throws {
    guard try engine.traits.contains(.lazy), rect.meets(element.frame),
      !all.contains(where: { $0.identity == element.identity }),
      try session().element(element.identity) == element
    else { return }
    throw Violation(
      expected: "\(element.identity) at \(element.frame.text) among all elements, as in the rect "
        + "\(rect.text) and when looked up alone", found: "\(all.count) elements without it",
      remedy:
        "In elements_in_rect, return every element for a rect that contains all of the content, and "
        + "set a content size that contains them")
  }

  private func isSameInSight(
    of rect: Rect, _ found: Elements, _ expected: [Element], among all: Elements
  ) throws -> Bool {
    let (slides, moves) = (try axesOfOwnScrolling(all), try axesMovedByValues(Array(all)))
    let (across, down) = (slides.across || moves.across, slides.down || moves.down)
    guard across || down else { return false }
    let (content, extent) = (try contentSize(), sample.extent)
    var sight = rect
    if across {
      // In a mirrored layout, the extent ends where the content does.
      let start = sample.direction == .rightToLeft ? content.width - extent.width : 0
      sight.x = max(start, rect.x)
      sight.width = max(0, min(rect.x + rect.width, start + extent.width) - sight.x)
    }
    if down {
      sight.y = max(0, rect.y)
      sight.height = max(0, min(rect.y + rect.height, extent.height) - sight.y)
    }
    let wanted = expected.filter { sight.meets($0.frame) }
    let named = Dictionary(uniqueKeysWithValues: expected.map { ($0.identity, $0) })
    return found.filter { sight.meets($0.frame) } == wanted
      && found.allSatisfy { named[$0.identity] == $0 }
  }

  /// Queries need not find elements that a viewport engine scrolls out of the extent along fixed
  /// axes.
  func axesOfOwnScrolling(_ elements: some Sequence<Element>) throws -> (across: Bool, down: Bool) {
    guard try engine.traits.contains(.viewport) else { return (false, false) }
    let (content, extent) = (try contentSize(), sample.extent)
    let cells = elements.filter { $0.identity.category == .cell }
    func isOneCell(_ end: Double, _ extent: Double, _ side: (Rect) -> (Double, Double)) -> Bool {
      let sides = cells.map { side($0.frame) }
      return sides.contains { start, length in
        start + length >= end - 1e-6
          && (start <= extent || !sides.contains { $0 >= 0 && $1 > 0 && $0 + $1 <= start })
      }
    }
    let isWide = isOneCell(content.width, extent.width) { ($0.x, $0.width) }
    let isHigh = isOneCell(content.height, extent.height) { ($0.y, $0.height) }
    return (content.width <= extent.width || isWide, content.height <= extent.height || isHigh)
  }

  func axesMovedByValues(_ elements: [Element]) throws -> (across: Bool, down: Bool) {
    var axes = (across: false, down: false)
    guard try engine.traits.contains(.viewport) else { return axes }
    let values = try engine.settableValues.filter {
      $0.scope == .section && $0.isInAdjust && $0.type == .number
    }
    for value in values {
      var moved = sample
      moved[value] = .constant(.number(max(sample.extent.width, sample.extent.height)))
      let session = try freshSession(for: moved)
      for element in elements where element.identity.category != .decoration {
        guard let frame = try? session.element(element.identity)?.frame else { continue }
        axes.across = axes.across || frame.x != element.frame.x
        axes.down = axes.down || frame.y != element.frame.y
      }
    }
    return axes
  }

  private func advice(lost frame: Rect, in rect: Rect) throws(HostError) -> String {
    let (wide, high) = (
      min(frame.x + frame.width, rect.x + rect.width) - max(frame.x, rect.x),
      min(frame.y + frame.height, rect.y + rect.height) - max(frame.y, rect.y)
    )
    guard try engine.traits.contains(.lazy) else {
      return
        "In adjust, move and change rows by the viewport only, never by the rect of the query, and add "
        + "those that come into the rect because adjust moves them"
    }
    return min(wide, high) < 0.01
      ? "Compare with < and >, without rounding and without a tolerance: rects are half-open"
      : "In elements_in_rect, do not stop at the first element outside the rect: later ones may be "
        + "inside; when skipping rows or searching, allow for every element that reaches into the rect"
  }
}

extension Rect {
  /// Half-open rects, written out because the host's rule is under test.
  fileprivate func meets(_ other: Rect) -> Bool {
    width > 0 && height > 0 && other.width > 0 && other.height > 0 && x < other.x + other.width
      && other.x < x + width && y < other.y + other.height && other.y < y + height
  }

  fileprivate var neighbours: [Rect] {
    let (across, down) = (max(width, 1), max(height, 1))
    let overlap = 1e-6 * max(1, x.magnitude, y.magnitude, width, height)
    return [0, overlap].flatMap { (reach: Double) -> [Rect] in
      let left = Rect(x: x - 10, y: y, width: 10 + reach, height: down)
      let right = Rect(x: x + width - reach, y: y, width: 10, height: down)
      let above = Rect(x: x, y: y - 10, width: across, height: 10 + reach)
      let below = Rect(x: x, y: y + height - reach, width: across, height: 10)
      return [left, right, above, below]
    }
  }
}

extension SeededNumbers {
  fileprivate mutating func rect(near content: Size) -> Rect {
    let width = number(in: 1...max(2, content.width))
    let height = number(in: 1...max(2, min(content.height, 2000)))
    return Rect(
      x: number(in: -width...max(0, content.width)),
      y: number(in: -height...max(0, content.height)), width: width, height: height)
  }
}

extension ElementIdentity {
  fileprivate func isListedBefore(_ other: ElementIdentity) -> Bool {
    if section != other.section { return section < other.section }
    if category != other.category { return category < other.category }
    if kind != other.kind { return (kind ?? "") < (other.kind ?? "") }
    return item < other.item
  }
}
