import TesseraSDK

extension Flow {
  /// Places the cells of a section, those alone that may not lie where they lay.
  ///
  /// - Parameters:
  ///   - earlier: What the last prepare noted; nil where nothing of it holds.
  ///   - trail: What this one notes.
  func addCells<Axis: ScrollAxis>(
    ofSection section: Int, _ style: SectionStyle, along axis: Axis.Type, since earlier: Trail?,
    noting trail: inout Trail, at cursor: inout Cursor, _ input: Input, to output: Output
  ) throws(LayoutFailure) {
    let items = input.items(inSection: section)
    let (start, firstCheckpoint) = (cursor, trail.checkpoints.count)
    defer { trail.endSection(from: start, to: cursor, firstCheckpoint: firstCheckpoint) }
    guard !items.isEmpty else { return }
    let rows = try output.add(.cells(inSection: section, items: 0..<items.count))
    var first = 0
    if let earlier, rows.kept > 0, let known = earlier.section(section, from: start) {
      let unchanged = input.change.unchangedItems(inSection: section)
      if unchanged == .max, rows.kept == items.count {
        trail.checkpoints += earlier.checkpoints[known.checkpoints]
        cursor = known.end
        return
      }
      let good = earlier.checkpoints(of: known, before: min(rows.kept, unchanged))
      if let last = good.last {
        trail.checkpoints += good
        (first, cursor) = (last.item, last.cursor)
      }
    }
    let lines = Lines<Axis>(section: section, style: style, sizes: size[items])
    try rows.frame.withMutableSpan { (frames) throws(LayoutFailure) in
      try lines.fill(&frames, from: first, at: &cursor, noting: &trail.checkpoints) {
        (placed) throws(LayoutFailure) in
        try output.progress(Double(items.lowerBound + placed) / Double(input.itemCount))
      }
    }
  }
}
