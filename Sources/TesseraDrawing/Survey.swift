import TesseraGeometry
import TesseraHost

/// What one look at all elements tells: the order to draw them in, how far they reach, and how many
/// there are of each kind.
struct Survey {
  /// How many of one kind there are.
  struct Tally {
    let category: ElementCategory
    let name: String
    var count: Int
  }

  /// Offsets of the elements that are not hidden, from the hindmost to the foremost.
  private(set) var order: [Int] = []
  /// The smallest rectangle round everything that is not hidden; nil where there is nothing.
  private(set) var bounds: Rect?
  /// One entry a kind, cells first, then in the order in which they first appear.
  private(set) var tallies: [Tally] = []
  /// How many elements are hidden.
  private(set) var hiddenCount = 0

  /// - Parameter middle: the middle of the viewport.
  /// - Complexity: O(*n*), O(*n* log *n*) where the elements do not come in their drawing order.
  init<Content: RandomAccessCollection>(
    _ elements: Content, middle: Point
  ) where Content.Element == Element {
    var keys: [DrawingKey] = []
    keys.reserveCapacity(elements.count)
    var isSorted = true
    for (offset, element) in elements.enumerated() {
      if element.isHidden {
        hiddenCount += 1
        continue
      }
      count(element.identity)
      reach(element)
      let key = DrawingKey(element, offset: offset, middle: middle)
      if let last = keys.last, key < last { isSorted = false }
      keys.append(key)
    }
    if !isSorted { keys.sort() }
    order = keys.map(\.offset)
  }

  /// Which entry of `tallies` counts an element.
  func tallyIndex(of identity: ElementIdentity) -> Int? {
    tallies.firstIndex { tally in
      tally.category == identity.category
        && (identity.kind == nil || tally.name == identity.kind)
    }
  }

  private mutating func count(_ identity: ElementIdentity) {
    if let index = tallyIndex(of: identity) {
      tallies[index].count += 1
    } else {
      let name = identity.kind ?? identity.category.name
      let place = identity.category == .cell ? 0 : tallies.count
      tallies.insert(Tally(category: identity.category, name: name, count: 1), at: place)
    }
  }

  private mutating func reach(_ element: Element) {
    var rect = element.frame
    if element.transform != .identity {
      guard let projected = Rect(around: Projection(element).outline) else { return }
      rect = projected
    }
    guard rect.isFinite else { return }
    if bounds == nil { bounds = rect } else { bounds?.formUnion(rect) }
  }
}

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
