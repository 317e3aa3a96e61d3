import TesseraSDK

/// The frames of all items, given out in order.
///
/// They come in blocks: the first row; turns of three rows with eight items, each like the one
/// before; the rows of the items that are left.
struct Tiling {
  /// The bottom of the last row.
  let height: Double

  private let count: Int
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
  }

  /// Gives the next items their frames.
  ///
  /// - Parameter progress: Called now and then with the part of all items that is placed.
  mutating func fill(
    _ frames: inout MutableSpan<Rect>,
    progress: (Double) throws(LayoutFailure) -> Void
  ) throws(LayoutFailure) {
    var index = 0
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

  /// How many turns go between two calls of progress.
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
