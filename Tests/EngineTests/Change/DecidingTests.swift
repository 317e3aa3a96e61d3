import TesseraHost
import Testing

/// Rows are 10 high, so the row at y is y / 10.
@Suite struct DecidingTests {

  private func session(_ name: String) throws -> Session {
    let session = try LayerLibrary("deciding").session("org.example.\(name)")
    try session.setSections([6, 4])
    return session
  }

  @Test func theEngineFindsItsOwnRowAndDecides() throws {
    let session = try session("deciding")
    let item = ItemPath(section: 0, item: 5)
    for (y, section, place) in [
      (5.0, 0, 0), (15, 0, 0), (39, 0, 2), (65, 1, 0), (99, 1, 2),
      (500, 1, 3),
    ] {
      let target = try session.reorderingTarget(for: item, at: Point(x: 50, y: y))
      #expect(target == ItemPath(section: section, item: place))
    }
  }

  @Test func derivedEngineWins() throws {
    let session = try session("deciding-last")
    try session.beginReordering(ItemPath(section: 0, item: 1))
    #expect(try session.drag(to: Point(x: 0, y: 0)) == ItemPath(section: 0, item: 5))
    let batch = try session.endReordering()
    #expect(
      batch.operations == [.move(ItemPath(section: 0, item: 1), to: ItemPath(section: 0, item: 5))])
  }
}
