import TesseraSDK

/// The frames of all items, in order.
///
/// Blocks: the first row; turns of three rows with eight items, each turn alike; the rows of the
/// remaining items.
struct Tiling {
  /// What determines all frames.
  struct Shape: Equatable {
    let count: Int
    let size: Size
    let spacing: Double

    fileprivate var following: Int { max(0, count - 1) }

    /// Items with the same frames as earlier: the common turns, or all.
    func stableCount(since earlier: Shape) -> Int {
      guard size == earlier.size, spacing == earlier.spacing else { return 0 }
      if count == earlier.count { return count }
      return count == 0 || earlier.count == 0 ? 0 : 1 + min(following, earlier.following) / 8 * 8
    }
  }

  let height: Double

  private let shape: Shape
  private let pitch: Double
  private let turn: InlineArray<8, Rect>
  private let turnCount: Int
  private let rest: InlineArray<8, Rect>
  private var placed = 0

  init(_ shape: Shape) {
    let pitch = shape.size.height + shape.spacing
    func frames(_ rows: [Segment]) -> InlineArray<8, Rect> {
      var (frames, count) = (InlineArray<8, Rect>(repeating: .zero), 0)
      for (index, row) in rows.enumerated() {
        let origin = Point(x: 0, y: Double(index) * pitch)
        row.place(in: Rect(origin: origin, size: shape.size)) { frame in
          frames[count] = frame
          count += 1
        }
      }
      return frames
    }
    turn = frames(Segment.cycle)
    turnCount = shape.following / 8
    let restRows = Segment.rows(for: shape.following % 8)
    rest = frames(restRows)
    let lastRow = turnCount * Segment.cycle.count + restRows.count
    height =
      shape.count == 0 ? 0 : shape.spacing + Double(lastRow) * pitch + shape.size.height
    self.shape = shape
    self.pitch = pitch
  }

  /// Writes the frames of the items.
  ///
  /// - Parameters:
  ///   - kept: Items at the start whose frames are already right.
  ///   - progress: Called at intervals with the fraction of placed items.
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
        try progress(Double(placed) / Double(shape.count))
      } else {
        frames[index] = frame(turnNumber: turnNumber, place: place)
        placed += 1
        index += 1
      }
    }
  }

  /// Turns between two calls of progress.
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
    guard placed > 0 else { return Rect(origin: Point(x: 0, y: shape.spacing), size: shape.size) }
    let frame = turnNumber < turnCount ? turn[place] : rest[place]
    return shifted(frame, by: top(ofTurn: turnNumber))
  }

  private func top(ofTurn turnNumber: Int) -> Double {
    shape.spacing + Double(1 + turnNumber * Segment.cycle.count) * pitch
  }

  private func shifted(_ frame: Rect, by distance: Double) -> Rect {
    Rect(x: frame.x, y: frame.y + distance, width: frame.width, height: frame.height)
  }
}

enum Segment {
  case fullWidth, fiftyFifty, twoThirdsOneThird, oneThirdTwoThirds

  /// Repeated after the first row while at least three items are left.
  static let cycle: [Segment] = [.fiftyFifty, .twoThirdsOneThird, .oneThirdTwoThirds]

  /// The rows for `count` items from the start of a turn.
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

  /// Left part first, upper first.
  func place(in row: Rect, _ body: (Rect) -> Void) {
    switch self {
    case .fullWidth:
      body(row)
    case .fiftyFifty:
      let (left, right) = splitAcross(row, at: 1.0 / 2)
      body(left)
      body(right)
    case .twoThirdsOneThird:
      let (left, right) = splitAcross(row, at: 2.0 / 3)
      let (upper, lower) = splitDown(right, at: 1.0 / 2)
      body(left)
      body(upper)
      body(lower)
    case .oneThirdTwoThirds:
      let (left, right) = splitAcross(row, at: 1.0 / 3)
      let (upper, lower) = splitDown(left, at: 1.0 / 2)
      body(upper)
      body(lower)
      body(right)
    }
  }
}

/// Left and right slices, one point apart; drops the fraction of the width first.
private func splitAcross(_ rect: Rect, at fraction: Double) -> (Rect, Rect) {
  let width = rect.width.rounded(.down)
  let first = (width * fraction).rounded(.up)
  return (
    Rect(x: rect.x, y: rect.y, width: first, height: rect.height),
    Rect(
      x: rect.x + first + 1, y: rect.y, width: max(0, width - first - 1), height: rect.height)
  )
}

/// Upper and lower slices, one point apart.
private func splitDown(_ rect: Rect, at fraction: Double) -> (Rect, Rect) {
  let first = (rect.height * fraction).rounded(.up)
  return (
    Rect(x: rect.x, y: rect.y, width: rect.width, height: first),
    Rect(
      x: rect.x, y: rect.y + first + 1, width: rect.width,
      height: max(0, rect.height - first - 1))
  )
}
