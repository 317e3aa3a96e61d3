public import TesseraGeometry

/// A layout that says where an item that is dragged would go.
///
/// Without one the host takes the place of the cell at the point, or of the nearest one.
public protocol ReorderingLayout: Layout {
  /// The place that an item takes when it is let go.
  ///
  /// - Parameters:
  ///   - item: Where the item is now.
  ///   - point: Where its centre is held, in points of the content.
  ///   - proposed: What the host would answer, or what the base makes of it.
  ///   - input: As for prepare.
  /// - Returns: A place of the data as they are while the item is held.
  /// - Throws: What makes it impossible.
  func target(
    of item: ItemPlace, at point: Point, proposed: ItemPlace, _ input: Input
  ) throws(LayoutFailure) -> ItemPlace
}
