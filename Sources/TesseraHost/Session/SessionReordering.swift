import CTessera
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime
import TesseraWorker

extension Session {
  /// Picks up an item; the layout stays until it is dragged.
  ///
  /// - Throws: `.invalidInput` for an unknown item, or if an item is held.
  public func beginReordering(_ item: ItemPath) throws(HostError) {
    enter()
    defer { leave() }
    guard reordering == nil else {
      throw HostError(.wrongState, "an item is already held; end or cancel its reordering first")
    }
    guard let element = try element(.cell(section: item.section, item: item.item)) else {
      throw .noItem(item.item, inSection: item.section, of: itemCounts)
    }
    let centre = Point(x: element.frame.midX, y: element.frame.midY)
    reordering = Reordering(origin: item, target: item, point: centre, before: itemCounts)
  }

  /// Drags the held item's centre to a point, lays out as if dropped there, returns the target.
  ///
  /// - Throws: `.invalidInput` if no item is held; the error that the engine reports.
  public func drag(to point: Point) throws(HostError) -> ItemPath {
    enter()
    defer { leave() }
    guard var held = reordering else { throw notHeld }
    let target = try reorderingTarget(for: held.target, at: point)
    try relocate(held.target, to: target)
    held.target = target
    held.point = point
    reordering = held
    return target
  }

  /// Returns the held item at the drag point, in front of all others; nil if none is held.
  ///
  /// - Throws: The error that the engine reports.
  public func heldElement() throws(HostError) -> Element? {
    enter()
    defer { leave() }
    guard let held = reordering,
      var element = try element(.cell(section: held.target.section, item: held.target.item))
    else { return nil }
    element.frame.x = held.point.x - element.frame.width / 2
    element.frame.y = held.point.y - element.frame.height / 2
    guard element.frame.isValid else {
      throw HostError(
        .invalidValue,
        "the held item of \(Value.size(element.frame.size)) around \(Value.point(held.point)) "
          + "reaches beyond the largest number; drag it nearer to the content")
    }
    element.zIndex = Int(Int32.max)
    return element
  }

  /// Drops the item and returns the change of the data, empty if it is back at its origin.
  ///
  /// - Throws: `.invalidInput` if no item is held.
  public func endReordering() throws(HostError) -> UpdateBatch {
    enter()
    defer { leave() }
    guard let held = reordering else { throw notHeld }
    reordering = nil
    let moves: [UpdateOperation] =
      held.origin == held.target ? [] : [.move(held.origin, to: held.target)]
    return try UpdateBatch(moves, before: held.before, after: itemCounts)
  }

  /// Moves the held item back to its origin and drops it.
  ///
  /// - Throws: `.invalidInput` if no item is held, or if spliced values don't match; it stays held.
  public func cancelReordering() throws(HostError) {
    enter()
    defer { leave() }
    guard let held = reordering else { throw notHeld }
    try relocate(held.target, to: held.origin)
    reordering = nil
  }

  /// Returns where an item dropped at a point would go.
  ///
  /// Defaults to the nearest cell; engines can change it, bases first.
  ///
  /// - Throws: `.invalidInput` for an unknown item; `.brokenContract` for an invalid target.
  public func reorderingTarget(
    for item: ItemPath, at point: Point
  ) throws(HostError) -> ItemPath {
    enter()
    defer { leave() }
    guard point.isFinite else { throw .notFinite("point", Value.point(point)) }
    guard itemCounts.indices.contains(item.section),
      (0..<itemCounts[item.section]).contains(item.item)
    else { throw .noItem(item.item, inSection: item.section, of: itemCounts) }
    let layout = try prepareIfNeeded()
    let seen = try asEnginesSee(.point(point), layout, "the point is")
    let nearest = try nearestCell(to: point) ?? item
    let reply = try runner.ask(
      TargetQuestion(item: item, point: Point(seen)!, nearest: nearest), context(layout))
    // In another section, the target can follow the last item.
    if let found = reply.section.exactly(in: itemCounts.indices),
      let target = reply.item.exactly(in: 0..<itemCounts[found] + (found == item.section ? 0 : 1))
    {
      return ItemPath(section: found, item: target)
    }
    throw HostError(
      .targetOutOfRange,
      "it returned the target item \(reply.item) of section \(reply.section), which does not exist",
      engine: runner.traits.id)
  }

  private var notHeld: HostError {
    HostError(.wrongState, "no item is held; begin a reordering first")
  }

  private func nearestCell(to point: Point) throws(HostError) -> ItemPath? {
    let content = try contentSize()
    var reach = 1.0
    let farthest = min(
      abs(point.x) + abs(point.y) + content.width + content.height + 1,
      .greatestFiniteMagnitude / 4)
    while true {
      let found = try elements(in: Rect(origin: point, size: .zero).surroundings(upTo: reach))
      let cells = found.indices.filter { found.identity(at: $0).category == .cell }
      let nearest = cells.min {
        found.frame(at: $0).distance(to: point) < found.frame(at: $1).distance(to: point)
      }
      // A cell in the square's corner can be farther than a cell outside the square.
      if let nearest, found.frame(at: nearest).distance(to: point) <= reach {
        let identity = found.identity(at: nearest)
        return ItemPath(section: identity.section, item: identity.item)
      }
      guard reach < farthest else { return nil }
      reach *= 4
    }
  }

  private func relocate(_ origin: ItemPath, to target: ItemPath) throws(HostError) {
    guard origin != target else { return }
    var counts = itemCounts
    let from = input.starts.items(inSection: origin.section).lowerBound + origin.item
    counts[origin.section] -= 1
    counts[target.section] += 1
    let new = try SectionStarts(counts: counts, memory: values.memory)
    let to = new.items(inSection: target.section).lowerBound + target.item
    try values.moveItem(from, to: to, of: input.starts)
    input.starts = new
    measuring.pushed = nil
    runner.supply(new)
    state.changes |= UInt32(TESSERA_CHANGED_COUNTS | TESSERA_CHANGED_VALUES)
  }
}

extension Rect {
  /// Chebyshev distance.
  fileprivate func distance(to point: Point) -> Double {
    max(0, minX - point.x, point.x - maxX, minY - point.y, point.y - maxY)
  }
}

struct Reordering {
  let origin: ItemPath
  var target: ItemPath
  var point: Point
  let before: [Int]
}
