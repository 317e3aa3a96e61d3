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

  init(
    left: Double, available: Double, target: Double, tolerance: Double, interitemSpacing: Double,
    lineSpacing: Double, lastRow: LastRow
  ) {
    (self.left, self.available, self.target) = (left, available, target)
    least = available / target * (1 - tolerance)
    most = available / target * (1 + tolerance)
    (self.interitemSpacing, self.lineSpacing) = (interitemSpacing, lineSpacing)
    self.lastRow = lastRow
  }

  /// The width that a row of so many items leaves for them.
  @inline(__always) func free(_ count: Int) -> Double {
    let free = available - Double(count &- 1) * interitemSpacing
    return free > 0 ? free : 0
  }
}

/// A row of a section's items.
struct Row {
  let first, end: Int
  /// The sum of their aspect ratios.
  let sum: Double
  /// Whether it is a last row that need not fill the width.
  var isOpen = false
}

/// Writes the frames of rows, one row below the other.
struct RowPlacer {
  let style: RowStyle
  let section: Int
  let ratios: Column<Double>
  /// The positions of the items among all.
  let items: Range<Int>
  /// The number of items in all sections.
  let total: Int

  /// How far rows have come.
  struct Place {
    /// The first item that was placed.
    let first: Int
    /// The bottom of the last row.
    var bottom = 0.0
    /// The greatest x of a cell in a row without room for its items.
    var reach = 0.0
    /// The top of the next row.
    fileprivate var top = 0.0
    /// The height of the row before.
    fileprivate var height: Double?
  }

  /// The aspect ratio of an item.
  @inline(__always) func ratio(_ item: Int) throws(LayoutFailure) -> Double {
    let ratio = ratios[item]
    guard ratio > 0, ratio <= .greatestFiniteMagnitude else { throw refusal(item, ratio) }
    return ratio
  }

  @inline(never) private func refusal(_ item: Int, _ ratio: Double) -> LayoutFailure {
    .invalidValue(
      "aspectRatio of item \(item) in section \(section) is \(describe(ratio)); it must be finite "
        + "and above 0")
  }

  /// The place below an item, or `start` if there is none.
  private func place(
    below first: Int, _ frames: borrowing MutableSpan<Rect>, start: Double
  ) -> Place {
    guard first > 0 else { return Place(first: 0, top: start) }
    let before = frames[first - 1]
    return Place(
      first: first, top: before.y + before.height + style.lineSpacing, height: before.height)
  }

  /// Writes the frames of a row, and moves below it.
  ///
  /// - Parameter free: The width that it leaves for its items.
  @inline(__always) func add(
    _ row: Row, free: Double, at place: inout Place, _ frames: inout MutableSpan<Rect>
  ) {
    let natural = free / row.sum
    var x = style.left
    // One instruction each, unlike min and max, which order equal numbers.
    var height = natural > style.target / 2 ? natural : style.target / 2
    height = height < style.target * 2 ? height : style.target * 2
    var scale = natural
    if row.isOpen, style.lastRow != .fill {
      height = min(place.height ?? style.target, natural)
      scale = height
      let width = row.sum * scale + Double(row.end - row.first - 1) * style.interitemSpacing
      let rest = max(0, style.available - width)
      switch style.lastRow {
      case .leading, .fill: break
      case .center: x += rest / 2
      case .trailing: x += rest
      }
    }
    var item = row.first
    if scale <= .greatestFiniteMagnitude {
      while item < row.end {
        let width = ratios[item] * scale
        frames[item] = Rect(x: x, y: place.top, width: width, height: height)
        x += width + style.interitemSpacing
        item &+= 1
      }
    } else {
      // So narrow that their height is beyond numbers.
      while item < row.end {
        let width = ratios[item] / row.sum * free
        frames[item] = Rect(x: x, y: place.top, width: width, height: height)
        x += width + style.interitemSpacing
        item &+= 1
      }
    }
    // Others do not reach further than the width that there is.
    if !(free > 0) { place.reach = max(place.reach, x - style.interitemSpacing) }
    place.bottom = place.top + height
    place.top = place.bottom + style.lineSpacing
    place.height = height
  }

  /// Reports progress if `item` is more than some ten thousand items after the last report.
  @inline(__always) func report(
    _ item: Int, since last: inout Int, _ output: Output
  ) throws(LayoutFailure) {
    guard item - last >= 1 << 16 else { return }
    last = item
    try output.progress(Double(items.lowerBound + item) / Double(total))
  }
}

extension RowPlacer {
  /// Closes each row as soon as it is near enough to the target height.
  ///
  /// - Parameter kept: The number of items at the start that did not change, with their old frames.
  func placeGreedily(
    _ frames: inout MutableSpan<Rect>, kept: Int, from start: Double, _ output: Output
  ) throws(LayoutFailure) -> Place {
    // The row of the last item that did not change may end elsewhere, but begins where it did.
    var first = max(0, kept - 1)
    while first > 0, frames[first - 1].y == frames[first].y { first -= 1 }
    // Most rows have few items, and a division would take longer than everything else.
    let known = (0..<32).map { (free: style.free($0), ideal: style.free($0) / style.target) }
    let (widths, count, most, placer) = (known.span, frames.count, style.most, self)
    func width(_ count: Int) -> (free: Double, ideal: Double) {
      if count < widths.count { return widths[unchecked: count] }
      let free = placer.style.free(count)
      return (free, free / placer.style.target)
    }
    // The next number is not below the least sum.
    let below = style.least.nextDown
    var place = place(below: first, frames, start: start)
    guard first < count else { return place }
    var (sum, reported) = (try placer.ratio(first), first)
    for item in first + 1..<count {
      let ratio = try placer.ratio(item)
      let joined = sum + ratio
      if joined > below {
        // The row ends before this item if it is wide enough, or if the item would make it too wide
        // and take it further from the target. That is one condition, because processors do not
        // guess well how wide items are.
        let (before, after) = (width(item &- first), width(item &- first &+ 1))
        let farther = (joined - after.ideal).magnitude - (sum - before.ideal).magnitude
        let excess = joined - most < farther ? joined - most : farther
        if (sum - below > excess ? sum - below : excess) > 0 {
          let row = Row(first: first, end: item, sum: sum)
          placer.add(row, free: before.free, at: &place, &frames)
          (first, sum) = (item, ratio)
          try report(item, since: &reported, output)
          continue
        }
      }
      sum = joined
    }
    let last = Row(first: first, end: count, sum: sum, isOpen: sum <= below)
    placer.add(last, free: width(count - first).free, at: &place, &frames)
    return place
  }

  /// Places rows that were searched for.
  ///
  /// - Parameter bounds: Where they begin and, after the last one, end.
  func place(
    _ bounds: [Int32], isLastOpen: Bool, _ frames: inout MutableSpan<Rect>, from start: Double,
    _ output: Output
  ) throws(LayoutFailure) -> Place {
    var first = Int(bounds[0])
    var place = place(below: first, frames, start: start)
    var reported = first
    for bound in bounds.dropFirst() {
      let end = Int(bound)
      var sum = 0.0
      for item in first..<end { sum += ratios[item] }
      let isOpen = isLastOpen && end == frames.count
      add(
        Row(first: first, end: end, sum: sum, isOpen: isOpen), free: style.free(end - first),
        at: &place, &frames)
      first = end
      try report(end, since: &reported, output)
    }
    return place
  }
}
