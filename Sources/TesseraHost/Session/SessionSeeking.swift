import TesseraCatalog
import TesseraGeometry
import TesseraRuntime
import TesseraWorker

extension Session {
  /// Returns the frontmost element at a point of the content, if any.
  ///
  /// Hit-tests transformed elements by z index, then listing order; skips invisible ones.
  ///
  /// - Throws: `.invalidInput` for a point that is not finite; the errors of `elements(in:)`.
  /// - Complexity: As a query of the viewport and of the point.
  public func element(at point: Point) throws(HostError) -> Element? {
    enter()
    defer { leave() }
    guard point.isFinite else { throw .notFinite("point", Value.point(point)) }
    // A transform may bring an element of the viewport here.
    var found = Self.frontmost(try visibleElements(), at: point)
    let speck = Rect(x: point.x - 0.5, y: point.y - 0.5, width: 1, height: 1)
    if !speck.intersects(visibleRect) || found == nil {
      found = Self.frontmost(try elements(in: speck), at: point) ?? found
    }
    return found
  }

  private static func frontmost(_ elements: Elements, at point: Point) -> Element? {
    var best: (position: Int, zIndex: Int32)?
    for position in elements.indices {
      let memory = elements.memory
      let zIndex = memory.zIndexes?[position] ?? 0
      if let best, best.zIndex > zIndex { continue }
      guard memory.hidden?[position] != 1, memory.alphas?[position] != 0,
        let local = (memory.transforms?[position] ?? .identity).source(
          of: point, about: memory.frames[position]),
        memory.frames[position].contains(local)
      else { continue }
      best = (position, zIndex)
    }
    return best.map { elements[$0.position] }
  }

  /// Returns the elements drawn in a rect, after their transforms.
  ///
  /// - Parameter reach: How far from the rect frames may lie, up to 1e12.
  /// - Throws: `.invalidInput` for a reach that is out of range; the errors of `elements(in:)`.
  /// - Complexity: As a query of the rect with the reach around it.
  public func elements(drawnIn rect: Rect, reach: Double) throws(HostError) -> Elements {
    enter()
    defer { leave() }
    guard reach >= 0, reach <= 1e12 else {
      throw HostError(.invalidValue, "the reach is \(reach); give a distance from 0 to 1e12 points")
    }
    guard rect.isFinite else { throw .notFinite("rect", Value.rect(rect)) }
    let near = try elements(in: rect.surroundings(upTo: reach))
    let transforms = near.memory.transforms
    let drawn = near.indices.filter { position in
      let frame = near.frame(at: position)
      return (transforms?[position] ?? .identity).bounds(of: frame).intersects(rect)
    }
    return Elements(drawn.map { near[$0] }, attributes: near.attributes)
  }

  /// A direction in which the selection moves.
  public enum Direction: Int32, Sendable {
    case left, right, up, down

    fileprivate var isVertical: Bool { self == .up || self == .down }
    fileprivate var isForward: Bool { self == .right || self == .down }
  }

  /// Returns the next cell in a direction, if any.
  ///
  /// Candidates have their centre beyond the cell's edge. The smallest gap along plus twice the gap
  /// across wins, then the centre nearest across, then listing order.
  ///
  /// - Throws: `.invalidInput` for a cell that does not exist; the errors of `elements(in:)`.
  /// - Complexity: As a few queries.
  public func cell(nextTo item: ItemPath, _ direction: Direction) throws(HostError) -> Element? {
    enter()
    defer { leave() }
    guard let start = try element(.cell(section: item.section, item: item.item)) else {
      throw .noItem(item.item, inSection: item.section, of: itemCounts)
    }
    let (frame, content) = (start.frame, try contentSize())
    let farthest = min(
      frame.x.magnitude + frame.y.magnitude + content.width + content.height + bounds.width
        + bounds.height + 1, .greatestFiniteMagnitude / 4)
    var reach = max(1, frame.width, frame.height)
    while true {
      var area = frame.surroundings(upTo: reach)
      let half = direction.isVertical ? area.height / 2 : area.width / 2
      if direction.isVertical {
        (area.y, area.height) = (area.y + (direction.isForward ? half : 0), half)
      } else {
        (area.x, area.width) = (area.x + (direction.isForward ? half : 0), half)
      }
      let found = try elements(in: area)
      var best: (position: Int, cost: Double, across: Double)?
      for position in found.indices {
        let identity = found.identity(at: position)
        guard identity.category == .cell, identity != start.identity,
          let (cost, across) = Self.cost(of: found.frame(at: position), from: frame, direction)
        else { continue }
        if let best, (best.cost, best.across) <= (cost, across) { continue }
        best = (position, cost, across)
      }
      // Cells outside the area cost more than the reach.
      if let best, best.cost <= reach { return found[best.position] }
      guard reach < farthest else { return best.map { found[$0.position] } }
      reach *= 4
    }
  }

  private static func cost(
    of other: Rect, from frame: Rect, _ direction: Direction
  ) -> (cost: Double, across: Double)? {
    /// The far edge in the direction comes last.
    func edges(_ rect: Rect, isVertical: Bool, isForward: Bool) -> (first: Double, last: Double) {
      let (low, high) = isVertical ? (rect.minY, rect.maxY) : (rect.minX, rect.maxX)
      return isForward ? (low, high) : (0 - high, 0 - low)
    }
    let isVertical = direction.isVertical
    let own = edges(frame, isVertical: isVertical, isForward: direction.isForward)
    let its = edges(other, isVertical: isVertical, isForward: direction.isForward)
    guard its.first + its.last > 2 * own.last else { return nil }
    let along = its.first - own.last
    let side = edges(frame, isVertical: !isVertical, isForward: true)
    let far = edges(other, isVertical: !isVertical, isForward: true)
    let gap = max(0, far.first - side.last, side.first - far.last)
    let across = (far.first + far.last - side.first - side.last) / 2
    return (max(0, along) + 2 * gap, across.magnitude)
  }

  /// Where to place an element in the viewport.
  public enum Placement: Int32, Sendable {
    /// As near as possible; a visible element stays.
    case nearest
    /// At the top left.
    case start
    case centre
    /// At the bottom right.
    case end
  }

  /// Returns the scroll offset that reveals an item, without scrolling.
  ///
  /// Stays within the content and its insets, and clears pinned headers. An axis that shows
  /// everything keeps its offset. Measures elements there first; what is in sight stays in place.
  ///
  /// - Throws: `.invalidInput` for an item that does not exist; the errors of `elements(in:)`.
  /// - Complexity: As two queries, or of a few more where elements are measured.
  public func offset(
    revealing item: ItemPath, _ placement: Placement = .nearest
  ) throws(HostError) -> Point {
    enter()
    defer { leave() }
    guard let found = try element(.cell(section: item.section, item: item.item)) else {
      throw .noItem(item.item, inSection: item.section, of: itemCounts)
    }
    let layout = try prepareIfNeeded()
    let insets = viewport.contentInsets
    var (content, frame, now) = (layout.contentSize, found.frame, offset)
    func place(
      _ offset: Double, _ start: Double, _ length: Double, room: Double, covered: Double,
      before: Double, after: Double, content: Double
    ) -> Double {
      let (first, last) = (start - before - covered, start + length + after - room)
      let wanted: Double
      switch placement {
      case .start: wanted = first
      case .end: wanted = last
      case .centre: wanted = start + length / 2 - (room + covered + before - after) / 2
      case .nearest:
        // A longer item shows its start.
        wanted = first <= last ? first : offset > first ? first : max(offset, last)
      }
      return min(max(wanted, 0 - before), max(0 - before, content + after - room))
    }
    /// Whether content and insets fit, and are in sight.
    func isWhole(_ offset: Double, _ content: Double, _ room: Double, _ insets: Double) -> Bool {
      content + insets <= room && offset <= 0 && offset + room >= content
    }
    func place(covered: Double) -> Point {
      Point(
        x: isWhole(now.x, content.width, bounds.width, insets.left + insets.right)
          ? now.x
          : place(
            now.x, frame.x, frame.width, room: bounds.width, covered: 0, before: insets.left,
            after: insets.right, content: content.width),
        y: isWhole(now.y, content.height, bounds.height, insets.top + insets.bottom)
          ? now.y
          : place(
            now.y, frame.y, frame.height, room: bounds.height, covered: covered,
            before: insets.top, after: insets.bottom, content: content.height))
    }
    var target = place(covered: 0)
    let isMeasuring = values.isMeasuring
    guard layout.isAdjusted || isMeasuring else { return target }
    // Measuring there moves the item and what is in sight.
    var anchor = isMeasuring ? try self.anchor(layout) : nil
    defer { offset = now }
    for _ in 0..<Self.mostRounds {
      offset = target
      let seen = try visibleElements()
      let covered = Self.covered(seen, above: frame, found.zIndex, in: visibleRect, insets)
      guard isMeasuring else { return place(covered: covered) }
      let settled = try prepareIfNeeded()
      offset = now
      if let known = anchor { anchor = try keep(known, contentBefore: content, settled) }
      (content, now) = (settled.contentSize, offset)
      frame = try element(found.identity)?.frame ?? frame
      let last = target
      target = place(covered: covered)
      if target == last { break }
    }
    return target
  }

  /// How often to try again after measuring moved the item.
  private static let mostRounds = 8

  /// The height of pinned headers in front of a cell.
  private static func covered(
    _ elements: Elements, above frame: Rect, _ zIndex: Int, in visible: Rect, _ insets: Insets
  ) -> Double {
    var bottom = 0.0
    for element in elements
    where element.identity.category == .supplementary && !element.isHidden
      && element.zIndex > zIndex && element.frame.minY <= visible.minY + insets.top
      && element.frame.minX < frame.maxX && element.frame.maxX > frame.minX
      && element.frame.maxY < visible.minY + visible.height / 2
    {
      bottom = max(bottom, element.frame.maxY - visible.minY - insets.top)
    }
    return bottom
  }

  /// What an engine can use.
  public struct Needs: OptionSet, Sendable {
    /// The bits, as in libtessera.
    public let rawValue: UInt32

    /// Creates a set from its bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// It reads item values.
    public static let itemValues = Needs(rawValue: 1)
    /// It reads section values.
    public static let sectionValues = Needs(rawValue: 2)
    /// It sizes elements by content.
    public static let measuring = Needs(rawValue: 4)
    /// It decides where scrolling comes to rest.
    public static let snapping = Needs(rawValue: 8)
    /// It decides where a dragged item goes.
    public static let reordering = Needs(rawValue: 16)
    /// Elements move with the viewport: query after each scroll.
    public static let scrolling = Needs(rawValue: 32)
  }

  /// What the engine and its bases can use.
  public var needs: Needs {
    var needs: Needs = runner.traits.hasAdjust ? .scrolling : []
    for description in engine.chain {
      for value in description.values {
        needs.insert(value.scope == .item ? .itemValues : .sectionValues)
      }
      if description.abilities.contains(.sizing) { needs.insert(.measuring) }
      if description.abilities.contains(.snapping) { needs.insert(.snapping) }
      if description.abilities.contains(.reordering) { needs.insert(.reordering) }
    }
    return needs
  }
}

extension Rect {
  /// Half-open.
  fileprivate func contains(_ point: Point) -> Bool {
    point.x >= minX && point.x < maxX && point.y >= minY && point.y < maxY
  }
}

extension Transform {
  /// The box of the transformed frame; everything if a corner is behind the eye.
  fileprivate func bounds(of frame: Rect) -> Rect {
    guard self != .identity else { return frame }
    var (low, high) = (Point(x: .infinity, y: .infinity), Point(x: -.infinity, y: -.infinity))
    for (right, below) in [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)] {
      let (u, v) = (right * frame.width, below * frame.height)
      let depth = u * m14 + v * m24 + m44
      guard depth > 0 else { return .everything }
      let x = frame.midX + (u * m11 + v * m21 + m41) / depth
      let y = frame.midY + (u * m12 + v * m22 + m42) / depth
      (low.x, low.y) = (min(low.x, x), min(low.y, y))
      (high.x, high.y) = (max(high.x, x), max(high.y, y))
    }
    return Rect(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
  }

  /// The point of the frame's plane that lands on `point`; nil if missing or behind the eye.
  fileprivate func source(of point: Point, about frame: Rect) -> Point? {
    guard self != .identity else { return point }
    let (x, y) = (point.x - frame.midX, point.y - frame.midY)
    // (u, v, 0, 1) · matrix = (x, y) · its last component.
    let (a, b, c) = (m11 - x * m14, m21 - x * m24, x * m44 - m41)
    let (d, e, f) = (m12 - y * m14, m22 - y * m24, y * m44 - m42)
    let determinant = a * e - b * d
    guard determinant != 0 else { return nil }
    let (u, v) = ((c * e - b * f) / determinant, (a * f - c * d) / determinant)
    guard u * m14 + v * m24 + m44 > 0 else { return nil }
    return Point(x: u + frame.midX, y: v + frame.midY)
  }
}
