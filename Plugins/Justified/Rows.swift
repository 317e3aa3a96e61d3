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
    max(0, available - Double(count &- 1) * interitemSpacing)
  }
}

/// A row of a section's items.
struct Row {
  let items: Range<Int>
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

  /// The bottom of the last row.
  private(set) var bottom = 0.0
  /// The greatest x of a cell.
  private(set) var reach = 0.0
  /// The top of the next row.
  private var top = 0.0
  /// The height of the row before.
  private var height: Double?

  init(style: RowStyle, section: Int, ratios: Column<Double>, items: Range<Int>, total: Int) {
    (self.style, self.section, self.ratios) = (style, section, ratios)
    (self.items, self.total) = (items, total)
  }

  /// The aspect ratio of an item.
  @inline(__always) func ratio(_ item: Int) throws(LayoutFailure) -> Double {
    let ratio = ratios[item]
    guard ratio > 0, ratio <= .greatestFiniteMagnitude else {
      throw .invalidValue(
        "aspectRatio of item \(item) in section \(section) is \(describe(ratio)); it must be finite "
          + "and above 0")
    }
    return ratio
  }

  /// Continues below an item, or at `start` if there is none.
  mutating func resume(_ frames: borrowing MutableSpan<Rect>, at first: Int, start: Double) {
    top = start
    height = nil
    guard first > 0 else { return }
    let before = frames[first - 1]
    height = before.height
    top = before.y + before.height + style.lineSpacing
  }

  /// Writes the frames of a row.
  @inline(__always) mutating func place(_ row: Row, _ frames: inout MutableSpan<Rect>) {
    let free = style.free(row.items.count)
    let natural = free / row.sum
    var x = style.left
    var rowHeight = min(max(natural, style.target / 2), style.target * 2)
    var scale = natural
    if row.isOpen, style.lastRow != .fill {
      rowHeight = min(height ?? style.target, natural)
      scale = rowHeight
      let width = row.sum * scale + Double(row.items.count - 1) * style.interitemSpacing
      let rest = max(0, style.available - width)
      switch style.lastRow {
      case .leading, .fill: break
      case .center: x += rest / 2
      case .trailing: x += rest
      }
    }
    if scale.isFinite {
      for item in row.items {
        let width = ratios[item] * scale
        frames[item] = Rect(x: x, y: top, width: width, height: rowHeight)
        x += width + style.interitemSpacing
      }
    } else {
      // So narrow that their height is beyond numbers.
      for item in row.items {
        let width = ratios[item] / row.sum * free
        frames[item] = Rect(x: x, y: top, width: width, height: rowHeight)
        x += width + style.interitemSpacing
      }
    }
    reach = max(reach, x - style.interitemSpacing)
    bottom = top + rowHeight
    top = bottom + style.lineSpacing
    height = rowHeight
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
  mutating func placeGreedily(
    _ frames: inout MutableSpan<Rect>, kept: Int, from start: Double, _ output: Output
  ) throws(LayoutFailure) {
    // The row of the last item that did not change may end elsewhere, but begins where it did.
    var first = max(0, kept - 1)
    while first > 0, frames[first - 1].y == frames[first].y { first -= 1 }
    resume(frames, at: first, start: start)
    var (sum, reported) = (0.0, first)
    var item = first
    while item < frames.count {
      let ratio = try ratio(item)
      let joined = sum + ratio
      if joined < style.least {
        sum = joined
      } else if joined > style.most, item > first, isBetter(first..<item, sum, than: joined) {
        place(Row(items: first..<item, sum: sum), &frames)
        (first, sum) = (item, 0)
        // The item begins the next row, by the same rules.
        continue
      } else {
        place(Row(items: first..<item + 1, sum: joined), &frames)
        (first, sum) = (item + 1, 0)
        try report(item, since: &reported, output)
      }
      item += 1
    }
    guard first < item else { return }
    place(Row(items: first..<item, sum: sum, isOpen: true), &frames)
  }

  /// Whether a row is nearer to the target height without the next item than with it.
  private func isBetter(_ items: Range<Int>, _ sum: Double, than joined: Double) -> Bool {
    let before = sum - style.free(items.count) / style.target
    let after = joined - style.free(items.count + 1) / style.target
    return after.magnitude > before.magnitude
  }

  /// Places rows that were searched for.
  mutating func place(
    _ rows: RowSearch.Rows, _ frames: inout MutableSpan<Rect>, from start: Double, _ output: Output
  ) throws(LayoutFailure) {
    var first = Int(rows.bounds[0])
    resume(frames, at: first, start: start)
    var reported = first
    for bound in rows.bounds.dropFirst() {
      let end = Int(bound)
      var sum = 0.0
      for item in first..<end { sum += ratios[item] }
      place(
        Row(items: first..<end, sum: sum, isOpen: rows.isLastOpen && end == frames.count), &frames)
      first = end
      try report(end, since: &reported, output)
    }
  }
}
