import TesseraGeometry
import TesseraHost
import TestSupport
import Testing

/// Batches of changes under random layouts of every engine that ships: each seed is one.
@Suite struct UpdateTests {
  private static let seeds: ClosedRange<UInt64> = 1...12

  private func start(
    _ id: String, _ random: inout SeededGenerator
  ) throws -> (data: IdentifiedData, given: LayoutCase, engine: Engine) {
    let engine = try ShippedEngines.host.engine(id)
    let given = LayoutCase.random(for: engine, using: &random)
    return (IdentifiedData(counts: [12, 0, 5, 20]), given, engine)
  }

  @Test(arguments: ShippedEngines.ids, seeds)
  func stepByStepIsAtOnceIsAFreshLayout(_ id: String, _ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (first, given, engine) = try start(id, &random)
    let stepping = try first.session(engine, given)
    var data = first
    for _ in 0..<4 {
      let earlier = data
      data.edit(using: &random)
      let now = data
      _ = try stepping.update(UpdateBatch(from: earlier.names, to: now.names)) {
        (session) throws(HostError) in try now.supply(session)
      }
    }
    let last = data
    let leaping = try first.session(engine, given)
    _ = try leaping.update(UpdateBatch(from: first.names, to: last.names)) {
      (session) throws(HostError) in try last.supply(session)
    }
    let fresh = try Snapshot(last.session(engine, given))
    for session in [stepping, leaping] {
      session.offset = given.offset
      #expect(try Snapshot(session) == fresh)
    }
  }

  @Test(arguments: ShippedEngines.ids, seeds)
  func everyElementIsInOneTrackAndTheEndsAreTheLayouts(_ id: String, _ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var (data, given, engine) = try start(id, &random)
    if random.next() % 3 == 0 { given.direction = .rightToLeft }
    let session = try data.session(engine, given)
    for _ in 0..<3 {
      let earlier = data
      data.edit(using: &random)
      let now = data
      let old = try Array(session.elements())
      let batch = try UpdateBatch(from: earlier.names, to: now.names)
      let animation = try session.update(batch) { (session) throws(HostError) in
        try now.supply(session)
      }
      #expect(session.offset == animation.offsetAfter)
      let new = try Array(session.elements())
      check(animation, old, new)
      for track in animation.tracks {
        guard let before = track.before, before.category == .cell else { continue }
        let id = earlier.ids[before.section][before.item]
        #expect(track.after.map { now.ids[$0.section][$0.item] } ?? id == id)
        if track.after == nil { #expect(!now.ids.joined().contains(id)) }
      }
    }
  }

  /// The tracks of what is visible are those of all elements that start or end in the viewport.
  @Test(arguments: ShippedEngines.ids, seeds)
  func visibleTracksAreThoseOfTheViewport(_ id: String, _ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (earlier, given, engine) = try start(id, &random)
    var data = earlier
    data.edit(using: &random)
    let now = data
    let batch = try UpdateBatch(from: earlier.names, to: now.names)
    func update(_ tracks: UpdateTracks) throws -> (LayoutAnimation, Rect, Rect) {
      let session = try earlier.session(engine, given)
      let before = session.visibleRect
      let animation = try session.update(batch, tracks: tracks) { (session) throws(HostError) in
        try now.supply(session)
      }
      return (animation, before, session.visibleRect)
    }
    let (all, before, after) = try update(.all)
    let (visible, _, _) = try update(.visible)
    // What an engine scrolls by itself out of the extent is not visible, wherever the viewport is.
    guard
      !engine.traits.contains(.viewport)
        || !all.tracks.contains(where: { track in
          [track.from.frame, track.to.frame].contains {
            Laws.isAside($0, content: all.contentSizeAfter, extent: given.extent)
          }
        })
    else { return }
    #expect(visible.offsetAfter == all.offsetAfter)
    #expect(visible.contentSizeAfter == all.contentSizeAfter)
    let expected = all.tracks.filter {
      $0.before != nil && $0.from.frame.intersects(before)
        || $0.after != nil && $0.to.frame.intersects(after)
    }
    #expect(Array(visible.tracks) == expected)
  }

  private func check(_ animation: LayoutAnimation, _ old: [Element], _ new: [Element]) {
    #expect(Set(animation.tracks.compactMap(\.before)) == Set(old.map(\.identity)))
    #expect(animation.tracks.compactMap(\.before).count == old.count)
    #expect(Set(animation.tracks.compactMap(\.after)) == Set(new.map(\.identity)))
    #expect(animation.tracks.compactMap(\.after).count == new.count)
    var start: [ElementIdentity: Element] = [:]
    for track in animation.tracks {
      guard let before = track.before else { continue }
      start[before] = track.element(at: 0, attributes: animation.attributes)
      start[before]?.identity = before
    }
    #expect(old.allSatisfy { start[$0.identity] == $0 })
    #expect(animation.elements(at: 0).count == old.count)
    let end = animation.elements(at: 1)
    #expect(end.count == new.count)
    var places: [ElementIdentity: Element] = [:]
    for element in end { places[element.identity] = element }
    #expect(new.allSatisfy { places[$0.identity] == $0 })
  }

  /// Engines that scroll down further than a screen with 800 items.
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
