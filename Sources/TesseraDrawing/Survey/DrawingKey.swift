import TesseraHost

/// What decides whether one element is drawn before another: the z index, then how near its
/// transform brings it, then its category, then the order of listings.
///
/// Where an engine gives no z index, decorations so lie behind cells and headers in front of them.
struct DrawingKey: Comparable {
  let zIndex: Int
  let depth: Double
  let layer: Int
  let offset: Int

  init(_ element: Element, offset: Int) {
    zIndex = element.zIndex
    depth = element.transform == .identity ? 0 : Projection(element).depth
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
    return left.offset < right.offset
  }
}
