import TesseraSDK

extension CoverFlow: SnappingLayout {
  func restingOffset(
    _ proposed: Point, velocity: Point, _ input: Input
  ) throws(LayoutFailure) -> Point {
    try nearestRest(to: proposed, bounds: input.bounds)
  }

  /// The offset that has the nearest cell in the middle; of two equally near, the first.
  ///
  /// Without a cell in sight it is the proposed one.
  func nearestRest(to proposed: Point, bounds: Size) throws(LayoutFailure) -> Point {
    let visible = Rect(origin: proposed, size: bounds)
    var nearest: (distance: Double, section: Int, item: Int, shift: Double)?
    for cells in try placed.runs(in: visible) where cells.run.category == .cell {
      for (frame, item) in zip(cells.frames, cells.run.items) {
        let shift = frame.midX - visible.midX
        let candidate = (abs(shift), cells.run.section, item, shift)
        if let best = nearest, best <= candidate { continue }
        nearest = candidate
      }
    }
    return Point(x: proposed.x + (nearest?.shift ?? 0), y: proposed.y)
  }
}
