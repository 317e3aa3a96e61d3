import TesseraGeometry
import TesseraHost
import TestSupport
import Testing

/// The mosaic engine against its rules, followed by hand.
@Suite struct MosaicRulesTests {
  @Test func everyCountAndWidthIsPlacedByTheRules() throws {
    let session = try ShippedEngines.session("org.tessera.mosaic")
    for count in 0...26 {
      for width in [0.0, 0.5, 1, 2, 3, 4, 5, 100, 320, 375, 375.75, 1024] {
        for (height, spacing) in [(200.0, 1.0), (0, 0), (1, 5), (2.5, 0.5), (33, 10)] {
          var rules = MosaicRules()
          rules.bounds.width = width
          rules.segmentHeight = height
          rules.spacing = spacing
          rules.counts = [count]
          try check(rules, session)
        }
      }
    }
  }

  /// What appears grows from half its size, and what disappears shrinks to it; both fade.
  @Test func tilesGrowAndShrink() throws {
    let session = try ShippedEngines.session("org.tessera.mosaic")
    try session.setSections([6])
    let batch = try UpdateBatch(
      [.insert(ItemPath(section: 0, item: 1)), .delete(ItemPath(section: 0, item: 4))],
      before: [6], after: [6])
    let tracks = Array(try session.update(batch) { _ in }.tracks)
    var half = Transform.identity
    (half.m11, half.m22) = (0.5, 0.5)
    let (new, old) = (tracks.filter { $0.before == nil }, tracks.filter { $0.after == nil })
    #expect(new.count == 1 && old.count == 1)
    #expect(new.allSatisfy { $0.from.transform == half && $0.from.alpha == 0 })
    #expect(new.allSatisfy { $0.to.transform == .identity && $0.from.frame == $0.to.frame })
    #expect(old.allSatisfy { $0.to.transform == half && $0.to.alpha == 0 })
  }

  /// A third of every width has its own last bits.
  @Test func everyWidthIsSplitInWholePoints() throws {
    let session = try ShippedEngines.session("org.tessera.mosaic")
    for width in 0...1200 {
      var rules = MosaicRules()
      rules.bounds.width = Double(width)
      rules.counts = [9]
      try check(rules, session)
    }
  }

  @Test func sectionsAreOneSequence() throws {
    let session = try ShippedEngines.session("org.tessera.mosaic")
    for counts in (0...4).flatMap({ lists(of: [0, 1, 2, 5], count: $0) }) {
      var rules = MosaicRules()
      rules.counts = counts
      try check(rules, session)
    }
  }

  @Test(arguments: 1...30) func randomLayoutIsPlacedByTheRules(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var rules = MosaicRules()
    rules.bounds.width = random.number(in: 0...2000)
    rules.contentInsets.left = random.number(in: 0...50)
    rules.contentInsets.right = random.number(in: 0...50)
    rules.segmentHeight = random.number(in: 0...400)
    rules.spacing = random.number(in: 0...20)
    rules.counts = (0..<Int.random(in: 0...6, using: &random)).map { _ in
      Int.random(in: 0...random.pick([2, 30, 1000]), using: &random)
    }
    try check(rules, try ShippedEngines.session("org.tessera.mosaic"))
  }

  @Test func onlyWhatFollowsIsRedone() throws {
    try PartialChecks.expectOnlyWhatFollowsIsRedone("org.tessera.mosaic", slack: 16)
  }

  @Test func boundsWithoutEffectAreNotPrepared() throws {
    try PartialChecks.expectReuse("org.tessera.mosaic", dependsOnWidth: true)
  }

  private func check(_ rules: MosaicRules, _ session: Session) throws {
    try rules.apply(to: session)
    try rules.place().check(session, rules)
  }
}
