import TesseraGeometry
import TesseraHost

/// The rules of the table engine as they are written down; headers and footers where they lie in
/// content that is not scrolled.
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
      func add(_ category: ElementCategory, _ kind: String?, _ item: Int, _ frame: Rect) {
        placement.entries.append(
          Placement.Entry(
            identity: ElementIdentity(
              category: category, kind: kind, section: number, item: item), frame: frame))
      }
      if section.header > 0 {
        add(
          .supplementary, "header", 0,
          Rect(x: 0, y: extent.start, width: width, height: section.header))
      }
      var y = extent.start + section.header
      for (item, row) in section.rows.enumerated() {
        add(.cell, nil, item, Rect(x: 0, y: y, width: width, height: row))
        y += row
        guard item < section.rows.count - 1 else { continue }
        add(
          .decoration, "separator", item,
          Rect(
            x: separatorInset.left, y: y - separatorHeight,
            width: max(0, width - separatorInset.left - separatorInset.right),
            height: separatorHeight))
      }
      if section.footer > 0 {
        add(
          .supplementary, "footer", 0, Rect(x: 0, y: y, width: width, height: section.footer))
      }
    }
    let end = extents.last.map { $0.footerStart + $0.footerLength } ?? 0
    placement.contentSize = Size(width: width, height: end)
    return placement
  }

  /// Where the sections lie.
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

  /// Gives a session of the engine what the rules are followed for.
  func apply(to session: Session) throws {
    session.bounds = bounds
    session.contentInsets = contentInsets
    try session.setParameter("style", to: .choice(isGrouped ? "grouped" : "plain"))
    try session.setParameter("separatorInset", to: .insets(separatorInset))
    try session.setParameter("separatorHeight", to: .number(separatorHeight))
    try session.setSections(sections.map(\.rows.count))
    try session.setItemValues("height", .numbers(sections.flatMap(\.rows)))
    try session.setSectionValues("headerHeight", .numbers(sections.map(\.header)))
    try session.setSectionValues("footerHeight", .numbers(sections.map(\.footer)))
  }
}
