import TesseraGeometry

/// The element that should stay where it is seen while the data change.
struct ScrollAnchor {
  let frame: Rect
  /// The element in the new numbering.
  let destination: ElementIdentity

  /// The visible cell nearest to the viewport's upper left corner that the batch leaves there; nil
  /// where there is none.
  init?(of elements: Elements, in viewport: Rect, _ batch: UpdateBatch) {
    var best: (frame: Rect, destination: ItemPath)?
    for place in elements.indices {
      let frame = elements.frame(at: place)
      guard frame.intersects(viewport) else { continue }
      let identity = elements.identity(at: place)
      guard identity.category == .cell,
        let destination = batch.destination(
          of: ItemPath(section: identity.section, item: identity.item))
      else { continue }
      if let best, (best.frame.y, best.frame.x) <= (frame.y, frame.x) { continue }
      best = (frame, destination)
    }
    guard let best else { return nil }
    frame = best.frame
    destination = .cell(section: best.destination.section, item: best.destination.item)
  }

  /// The offset at which the element is seen where it was, within the content.
  func offset(
    from offset: Point, to new: Rect, content: Size, _ session: Session
  ) -> Point {
    let insets = session.contentInsets
    let bounds = session.bounds
    func clamp(_ value: Double, _ low: Double, _ high: Double) -> Double {
      max(low, min(value, high))
    }
    return Point(
      x: clamp(
        offset.x + new.x - frame.x, min(offset.x, -insets.left),
        max(offset.x, content.width + insets.right - bounds.width)),
      y: clamp(
        offset.y + new.y - frame.y, min(offset.y, -insets.top),
        max(offset.y, content.height + insets.bottom - bounds.height)))
  }
}
