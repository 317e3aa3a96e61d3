import TesseraGeometry
import TesseraHost
import TestSupport
import Testing

/// Items that are held, dragged and let go under every engine that ships.
@Suite struct ReorderingTests {
  @Test(arguments: ShippedEngines.ids, 1...8 as ClosedRange<UInt64>)
  func theBatchIsTheLayoutWhileHeld(_ id: String, _ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let engine = try ShippedEngines.host.engine(id)
    let given = LayoutCase.random(for: engine, using: &random)
    let data = IdentifiedData(counts: [9, 0, 14])
    let session = try data.session(engine, given)
    let still = try Snapshot(session)
    let content = try session.contentSize()
    let origin = ItemPath(
      section: random.pick([0, 2]), item: Int.random(in: 0..<9, using: &random))
    try session.beginReordering(origin)
    #expect(try Snapshot(session) == still)
    var target = origin
    for _ in 0..<5 {
      let point = Point(
        x: random.number(in: -20...content.width + 20),
        y: random.number(in: -20...content.height + 20))
      target = try session.drag(to: point)
      #expect(session.itemCounts.reduce(0, +) == 23)
      let held = try #require(try session.heldElement())
      #expect(held.identity == .cell(section: target.section, item: target.item))
      #expect((held.frame.midX - point.x).magnitude < 1e-6)
    }
    let held = try Snapshot(session)
    let batch = try session.endReordering()
    #expect(batch.operations == (target == origin ? [] : [.move(origin, to: target)]))
    #expect(try Snapshot(session) == held)
    let moved = data.applying(batch)
    #expect(moved.counts == session.itemCounts)
    #expect(try Snapshot(moved.session(engine, given)) == held)
    let other = try data.session(engine, given)
    _ = try other.update(batch) { (session) throws(HostError) in try moved.supply(session) }
    other.offset = given.offset
    #expect(try Snapshot(other) == held)
  }

  @Test(arguments: ShippedEngines.ids)
  func cancelledReorderingChangesNothing(_ id: String) throws {
    let data = IdentifiedData(counts: [5, 6])
    let session = try data.session(ShippedEngines.host.engine(id), LayoutCase())
    let still = try Snapshot(session)
    try session.beginReordering(ItemPath(section: 1, item: 2))
    for point in [Point(x: 1, y: 1), Point(x: 300, y: 200), .zero] {
      _ = try session.drag(to: point)
    }
    try session.cancelReordering()
    #expect(session.itemCounts == [5, 6])
    #expect(try Snapshot(session) == still)
  }
}
