import CTessera
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime
import TesseraWorker

extension Session {
  /// Picks an item up.
  ///
  /// The layout stays as it is until the item is dragged.
  ///
  /// - Throws: `.invalidInput` for an item that does not exist, or while another one is held.
  public func beginReordering(_ item: ItemPath) throws(HostError) {
    guard reordering == nil else {
      throw HostError(.invalidInput, "an item is held already; end or cancel its reordering first")
    }
    guard let element = try element(.cell(section: item.section, item: item.item)) else {
      throw HostError(
        .invalidInput,
        "there is no item \(item.item) in section \(item.section) to pick up; give one of "
          + "\(itemCounts)")
    }
    let centre = Point(x: element.frame.midX, y: element.frame.midY)
    reordering = Reordering(origin: item, target: item, point: centre, before: itemCounts)
  }

  /// Drags the item that is held: the layout is as if it were let go with its centre at a point.
  ///
  /// - Returns: Where it would go: as the engines say, or the place of the nearest cell.
  /// - Throws: `.invalidInput` where nothing is held; what the engine refuses.
  public func drag(to point: Point) throws(HostError) -> ItemPath {
    guard var held = reordering else { throw notHeld }
    let target = try reorderingTarget(for: held.target, at: point)
    try relocate(held.target, to: target)
    held.target = target
    held.point = point
    reordering = held
    return target
  }

  /// The item that is held, with its centre where it is held and in front of all else; nil where
  /// nothing is held.
  ///
  /// - Throws: What the engine refuses.
  public func heldElement() throws(HostError) -> Element? {
    guard let held = reordering,
      var element = try element(.cell(section: held.target.section, item: held.target.item))
    else { return nil }
    element.frame.x = held.point.x - element.frame.width / 2
    element.frame.y = held.point.y - element.frame.height / 2
    element.zIndex = Int(Int32.max)
    return element
  }

  /// Lets the item go where it would go.
  ///
  /// - Returns: The change of the data; it has no operation where the item is back in its place.
  /// - Throws: `.invalidInput` where nothing is held.
  public func endReordering() throws(HostError) -> UpdateBatch {
    guard let held = reordering else { throw notHeld }
    reordering = nil
    let moves: [UpdateOperation] =
      held.origin == held.target ? [] : [.move(held.origin, to: held.target)]
    return try UpdateBatch(moves, before: held.before, after: itemCounts)
  }

  /// Puts the item back where it was picked up.
  ///
  /// - Throws: `.invalidInput` where nothing is held.
  public func cancelReordering() throws(HostError) {
    guard let held = reordering else { throw notHeld }
    reordering = nil
    try relocate(held.target, to: held.origin)
  }

  /// Where an item goes that is let go with its centre at a point: as the engines of the chain say,
  /// bases first; without them the place of the cell there, or of the nearest one.
  ///
  /// - Throws: `.invalidInput` for a point that is not finite; what the engine refuses;
  ///   `.brokenContract` for a place that does not exist.
  public func reorderingTarget(
    for item: ItemPath, at point: Point
  ) throws(HostError) -> ItemPath {
    guard point.isFinite else {
      throw HostError(.invalidInput, "the point \(Value.point(point)) is not finite; give numbers")
    }
    let layout = try prepareIfNeeded()
    let width = mirrorWidth(layout)
    let seen = Point(x: width.map { $0 - point.x } ?? point.x, y: point.y)
    let nearest = try nearestCell(to: point) ?? item
    let (section, place) = try runner.reorderingTarget(
      for: item, at: seen, nearest: nearest, context(layout))
    // An item that changes sections may also go behind the last item there.
    let room =
      Int(section) < itemCounts.count
      ? itemCounts[Int(section)] + (Int(section) == item.section ? 0 : 1) : 0
    guard place < UInt64(room) else {
      throw broken("it gave the target \(section), \(place), which is no place for an item")
    }
    return ItemPath(section: Int(section), item: Int(place))
  }

  private var notHeld: HostError {
    HostError(.invalidInput, "no item is held; begin a reordering first")
  }

  /// The cell at a point, or else the nearest one; nil where there is none.
  ///
  /// - Complexity: That of a few queries.
  private func nearestCell(to point: Point) throws(HostError) -> ItemPath? {
    let content = try contentSize()
    var reach = 1.0
    let farthest = abs(point.x) + abs(point.y) + content.width + content.height + 1
    while true {
      let rect = Rect(
        x: point.x - reach, y: point.y - reach, width: 2 * reach, height: 2 * reach)
      let found = try elements(in: rect)
      let cells = found.indices.filter { found.identity(at: $0).category == .cell }
      let nearest = cells.min {
        found.frame(at: $0).distance(to: point) < found.frame(at: $1).distance(to: point)
      }
      // One in a corner of the square may be farther than one beside it.
      if let nearest, found.frame(at: nearest).distance(to: point) <= reach {
        let identity = found.identity(at: nearest)
        return ItemPath(section: identity.section, item: identity.item)
      }
      guard reach < farthest else { return nil }
      reach *= 4
    }
  }

  /// Moves an item and its values from one place to another.
  private func relocate(_ origin: ItemPath, to target: ItemPath) throws(HostError) {
    guard origin != target else { return }
    var counts = itemCounts
    let from = starts.items(inSection: origin.section).lowerBound + origin.item
    counts[origin.section] -= 1
    counts[target.section] += 1
    let new = try SectionStarts(counts: counts, memory: values.memory)
    let to = new.items(inSection: target.section).lowerBound + target.item
    try values.moveItem(from, to: to, of: starts.total)
    starts = new
    runner.supply(new)
    changes |= UInt32(TESSERA_CHANGED_COUNTS | TESSERA_CHANGED_VALUES)
  }
}

extension Rect {
  /// How far a point lies from the nearest point of the rectangle, along the longer of the axes.
  fileprivate func distance(to point: Point) -> Double {
    max(0, minX - point.x, point.x - maxX, minY - point.y, point.y - maxY)
  }
}

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
