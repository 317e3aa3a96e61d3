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
}
