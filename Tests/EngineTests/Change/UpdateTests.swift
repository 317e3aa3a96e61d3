import TesseraHost
import Testing

/// No case of the suite tests what updates show.
@Suite struct UpdateTests {
  @Test(arguments: ShippedEngines.ids)
  func visibleTracksAreThoseOfTheViewport(_ id: String) throws {
    let batch = try UpdateBatch(
      [
        .delete(ItemPath(section: 0, item: 1)), .insert(ItemPath(section: 0, item: 4)),
        .move(ItemPath(section: 2, item: 39), to: ItemPath(section: 0, item: 0)),
      ], before: [12, 0, 40], after: [13, 0, 39])
    func update(_ tracks: UpdateTracks) throws -> (LayoutAnimation, Rect, Rect) {
      let session = try ShippedEngines.session(id)
      session.offset = Point(x: 40, y: 90)
      try session.setSections(batch.before)
      let before = session.visibleRect
      let animation = try session.update(batch, tracks: tracks) { _ in }
      return (animation, before, session.visibleRect)
    }
    let (all, before, after) = try update(.all)
    let visible = try update(.visible).0
    #expect(visible.offsetAfter == all.offsetAfter)
    #expect(visible.contentSizeAfter == all.contentSizeAfter)
    let expected = all.tracks.filter {
      $0.before != nil && $0.from.frame.intersects(before)
        || $0.after != nil && $0.to.frame.intersects(after)
    }
    #expect(Array(visible.tracks) == expected)
  }

  /// Engines whose content is taller than a screen with 800 items.
  private static let tall = ShippedEngines.ids.filter { id in
    guard let session = try? ShippedEngines.session(id) else { return false }
    try? session.setSections([400, 400])
    return (try? session.contentSize().height).map { $0 > 4000 } ?? false
  }

  @Test func severalEnginesAreTall() {
    #expect(Self.tall.count >= 2)
  }

  @Test(arguments: tall)
  func topCellStaysAtTheTop(_ id: String) throws {
    let session = try ShippedEngines.session(id)
    try session.setSections([400, 400])
    session.offset.y = 3000
    let seen = try session.elements(in: session.visibleRect).filter {
      $0.identity.category == .cell
    }
    let top = try #require(seen.min { ($0.frame.y, $0.frame.x) < ($1.frame.y, $1.frame.x) })
    let inserted = (0..<60).map { UpdateOperation.insert(ItemPath(section: 0, item: $0)) }
    let deleted = UpdateOperation.delete(ItemPath(section: 1, item: 399))
    let batch = try UpdateBatch(inserted + [deleted], before: [400, 400], after: [460, 399])
    let animation = try session.update(batch) { _ in }
    let path = ItemPath(section: top.identity.section, item: top.identity.item)
    let target = try #require(batch.destination(of: path))
    let moved = try #require(
      try session.element(.cell(section: target.section, item: target.item)))
    #expect(moved.frame.y - animation.offsetAfter.y == top.frame.y - animation.offsetBefore.y)
    #expect(animation.offsetAfter != animation.offsetBefore)
  }
}
