import TesseraGeometry
import TesseraHost

/// The rules of the grid engine as they are written down, item after item.
struct GridRules {
  var bounds = Size(width: 375, height: 667)
  var contentInsets = Insets.zero
  var itemSize = Size(width: 50, height: 50)
  var spacing = 10.0
  /// 0: as many as fit.
  var columns = 0
  var counts: [Int] = []

  var extent: Double { max(0, bounds.width - contentInsets.left - contentInsets.right) }

  /// How many cells are in a line: counted one by one until the next does not fit.
  var columnCount: Int {
    guard columns == 0 else { return columns }
    var count = 1
    while Double(count + 1) * itemSize.width + Double(count) * spacing <= extent + 1e-6 {
      count += 1
    }
    return count
  }

  func frame(at index: Int) -> Rect {
    Rect(
      x: Double(index % columnCount) * (itemSize.width + spacing),
      y: Double(index / columnCount) * (itemSize.height + spacing), width: itemSize.width,
      height: itemSize.height)
  }

  func place() -> Placement {
    var placement = Placement(contentSize: Size(width: extent, height: 0))
    for (index, identity) in cells(inSections: counts).enumerated() {
      let frame = frame(at: index)
      placement.entries.append(Placement.Entry(identity: identity, frame: frame))
      placement.contentSize.width = max(placement.contentSize.width, frame.maxX)
      placement.contentSize.height = max(placement.contentSize.height, frame.maxY)
    }
    return placement
  }

  /// Gives a session of the engine what the rules are followed for.
  func apply(to session: Session) throws {
    session.bounds = bounds
    session.contentInsets = contentInsets
    try session.setParameter("itemSize", to: .size(itemSize))
    try session.setParameter("spacing", to: .number(spacing))
    try session.setParameter("columns", to: .integer(Int64(columns)))
    try session.setSections(counts)
  }
}
