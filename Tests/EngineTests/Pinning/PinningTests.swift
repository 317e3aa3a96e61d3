import TesseraHost
import TestSupport
import Testing

@Suite struct PinningTests {
  struct Way: CustomTestStringConvertible, Sendable {
    let headers, footers, isHorizontal, hasInsets: Bool

    static let all = (2..<16).filter { $0 % 4 > 0 }.map {
      Way(
        headers: $0 & 1 != 0, footers: $0 & 2 != 0, isHorizontal: $0 & 4 != 0,
        hasInsets: $0 & 8 != 0)
    }

    var testDescription: String {
      "\(headers ? "headers" : "") \(footers ? "footers" : "") "
        + "\(isHorizontal ? "horizontal" : "vertical") \(hasInsets ? "in insets" : "")"
    }
  }

  private static var rules: FlowRules {
    var rules = FlowRules()
    rules.bounds = Size(width: 120, height: 70)
    let cell = Size(width: 50, height: 20)
    rules.sections = [
      FlowRules.Section(
        inset: Insets(top: 6, left: 2, bottom: 9, right: 3), lineSpacing: 4,
        header: Size(width: 11, height: 15), footer: Size(width: 9, height: 12),
        sizes: Array(repeating: cell, count: 5)),
      FlowRules.Section(header: Size(width: 25, height: 25), sizes: [cell]),
      FlowRules.Section(
        inset: Insets(top: 20, left: 0, bottom: 1, right: 0), lineSpacing: 4,
        footer: Size(width: 30, height: 30), sizes: Array(repeating: cell, count: 4)),
    ]
    return rules
  }

  @Test(arguments: Way.all) func flowSticksByTheRule(_ way: Way) throws {
    var vertical = Self.rules
    if way.hasInsets {
      vertical.contentInsets = Insets(top: 10, left: 4, bottom: 17, right: 6)
    }
    try Self.flow(vertical, way).check()
  }

  /// A section without items, a header longer than everything else, and insets that leave no
  /// bounds.
  @Test(arguments: Way.all) func oddSectionsStickByTheRule(_ way: Way) throws {
    var vertical = Self.rules
    vertical.bounds.height = way.hasInsets ? 5 : 40
    if way.hasInsets { vertical.contentInsets = Insets(top: 10, bottom: 17) }
    vertical.sections[0].sizes = []
    vertical.sections[1].header.height = 60
    vertical.sections[1].footer = Size(width: 60, height: 60)
    vertical.sections[2].sizes = []
    vertical.sections[2].inset = .zero
    try Self.flow(vertical, way).check()
  }

  @Test(arguments: [false, true]) func plainTablesStickByTheRule(_ hasInsets: Bool) throws {
    var rules = TableRules()
    rules.bounds = Size(width: 120, height: 70)
    if hasInsets { rules.contentInsets = Insets(top: 10, left: 4, bottom: 17, right: 6) }
    rules.sections = [
      TableRules.Section(header: 15, footer: 12, rows: [20, 30, 10]),
      TableRules.Section(header: 25, footer: 0, rows: [20]),
      TableRules.Section(header: 0, footer: 30, rows: [40, 20]),
    ]
    let session = try ShippedEngines.session("org.tessera.table")
    try rules.apply(to: session)
    let layout = PinnedLayout(
      session: session, natural: rules.place(), rule: PinningRule(sections: rules.extents),
      isHorizontal: false, insets: (rules.contentInsets.top, rules.contentInsets.bottom),
      description: "table")
    try layout.check()
  }

  @Test func stickingElementsAreFoundAmongManySections() throws {
    let session = try ShippedEngines.session("org.tessera.flow")
    session.bounds = Size(width: 100, height: 200)
    try session.setParameter("headerReferenceSize", to: .size(Size(width: 9, height: 9)))
    try session.setParameter("sectionHeadersPinToVisibleBounds", to: .bool(true))
    try session.setSections(Array(repeating: 3, count: 20_000))
    // Each section: a header of 9, three lines of 50, two spacings of 10.
    for section in [0, 1, 9_999, 19_999] {
      session.offset.y = Double(section) * 179 + 100
      let header = ElementIdentity(
        category: .supplementary, kind: "header", section: section, item: 0)
      let seen = try session.elements(in: session.visibleRect)
      let found = try #require(seen.first { $0.identity == header })
      #expect(found.frame == Rect(x: 0, y: session.offset.y, width: 100, height: 9))
      #expect(seen.count < 12)
      #expect(try session.element(header) == found)
    }
  }

  static func flow(_ vertical: FlowRules, _ way: Way) throws -> PinnedLayout {
    var rules = way.isHorizontal ? vertical.transposed : vertical
    rules.isHorizontal = way.isHorizontal
    let session = try ShippedEngines.session("org.tessera.flow")
    try rules.apply(to: session)
    try session.setParameter("sectionHeadersPinToVisibleBounds", to: .bool(way.headers))
    try session.setParameter("sectionFootersPinToVisibleBounds", to: .bool(way.footers))
    let rule = PinningRule(
      sections: vertical.extents, sticksHeaders: way.headers, sticksFooters: way.footers)
    return PinnedLayout(
      session: session, natural: vertical.place(), rule: rule, isHorizontal: way.isHorizontal,
      insets: (vertical.contentInsets.top, vertical.contentInsets.bottom),
      description: way.testDescription)
  }
}

/// A layout with pinned headers and footers, and its expected placement.
struct PinnedLayout: CustomStringConvertible {
  let session: Session
  /// Unpinned, for vertical scrolling; horizontal swaps x and y.
  let natural: Placement
  let rule: PinningRule
  let isHorizontal: Bool
  /// Bounds covered before and after the content, along the scroll axis.
  let insets: (leading: Double, trailing: Double)
  let description: String

  func check() throws {
    for offset in stride(from: -90.0, through: natural.contentSize.height + 40, by: 0.5) {
      try check(at: offset)
    }
  }

  private func check(at offset: Double) throws {
    var rule = rule
    let bounds = isHorizontal ? session.bounds.transposed : session.bounds
    session.offset = isHorizontal ? Point(x: offset, y: 0) : Point(x: 0, y: offset)
    rule.visibleStart = offset + insets.leading
    rule.visibleEnd = offset + bounds.height - insets.trailing
    let all = Array(try session.elements())
    let expected = natural.pinned(by: rule)
    try (isHorizontal ? expected.transposed : expected).check(session, "\(self) at \(offset)")
    for element in all {
      let (kind, isHeader) = (element.identity.kind, element.identity.kind == "header")
      guard isHeader || kind == "footer" else { continue }
      let sticks = isHeader ? rule.sticksHeaders : rule.sticksFooters
      guard element.zIndex == (sticks ? 1024 : 0) else {
        throw Placement.Deviation("what sticks lies in front", "\(self) at \(offset): \(element)")
      }
      guard try session.element(element.identity) == element else {
        throw Placement.Deviation(
          "an element goes by where it sticks", "\(self) at \(offset): \(element)")
      }
    }
    try checkQuery(session.visibleRect, all)
    // A sliver, a part without cells, a rect far from natural positions.
    for start in [offset + insets.leading, offset + bounds.height - 1, offset - 50] {
      let rect = Rect(x: 3, y: start, width: 5, height: 0.75)
      try checkQuery(isHorizontal ? rect.transposed : rect, all)
    }
  }

  private func checkQuery(_ rect: Rect, _ all: [Element]) throws {
    let expected = FrameScan.rows(of: all.map(\.frame), in: rect).map { all[$0] }
    guard try Array(session.elements(in: rect)) == expected else {
      throw Placement.Deviation("a query is a filter of all elements", "\(self): \(rect)")
    }
  }
}

/// For vertical scrolling.
struct PinningRule {
  struct Section {
    var start, headerLength, footerStart, footerLength: Double
  }

  var sections: [Section]
  var sticksHeaders = true
  var sticksFooters = true
  var visibleStart = 0.0
  var visibleEnd = 0.0

  func header(of section: Int) -> Double {
    let place = sections[section]
    guard sticksHeaders else { return place.start }
    return min(max(visibleStart, place.start), place.footerStart - place.headerLength)
  }

  func footer(of section: Int) -> Double {
    let place = sections[section]
    guard sticksFooters else { return place.footerStart }
    return max(
      min(visibleEnd - place.footerLength, place.footerStart), place.start + place.headerLength)
  }
}

extension Placement {
  func pinned(by rule: PinningRule) -> Placement {
    Placement(
      contentSize: contentSize,
      entries: entries.map { entry in
        var frame = entry.frame
        switch entry.identity.kind {
        case "header": frame.y = rule.header(of: entry.identity.section)
        case "footer": frame.y = rule.footer(of: entry.identity.section)
        default: break
        }
        return Entry(identity: entry.identity, frame: frame, scale: entry.scale)
      })
  }
}

extension FlowRules {
  /// Section extents, by laying out one more at a time; spacing and insets are not negative.
  var extents: [PinningRule.Section] {
    sections.enumerated().map { number, section in
      func end(_ count: Int) -> Double {
        var rules = self
        rules.isHorizontal = false
        rules.sections = Array(sections.prefix(count))
        return rules.place().contentSize.height
      }
      return PinningRule.Section(
        start: end(number), headerLength: section.header.height,
        footerStart: end(number + 1) - section.footer.height, footerLength: section.footer.height)
    }
  }
}
