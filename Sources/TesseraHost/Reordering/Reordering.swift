import TesseraGeometry

/// An item that is held and dragged.
struct Reordering {
  /// Where it was picked up.
  let origin: ItemPath
  /// Where it would go if it were let go now.
  var target: ItemPath
  /// Where its centre is held, in points of the content.
  var point: Point
  /// The item counts when it was picked up.
  let before: [Int]
}
