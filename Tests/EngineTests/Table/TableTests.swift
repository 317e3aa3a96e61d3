import TesseraHost
import TestSupport
import Testing

@Suite struct TableTests {
  @Test(arguments: 1...100) func randomTableIsPlacedByTheRules(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var rules = TableRules()
    rules.isGrouped = Bool.random(using: &random)
    rules.bounds = random.extent(in: 0...900)
    rules.contentInsets = random.edges(upTo: 40)
    rules.separatorInset = random.edges(upTo: 60)
    rules.separatorHeight = random.pick([0.5, 0, random.number(in: 0...4)])
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      var section = TableRules.Section()
      section.header = random.pick([0, random.number(in: 0...50)])
      section.footer = random.pick([0, random.number(in: 0...50)])
      section.rows = (0..<Int.random(in: 0...random.pick([3, 200]), using: &random)).map { _ in
        random.pick([0, 44, random.number(in: 0...90)])
      }
      rules.sections.append(section)
    }
    try check(rules, try ShippedEngines.session("org.tessera.table"))
  }

  /// At an offset without pinning effect, or grouped.
  private func check(_ rules: TableRules, _ session: Session) throws {
    try rules.apply(to: session)
    let placement = rules.place()
    var rule = PinningRule(
      sections: rules.extents, sticksHeaders: !rules.isGrouped, sticksFooters: !rules.isGrouped)
    rule.visibleStart = rules.contentInsets.top
    rule.visibleEnd = rules.bounds.height - rules.contentInsets.bottom
    try placement.pinned(by: rule).check(session, rules)
  }
}

/// Without pinning.
struct TableRules {
  struct Section {
    var header = 28.0
    var footer = 0.0
    var rows: [Double] = []
  }

  var bounds = Size(width: 320, height: 480)
  var contentInsets = Insets.zero
  var isGrouped = false
  var separatorInset = Insets(left: 15)
  var separatorHeight = 0.5
  var sections: [Section] = []

  func place() -> Placement {
    let width = max(0, bounds.width - contentInsets.left - contentInsets.right)
    var placement = Placement()
    for (number, (section, extent)) in zip(sections, extents).enumerated() {
      func addBar(_ kind: String, at y: Double, _ height: Double) {
        guard height > 0 else { return }
        placement.add(
          .supplementary, kind, number, 0, Rect(x: 0, y: y, width: width, height: height))
      }
      addBar("header", at: extent.start, section.header)
      var y = extent.start + section.header
      for (item, row) in section.rows.enumerated() {
        placement.addCell(number, item, Rect(x: 0, y: y, width: width, height: row))
        y += row
        guard item < section.rows.count - 1 else { continue }
        placement.add(
          .decoration, "separator", number, item,
          Rect(
            x: separatorInset.left, y: y - separatorHeight,
            width: max(0, width - separatorInset.left - separatorInset.right),
            height: separatorHeight))
      }
      addBar("footer", at: y, section.footer)
    }
    let end = extents.last.map { $0.footerStart + $0.footerLength } ?? 0
    placement.contentSize = Size(width: width, height: end)
    return placement
  }

  var extents: [PinningRule.Section] {
    var y = isGrouped ? 35.0 : 0
    return sections.map { section in
      let start = y
      y += section.header + section.rows.reduce(0, +) + section.footer
      return PinningRule.Section(
        start: start, headerLength: section.header, footerStart: y - section.footer,
        footerLength: section.footer)
    }
  }

  func apply(to session: Session) throws {
    session.bounds = bounds
    session.contentInsets = contentInsets
    try session.set([
      "style": .choice(isGrouped ? "grouped" : "plain"),
      "separatorInset": .insets(separatorInset), "separatorHeight": .number(separatorHeight),
    ])
    try session.setSections(sections.map(\.rows.count))
    try session.setItemValues("height", .numbers(sections.flatMap(\.rows)))
    try session.setSectionValues("headerHeight", .numbers(sections.map(\.header)))
    try session.setSectionValues("footerHeight", .numbers(sections.map(\.footer)))
  }
}
