import TesseraGeometry
import TesseraHost

/// What decides whether one element is drawn before another: the z index, then how near its
/// transform brings it, then its category, then how near its plane is in the middle of the
/// viewport, then the order of listings.
///
/// Where an engine gives no z index, decorations so lie behind cells and headers in front of them.
struct DrawingKey: Comparable {
  let zIndex: Int
  let depth: Double
  let layer: Int
  let lean: Double
  let offset: Int

  init(_ element: Element, offset: Int, middle: Point) {
    zIndex = element.zIndex
    let projection = element.transform == .identity ? nil : Projection(element)
    depth = projection?.depth ?? 0
    lean = projection?.depth(at: middle) ?? 0
    layer =
      switch element.identity.category {
      case .decoration: 0
      case .cell: 1
      case .supplementary: 2
      }
    self.offset = offset
  }

  static func < (left: DrawingKey, right: DrawingKey) -> Bool {
    if left.zIndex != right.zIndex { return left.zIndex < right.zIndex }
    if left.depth != right.depth { return left.depth < right.depth }
    if left.layer != right.layer { return left.layer < right.layer }
    if left.lean != right.lean { return left.lean < right.lean }
    return left.offset < right.offset
  }
}
