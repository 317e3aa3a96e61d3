import TesseraSDK

/// The alignment of a last row that is not full.
enum LastRow: String, Choice { case leading, center, trailing, fill }

struct RowStyle {
  let left, available: Double
  let target: Double
  /// The acceptable sums of aspect ratios.
  let least, most: Double
  let interitemSpacing, lineSpacing: Double
  let lastRow: LastRow

  func free(_ count: Int) -> Double {
    let free = available - Double(count - 1) * interitemSpacing
    // One instruction, unlike `max`, which orders equal numbers.
    return free > 0 ? free : 0
  }
}

struct RowPlacer {
  /// The end, the sum of aspect ratios, and whether it is a last row that is not full.
  typealias Row = (end: Int, sum: Double, isOpen: Bool)

  let style: RowStyle
  let section: Int
  let ratios: Column<Double>
  /// Positions among all items.
  let items: Range<Int>
  /// In all sections.
  let total: Int

  @inline(__always)
  func ratio(_ item: Int) throws(LayoutFailure) -> Double {
    let ratio = ratios[item]
    guard ratio > 0, ratio <= .greatestFiniteMagnitude else { throw refusal(of: ratio, item) }
    return ratio
  }

  private func refusal(of ratio: Double, _ item: Int) -> LayoutFailure {
    .invalidValue(
      "aspectRatio of item \(item) in section \(section) is \(describe(ratio)); it must be finite "
        + "and above 0")
  }

  /// The row that the first changed item may join.
  ///
  /// - Parameters:
  ///   - frames: The frames before.
  ///   - kept: The number of unchanged items at the start.
  func greedyStart(_ frames: RowColumn<Rect>, kept: Int) -> Int {
    // The last unchanged item's row may end elsewhere, but begins where it did.
    var first = max(0, kept - 1)
    while first > 0, frames[first - 1].y == frames[first].y { first -= 1 }
    return first
  }

  /// The row from an item on, closed as soon as it is near enough to the target height.
  @inline(__always)
  func greedyRow(from first: Int) throws(LayoutFailure) -> Row {
    var (end, sum) = (first + 1, try ratio(first))
    while end < ratios.count, sum < style.least {
      let joined = sum + (try ratio(end))
      // Ends before an item that makes the row too wide and misses the target by more.
      if joined > style.most, miss(joined, end - first + 1) > miss(sum, end - first) { break }
      (end, sum) = (end + 1, joined)
    }
    return (end, sum, end == ratios.count && sum < style.least)
  }

  /// Open if it is the last row and at least as high as the target.
  func row(_ items: Range<Int>) -> Row {
    var sum = 0.0
    for item in items { sum += ratios[item] }
    let isLast = items.upperBound == ratios.count
    return (items.upperBound, sum, isLast && style.free(items.count) / sum >= style.target)
  }

  /// The error in the sum of ratios.
  private func miss(_ sum: Double, _ count: Int) -> Double {
    abs(sum - style.free(count) / style.target)
  }

  /// Places rows as they are found, while the items' ratios are in the cache.
  ///
  /// Returns the bottom of the last row, and the maximum x of cells in rows without room.
  ///
  /// - Parameter row: Returns the row that begins with an item.
  @inline(__always)
  func place(
    from first: Int, _ frames: RowColumn<Rect>, below start: Double, _ output: Output,
    _ row: (_ first: Int) throws(LayoutFailure) -> Row
  ) throws(LayoutFailure) -> (bottom: Double, reach: Double) {
    var first = first
    var (y, bottom, reach) = (start, start, 0.0)
    var heightAbove = style.target
    if first > 0 {
      let above = frames[first - 1]
      y = above.y + above.height + style.lineSpacing
      heightAbove = above.height
    }
    while first < ratios.count {
      let (end, sum, isOpen) = try row(first)
      let free = style.free(end - first)
      let natural = free / sum
      var (x, scale) = (style.left, natural)
      var height = max(style.target / 2, min(natural, style.target * 2))
      if isOpen, style.lastRow != .fill {
        height = min(heightAbove, natural)
        scale = height
        let width = sum * scale + Double(end - first - 1) * style.interitemSpacing
        let rest = max(0, style.available - width)
        if style.lastRow == .center { x += rest / 2 }
        if style.lastRow == .trailing { x += rest }
      }
      for item in first..<end {
        // Items can be so narrow that the natural height overflows.
        let width = scale.isFinite ? ratios[item] * scale : ratios[item] / sum * free
        frames[item] = Rect(x: x, y: y, width: width, height: height)
        x += width + style.interitemSpacing
      }
      // Other rows stay within the width.
      if free == 0 { reach = max(reach, x - style.interitemSpacing) }
      bottom = y + height
      y = bottom + style.lineSpacing
      heightAbove = height
      if first >> 16 != end >> 16 {
        try output.progress(Double(items.lowerBound + end) / Double(total))
      }
      first = end
    }
    return (bottom, reach)
  }
}
