import TesseraGeometry
import TesseraHost
import Testing

/// What even-flow does with elements that appear.
@Suite struct EvenFlowUpdateTests {
  private func tracks(
    _ operations: [UpdateOperation], before: [Int], after: [Int],
    direction: LayoutDirection = .leftToRight
  ) throws -> (tracks: [AnimationTrack], width: Double) {
    let session = try ShippedEngines.session("org.tessera.even-flow")
    session.bounds = Size(width: 768, height: 660)
    session.direction = direction
    try session.setSections(before)
    let batch = try UpdateBatch(operations, before: before, after: after)
    let animation = try session.update(batch) { _ in }
    return (Array(animation.tracks), animation.contentSizeAfter.width)
  }

  @Test func itImplementsUpdatesAndNoOtherExtension() throws {
    let abilities = try ShippedEngines.session("org.tessera.even-flow").engine.description.abilities
    #expect(abilities.contains(.updates))
    #expect(abilities.isDisjoint(with: [.sizing, .snapping, .reordering, .adjust]))
  }

  private func shift(_ x: Double) -> Transform {
    var transform = Transform.identity
    transform.m41 = x
    return transform
  }

  @Test(arguments: LayoutDirection.allCases)
  func anInsertedSectionComesInFromBothSides(_ direction: LayoutDirection) throws {
    let (tracks, width) = try tracks(
      [.insertSection(1)], before: [3, 2], after: [3, 4, 2], direction: direction)
    let sign: Double = direction == .leftToRight ? 1 : -1
    let appearing = tracks.filter { $0.before == nil }
    #expect(appearing.count == 6 && width == 768)
    for track in appearing {
      #expect(track.from.frame == track.to.frame && track.to.alpha == 1)
      #expect(track.to.transform == .identity)
      switch track.to.identity.category {
      case .cell:
        #expect(track.from.transform == shift(sign * 768) && track.from.alpha == 1)
      case .decoration:
        #expect(track.from.transform == shift(sign * -768) && track.from.alpha == 0)
      case .supplementary:
        #expect(track.from.transform == .identity && track.from.alpha == 0)
      }
    }
  }

  @Test func itemsThatAreInsertedComeInFromTheRight() throws {
    let (tracks, _) = try tracks(
      [.insert(ItemPath(section: 0, item: 1)), .delete(ItemPath(section: 1, item: 0))],
      before: [2, 3], after: [3, 2])
    let appearing = tracks.filter { $0.before == nil }
    #expect(appearing.map(\.to.identity) == [.cell(section: 0, item: 1)])
    #expect(appearing.map(\.from.transform) == [shift(768)])
    // What disappears keeps the host's default.
    let leaving = tracks.filter { $0.after == nil }
    #expect(leaving.map(\.to.alpha) == [0] && leaving.map(\.to.transform) == [.identity])
  }

  @Test func theFirstItemBringsItsBinder() throws {
    let (tracks, _) = try tracks(
      [.insert(ItemPath(section: 0, item: 0))], before: [0], after: [1])
    let appearing = tracks.filter { $0.before == nil }
    #expect(appearing.map(\.to.identity.category) == [.cell, .decoration])
    #expect(appearing.map(\.from.transform) == [shift(768), shift(-768)])
  }

  @Test func otherAppearingElementsFadeIn() throws {
    let (tracks, _) = try tracks([.reloadSection(0)], before: [2], after: [4])
    let appearing = tracks.filter { $0.before == nil }
    #expect(appearing.count == 2)
    #expect(appearing.allSatisfy { $0.from.alpha == 0 && $0.from.transform == .identity })
  }
}
