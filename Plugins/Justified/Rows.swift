import TesseraSDK

/// Where the items of a last row lie that is not full.
enum LastRow: String, Choice { case leading, center, trailing, fill }

/// What the rows of a section depend on besides their items.
struct RowStyle {
  let left, available: Double
  /// The height that rows are to have.
  let target: Double
  /// The sums of aspect ratios at which a row is neither too high nor too low.
  let least, most: Double
  let interitemSpacing, lineSpacing: Double
  let lastRow: LastRow

  /// The width that a row of so many items leaves for them.
  func free(_ count: Int) -> Double {
    let free = available - Double(count - 1) * interitemSpacing
    // One instruction, unlike `max`, which orders equal numbers.
    return free > 0 ? free : 0
  }
}

/// The rows of a section, from the first one on that may have changed.
struct Division {
  /// The first items of the rows and, after the last row, the number of items.
  var bounds: [Int]
  /// Whether the last row need not fill the width.
  var isLastOpen: Bool
}

/// Divides the items of a section into rows, and places them.
struct RowPlacer {
  let style: RowStyle
  let section: Int
  let ratios: Column<Double>
  /// The positions of the items among all.
  let items: Range<Int>
  /// The number of items in all sections.
  let total: Int

  /// The aspect ratio of an item.
  func ratio(_ item: Int) throws(LayoutFailure) -> Double {
    let ratio = ratios[item]
    guard ratio > 0, ratio <= .greatestFiniteMagnitude else {
      throw .invalidValue(
        "aspectRatio of item \(item) in section \(section) is \(describe(ratio)); it must be finite "
          + "and above 0")
    }
    return ratio
  }

  /// Closes each row as soon as it is near enough to the target height.
  ///
  /// - Parameters:
  ///   - frames: The frames before.
  ///   - kept: The number of items at the start that did not change.
  func greedyRows(_ frames: RowColumn<Rect>, kept: Int) throws(LayoutFailure) -> Division {
    // The row of the last item that did not change may end elsewhere, but begins where it did.
    var first = max(0, kept - 1)
    while first > 0, frames[first - 1].y == frames[first].y { first -= 1 }
    var bounds: [Int] = []
    // As many as there can be: to grow the array takes as long as the search.
    bounds.reserveCapacity(ratios.count - first + 1)
    bounds.append(first)
    var sum = try ratio(first)
    for item in first + 1..<ratios.count {
      let ratio = try ratio(item)
      let joined = sum + ratio
      // The row ends before this item if it is wide enough, or if the item would make it too wide and
      // take it further from the target.
      if sum >= style.least
        || joined > style.most && miss(joined, item - first + 1) > miss(sum, item - first)
      {
        bounds.append(item)
        (first, sum) = (item, ratio)
      } else {
        sum = joined
      }
    }
    bounds.append(ratios.count)
    return Division(bounds: bounds, isLastOpen: sum < style.least)
  }

  /// How far the sum of a row's ratios is from the one that gives it the target height.
  private func miss(_ sum: Double, _ count: Int) -> Double {
    abs(sum - style.free(count) / style.target)
  }

  /// Places rows one below the other.
  ///
  /// - Returns: The bottom of the last row, and the greatest x of a cell in a row without room for its
  ///   items.
  func place(
    _ division: Division, _ frames: RowColumn<Rect>, from start: Double, _ output: Output
  ) throws(LayoutFailure) -> (bottom: Double, reach: Double) {
    var first = division.bounds[0]
    var (y, bottom, reach) = (start, start, 0.0)
    var heightAbove = style.target
    if first > 0 {
      let above = frames[first - 1]
      y = above.y + above.height + style.lineSpacing
      heightAbove = above.height
    }
    for end in division.bounds.dropFirst() {
      let isOpen = division.isLastOpen && end == ratios.count && style.lastRow != .fill
      var sum = 0.0
      for item in first..<end { sum += ratios[item] }
      let free = style.free(end - first)
      let natural = free / sum
      var (x, scale) = (style.left, natural)
      var height = max(style.target / 2, min(natural, style.target * 2))
      if isOpen {
        height = min(heightAbove, natural)
        scale = height
        let width = sum * scale + Double(end - first - 1) * style.interitemSpacing
        let rest = max(0, style.available - width)
        if style.lastRow == .center { x += rest / 2 }
        if style.lastRow == .trailing { x += rest }
      }
      for item in first..<end {
        // Items can be so narrow that the natural height is beyond numbers.
        let width = scale.isFinite ? ratios[item] * scale : ratios[item] / sum * free
        frames[item] = Rect(x: x, y: y, width: width, height: height)
        x += width + style.interitemSpacing
      }
      // Other rows do not reach further than the width that there is.
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
