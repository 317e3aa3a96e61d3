import TesseraGeometry
import TesseraHost

/// A layout whose headers and footers stick, with what the rule says of it.
struct PinnedLayout: CustomStringConvertible {
  let session: Session
  /// As for vertical scrolling; horizontal is the same with x and y exchanged.
  let natural: Placement
  var rule: PinningRule
  let isHorizontal: Bool
  /// What of the bounds lies before and behind the content, along the scroll axis.
  let insets: (leading: Double, trailing: Double)
  let description: String

  /// How far the layout is scrolled in a test: from before its start to behind its end.
  var offsets: StrideThrough<Double> {
    stride(from: -90.0, through: natural.contentSize.height + 40, by: 0.5)
  }

  /// Scrolls, and checks all elements and what queries give.
  mutating func check(at offset: Double) throws {
    let bounds = isHorizontal ? session.bounds.transposed : session.bounds
    session.offset = isHorizontal ? Point(x: offset, y: 0) : Point(x: 0, y: offset)
    rule.visibleStart = offset + insets.leading
    rule.visibleEnd = offset + bounds.height - insets.trailing
    let all = Array(try session.elements())
    var expected = Placement(contentSize: natural.contentSize)
    expected.entries = natural.entries.map { entry in
      var frame = entry.frame
      switch entry.identity.kind {
      case "header": frame.y = rule.header(of: entry.identity.section)
      case "footer": frame.y = rule.footer(of: entry.identity.section)
      default: break
      }
      return Placement.Entry(identity: entry.identity, frame: frame, scale: entry.scale)
    }
    try (isHorizontal ? expected.transposed : expected).check(session, "\(self) at \(offset)")
    for element in all {
      let sticks: Bool
      switch element.identity.kind {
      case "header": sticks = rule.sticksHeaders
      case "footer": sticks = rule.sticksFooters
      default: continue
      }
      guard element.zIndex == (sticks ? 1024 : 0) else {
        throw Laws.Broken("what sticks lies in front", "\(self) at \(offset): \(element)")
      }
      guard try session.element(element.identity) == element else {
        throw Laws.Broken("an element goes by where it sticks", "\(self) at \(offset): \(element)")
      }
    }
    try Laws.checkQuery(session, session.visibleRect, all)
    // A whisker of the content, a part without cells, one far from where things naturally are.
    for start in [offset + insets.leading, offset + bounds.height - 1, offset - 50] {
      let rect = Rect(x: 3, y: start, width: 5, height: 0.75)
      try Laws.checkQuery(session, isHorizontal ? rect.transposed : rect, all)
    }
  }
}
