import TesseraSDK

/// A block of rows, filled column by column.
struct StaggeredRows: Equatable {
  let count: Int
  let itemSize: Size
  /// From one item to the next, in each direction.
  let pitch: Size
  /// The height that the block is centred in, or nil where it lies at the top.
  let centredIn: Double?

  /// The size of the content with so many items.
  func contentSize(itemCount: Int) -> Size {
    Size(width: width(itemCount: itemCount), height: max(height, centredIn ?? 0))
  }

  /// Places items one after the other.
  ///
  /// - Parameters:
  ///   - kept: How many of the first have their frames already.
  ///   - firstItem: The number of the first one among all.
  ///   - progress: Called now and then with how many are placed.
  func fill(
    _ frames: inout MutableSpan<Rect>, from kept: Int, firstItem: Int,
    progress: (Int) throws(LayoutFailure) -> Void
  ) throws(LayoutFailure) {
    let top = max(0, ((centredIn ?? 0) - height) / 2)
    let (firstColumn, firstRow) = (firstItem + kept).quotientAndRemainder(dividingBy: count)
    var (row, column) = (firstRow, Double(firstColumn))
    var start = kept
    while start < frames.count {
      let end = min(frames.count, start + 65536)
      for index in start..<end {
        let shift = row & 1 == 0 ? 0 : itemSize.width / 2
        frames[index] = Rect(
          x: column * pitch.width + shift, y: top + Double(row) * pitch.height,
          width: itemSize.width, height: itemSize.height)
        row += 1
        if row == count {
          row = 0
          column += 1
        }
      }
      start = end
      try progress(end)
    }
  }

  private var height: Double { Double(count) * itemSize.height + Double(count - 1) * spacing }

  private var spacing: Double { pitch.height - itemSize.height }

  /// The right edge of the rightmost item, which is shifted unless it stands alone in the first row.
  private func width(itemCount: Int) -> Double {
    guard itemCount > 0 else { return 0 }
    let (lastColumn, lastRow) = (itemCount - 1).quotientAndRemainder(dividingBy: count)
    func right(_ column: Int, isShifted: Bool) -> Double {
      Double(column) * pitch.width + itemSize.width + (isShifted ? itemSize.width / 2 : 0)
    }
    guard lastRow == 0, count > 1, lastColumn > 0 else {
      return right(lastColumn, isShifted: lastRow > 0)
    }
    return max(right(lastColumn, isShifted: false), right(lastColumn - 1, isShifted: true))
  }
}
