import TesseraGeometry
import TesseraHost

/// The rules of the mosaic engine as they are written down, row after row.
struct MosaicRules {
  var bounds = Size(width: 375, height: 667)
  var contentInsets = Insets.zero
  var segmentHeight = 200.0
  var spacing = 1.0
  var counts: [Int] = []

  func place() -> Placement {
    let items = cells(inSections: counts)
    let width = max(0, bounds.width - contentInsets.left - contentInsets.right)
    var placement = Placement(contentSize: Size(width: width, height: 0))
    var next = 0
    var bottom = 0.0
    var style = "fullWidth"
    while next < items.count {
      let left = items.count - next
      // The first row is full width; then a last item alone, or two, decide; else the styles turn.
      if next > 0 { style = left == 1 ? "fullWidth" : left == 2 ? "fiftyFifty" : after(style) }
      let row = Rect(x: 0, y: bottom + spacing, width: width, height: segmentHeight)
      for frame in rects(style, row) {
        placement.entries.append(Placement.Entry(identity: items[next], frame: frame))
        next += 1
      }
      bottom = row.maxY
      placement.contentSize.height = bottom
    }
    return placement
  }

  private func after(_ style: String) -> String {
    switch style {
    case "fullWidth": "fiftyFifty"
    case "fiftyFifty": "twoThirdsOneThird"
    case "twoThirdsOneThird": "oneThirdTwoThirds"
    default: "fiftyFifty"
    }
  }

  private func rects(_ style: String, _ row: Rect) -> [Rect] {
    switch style {
    case "fullWidth": return [row]
    case "fiftyFifty": return across(row, 1, of: 2)
    case "twoThirdsOneThird":
      let parts = across(row, 2, of: 3)
      return [parts[0]] + down(parts[1])
    default:
      let parts = across(row, 1, of: 3)
      return down(parts[0]) + [parts[1]]
    }
  }

  /// Left and right part, split at a fraction of the whole points of the width, which is exact in
  /// whole numbers; the right part starts a point after the left one.
  private func across(_ rect: Rect, _ part: Int, of parts: Int) -> [Rect] {
    let width = Int(rect.width.rounded(.down))
    let first = (width * part + parts - 1) / parts
    return [
      Rect(x: rect.x, y: rect.y, width: Double(first), height: rect.height),
      Rect(
        x: rect.x + Double(first + 1), y: rect.y, width: Double(max(0, width - first - 1)),
        height: rect.height),
    ]
  }

  private func down(_ rect: Rect) -> [Rect] {
    let first = (rect.height / 2).rounded(.up)
    return [
      Rect(x: rect.x, y: rect.y, width: rect.width, height: first),
      Rect(
        x: rect.x, y: rect.y + first + 1, width: rect.width,
        height: max(0, rect.height - first - 1)),
    ]
  }

  /// Gives a session of the engine what the rules are followed for.
  func apply(to session: Session) throws {
    session.bounds = bounds
    session.contentInsets = contentInsets
    try session.setParameter("segmentHeight", to: .number(segmentHeight))
    try session.setParameter("spacing", to: .number(spacing))
    try session.setSections(counts)
  }
}
