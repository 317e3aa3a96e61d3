import TesseraSDK

extension Lines {
  /// How many items are placed without a note or a report: repeating is so quick that more of either
  /// would be felt.
  private static var itemsBetweenStops: Int { 65536 }

  /// Repeats a line of a section whose items are all of one size, for as long as more items come
  /// after: such lines differ only in where they lie along the scroll axis.
  ///
  /// - Parameters:
  ///   - main: Where the line lies.
  ///   - next: The item after the line; afterwards the first one that is not placed.
  func repeatLine(
    _ line: Line, placedAt main: Double, _ frames: inout MutableSpan<Rect>, _ next: inout Int,
    at cursor: inout Cursor
  ) {
    let (start, gap) = spread(line)
    let reach = reach(of: line, from: start, gap)
    func rounded(_ main: Double) -> Double? {
      style.grid.method(below: max(reach, abs(main) + line.thickness)).round(main)
    }
    // Lines far out are rounded in neither direction: one by one.
    guard rounded(main) != nil else { return }
    let count = line.items.count
    let end = min(frames.count - count, next + Self.itemsBetweenStops)
    while next < end, let place = rounded(cursor.main + style.lineSpacing) {
      cursor.advance(by: style.lineSpacing)
      for item in next..<next + count {
        var frame = frames[item - count]
        Axis.setMain(place, of: &frame)
        frames[item] = frame
      }
      cursor.pass(line.thickness)
      next += count
    }
  }
}
