import TesseraSDK

/// The frames of all items, in order.
///
/// They come in blocks: the first row; turns of three rows with eight items, each like the one
/// before; the rows of the items that are left.
struct Tiling: Equatable {
  /// The bottom of the last row.
  let height: Double

  private let count: Int
  private let size: Size
  private let firstTop: Double
  private let pitch: Double
  private let first: Rect
  private let turn: InlineArray<8, Rect>
  private let turnCount: Int
  private let rest: [Rect]
  private var placed = 0

  init(count: Int, width: Double, segmentHeight: Double, spacing: Double) {
    let pitch = segmentHeight + spacing
    func frames(_ rows: [Segment]) -> [Rect] {
      rows.enumerated().flatMap { index, row in
        row.frames(
          in: Rect(x: 0, y: Double(index) * pitch, width: width, height: segmentHeight))
      }
    }
    let turnFrames = frames(Segment.cycle)
    let following = max(0, count - 1)
    turn = InlineArray { turnFrames[$0] }
    turnCount = following / turnFrames.count
    let restRows = Segment.rows(for: following % turnFrames.count)
    rest = frames(restRows)
    first = Rect(x: 0, y: 0, width: width, height: segmentHeight)
    firstTop = spacing
    let lastRow = turnCount * Segment.cycle.count + restRows.count
    height = count == 0 ? 0 : spacing + Double(lastRow) * pitch + segmentHeight
    self.pitch = pitch
    self.count = count
    size = Size(width: width, height: segmentHeight)
  }

  /// Whether all items have the same frames as in another mosaic.
  ///
  /// These four values determine everything.
  static func == (left: Tiling, right: Tiling) -> Bool {
    left.count == right.count && left.isLike(right)
  }

  /// The number of items at the start with the same frames as in an earlier mosaic: those of the
  /// turns that both have, or all.
  func stableCount(since earlier: Tiling) -> Int {
    guard isLike(earlier) else { return 0 }
    if count == earlier.count { return count }
    return count == 0 || earlier.count == 0 ? 0 : 1 + 8 * min(turnCount, earlier.turnCount)
  }

  private func isLike(_ other: Tiling) -> Bool {
    size == other.size && firstTop == other.firstTop && pitch == other.pitch
  }

  /// Writes the frames of the items.
  ///
  /// - Parameters:
  ///   - kept: The number of items at the start whose frames are already right.
  ///   - progress: Called at intervals with the fraction of items that is placed.
  mutating func fill(
    _ frames: inout MutableSpan<Rect>, from kept: Int,
    progress: (Double) throws(LayoutFailure) -> Void
  ) throws(LayoutFailure) {
    var index = kept
    placed += kept
    while index < frames.count {
      let (turnNumber, place) = (placed - 1).quotientAndRemainder(dividingBy: 8)
      let turns = min(turnCount - turnNumber, (frames.count - index) / 8, Self.turnsAtATime)
      if placed > 0, place == 0, turns > 0 {
        fillTurns(turnNumber..<turnNumber + turns, &frames, from: index)
        placed += turns * 8
        index += turns * 8
        try progress(Double(placed) / Double(count))
      } else {
        frames[index] = frame(turnNumber: turnNumber, place: place)
        placed += 1
        index += 1
      }
    }
  }

  /// The number of turns between two calls of progress.
  private static let turnsAtATime = 8192

  private func fillTurns(
    _ turns: Range<Int>, _ frames: inout MutableSpan<Rect>, from start: Int
  ) {
    var index = start
    for turnNumber in turns {
      let top = top(ofTurn: turnNumber)
      for place in 0..<8 {
        var frame = turn[place]
        frame.y += top
        frames[index] = frame
        index += 1
      }
    }
  }

  private func frame(turnNumber: Int, place: Int) -> Rect {
    guard placed > 0 else { return shifted(first, by: firstTop) }
    let frame = turnNumber < turnCount ? turn[place] : rest[place]
    return shifted(frame, by: top(ofTurn: turnNumber))
  }

  private func top(ofTurn turnNumber: Int) -> Double {
    firstTop + Double(1 + turnNumber * Segment.cycle.count) * pitch
  }

  private func shifted(_ frame: Rect, by distance: Double) -> Rect {
    Rect(x: frame.x, y: frame.y + distance, width: frame.width, height: frame.height)
  }
}

/// How a row of the mosaic is divided.
enum Segment {
  case fullWidth, fiftyFifty, twoThirdsOneThird, oneThirdTwoThirds

  /// The rows that take turns after the first one, while at least three items are left.
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
/// The fraction of the width is dropped first.
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
