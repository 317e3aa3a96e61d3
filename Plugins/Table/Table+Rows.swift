import TesseraSDK

extension Table {
  /// Places the rows of a section and the separators between them, and moves `y` behind the last.
  ///
  /// - Parameter unchanged: How many of the first rows are where they were.
  func addRows(
    ofSection section: Int, unchanged: Int, at y: inout Double, width: Double, _ input: Input,
    to output: Output
  ) throws(LayoutFailure) {
    let items = input.items(inSection: section)
    guard !items.isEmpty else { return }
    let heights = height[items]
    let cells = try output.add(.cells(inSection: section, items: 0..<items.count))
    let kept = min(cells.kept, unchanged, cells.count)
    try cells.frame.withMutableSpan { (frames) throws(LayoutFailure) in
      if kept > 0 { y = frames[kept - 1].maxY }
      for row in kept..<frames.count {
        let height = heights[row]
        guard height.isFinite, height >= 0 else { throw refusal(of: height, row, section) }
        frames[row] = Rect(x: 0, y: y, width: width, height: height)
        y += height
        if row & 0xFFFF == 0xFFFF {
          try output.progress(Double(items.lowerBound + row) / Double(input.itemCount))
        }
      }
    }
    guard y.isFinite else {
      throw .invalidValue(
        "the rows of section \(section) would lie further out than numbers reach; give smaller "
          + "heights")
    }
    try addSeparators(
      below: cells.frame, ofSection: section, unchanged: kept, width: width, to: output)
  }

  private func addSeparators(
    below cells: RowColumn<Rect>, ofSection section: Int, unchanged: Int, width: Double,
    to output: Output
  ) throws(LayoutFailure) {
    guard cells.count > 1 else { return }
    let rows = try output.add(
      .elements(separator, inSection: section, items: 0..<cells.count - 1))
    let kept = min(rows.kept, unchanged, rows.count)
    let (left, thickness) = (separatorInset.left, separatorHeight)
    let length = max(0, width - left - separatorInset.right)
    rows.frame.withMutableSpan { frames in
      for row in kept..<frames.count {
        frames[row] = Rect(
          x: left, y: cells[row].maxY - thickness, width: length, height: thickness)
      }
    }
    rows.zIndex.withMutableSpan { zIndex in
      for row in kept..<zIndex.count { zIndex[row] = 1 }
    }
  }

  private func refusal(of height: Double, _ item: Int, _ section: Int) -> LayoutFailure {
    .invalidValue(
      "height of item \(item) in section \(section) is \(describe(height)); it must be finite and "
        + "not negative")
  }
}
