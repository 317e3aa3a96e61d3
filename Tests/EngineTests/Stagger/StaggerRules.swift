import TesseraGeometry
import TesseraHost

/// The rules of the stagger engine as they are written down, item after item.
struct StaggerRules {
  var bounds = Size(width: 375, height: 667)
  var contentInsets = Insets.zero
  var itemSize = Size(width: 100, height: 90)
  var spacing = 10.0
  var isCentred = false
  var counts: [Int] = []

  var availableHeight: Double {
    max(0, bounds.height - contentInsets.top - contentInsets.bottom)
  }

  var rows: Int {
    max(1, Int(((availableHeight + spacing) / (itemSize.height + spacing)).rounded(.down)))
  }

  func place() -> Placement {
    var placement = Placement()
    let block = Double(rows) * itemSize.height + Double(rows - 1) * spacing
    let shift = isCentred ? max(0, (availableHeight - block) / 2) : 0
    placement.contentSize.height = isCentred ? max(block, availableHeight) : block
    for (index, identity) in cells(inSections: counts).enumerated() {
      let (row, column) = (index % rows, index / rows)
      let frame = Rect(
        x: Double(column) * (itemSize.width + spacing) + (row % 2 == 1 ? itemSize.width / 2 : 0),
        y: shift + Double(row) * (itemSize.height + spacing), width: itemSize.width,
        height: itemSize.height)
      placement.entries.append(Placement.Entry(identity: identity, frame: frame))
      placement.contentSize.width = max(placement.contentSize.width, frame.maxX)
    }
    return placement
  }

  /// Gives a session of the engine what the rules are followed for.
  func apply(to session: Session) throws {
    session.bounds = bounds
    session.contentInsets = contentInsets
    try session.setParameter("itemSize", to: .size(itemSize))
    try session.setParameter("itemSpacing", to: .number(spacing))
    try session.setParameter("alignment", to: .choice(isCentred ? "center" : "top"))
    try session.setSections(counts)
  }
}
