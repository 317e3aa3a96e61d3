import TesseraSDK

/// How a row of the mosaic is divided.
enum Segment {
  case fullWidth, fiftyFifty, twoThirdsOneThird, oneThirdTwoThirds

  /// The row of items after the first one, when there are at least three of them: these three rows
  /// take turns.
  static let cycle: [Segment] = [.fiftyFifty, .twoThirdsOneThird, .oneThirdTwoThirds]

  /// The rows that place `count` items from the start of a turn.
  static func rows(for count: Int) -> [Segment] {
    var rows: [Segment] = []
    var left = count
    while left > 0 {
      let row: Segment =
        switch left {
        case 1: .fullWidth
        case 2: .fiftyFifty
        default: cycle[rows.count % cycle.count]
        }
      rows.append(row)
      left -= row.itemCount
    }
    return rows
  }

  var itemCount: Int {
    switch self {
    case .fullWidth: 1
    case .fiftyFifty: 2
    case .twoThirdsOneThird, .oneThirdTwoThirds: 3
    }
  }

  /// The rectangles of the items, left part first, upper first.
  func frames(in row: Rect) -> [Rect] {
    switch self {
    case .fullWidth:
      return [row]
    case .fiftyFifty:
      let (left, right) = splitAcross(row, at: 1.0 / 2)
      return [left, right]
    case .twoThirdsOneThird:
      let (left, right) = splitAcross(row, at: 2.0 / 3)
      let (upper, lower) = splitDown(right, at: 1.0 / 2)
      return [left, upper, lower]
    case .oneThirdTwoThirds:
      let (left, right) = splitAcross(row, at: 1.0 / 3)
      let (upper, lower) = splitDown(left, at: 1.0 / 2)
      return [upper, lower, right]
    }
  }
}

/// The left and the right slice of a rectangle, one point apart.
///
/// A width that is no whole number loses its fraction first.
private func splitAcross(_ rect: Rect, at fraction: Double) -> (Rect, Rect) {
  let width = rect.width.rounded(.down)
  let first = (width * fraction).rounded(.up)
  return (
    Rect(x: rect.x, y: rect.y, width: first, height: rect.height),
    Rect(
      x: rect.x + first + 1, y: rect.y, width: max(0, width - first - 1), height: rect.height)
  )
}

/// The upper and the lower slice of a rectangle, one point apart.
private func splitDown(_ rect: Rect, at fraction: Double) -> (Rect, Rect) {
  let first = (rect.height * fraction).rounded(.up)
  return (
    Rect(x: rect.x, y: rect.y, width: rect.width, height: first),
    Rect(
      x: rect.x, y: rect.y + first + 1, width: rect.width,
      height: max(0, rect.height - first - 1))
  )
}
