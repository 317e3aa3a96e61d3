import TesseraGeometry
import TesseraHost
import TestSupport
import Testing

/// The treemap engine against its rules.
///
/// It is in Rust, and left out where there is no rustc.
@Suite(
  .enabled(
    if: ShippedEngines.ids.contains("org.tessera.treemap"),
    "the engine in Rust is not built: run Tools/test, with rustc installed"))
struct TreemapTests {
  private static let id = "org.tessera.treemap"

  /// Every tree of up to four items, each tiled in every way, with and without padding.
  @Test(arguments: TreemapRules.Tiling.allCases)
  func everySmallTreeIsPlacedByTheRules(_ tiling: TreemapRules.Tiling) throws {
    let session = try ShippedEngines.session(Self.id)
    for count in 0...4 {
      for parents in Self.forests(of: count) {
        for padding in [0.0, 6] {
          var rules = TreemapRules()
          rules.tiling = tiling
          (rules.paddingInner, rules.paddingOuter, rules.paddingTop) = (
            padding, padding, 3 * padding
          )
          rules.sections = [
            parents.enumerated().map { item, parent in
              TreemapRules.Item(weight: [3, 0, 8, 1.5][item], parent: parent)
            }
          ]
          try rules.place().check(rules, session)
        }
      }
    }
  }

  @Test(arguments: 1...120) func randomTreeIsPlacedByTheRules(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let rules = Self.random(using: &random)
    try rules.place().check(rules, try ShippedEngines.session(Self.id))
  }

  @Test func itemsLieInFrontOfTheirGroups() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<20 {
      let rules = Self.random(using: &random)
      let session = try ShippedEngines.session(Self.id)
      try rules.apply(to: session)
      for element in try session.elements() where element.identity.category == .cell {
        let (section, item) = (element.identity.section, element.identity.item)
        #expect(Int(element.zIndex) == rules.depth(of: item, in: section))
      }
    }
  }

  /// Without padding, the share of the extent that an item has is its share of all weights, however
  /// small, and the children of a group without a weight of its own fill it.
  @Test(arguments: TreemapRules.Tiling.allCases, 1...12 as ClosedRange<UInt64>)
  func areasAreProportionalToWeights(_ tiling: TreemapRules.Tiling, _ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var rules = TreemapRules()
    rules.tiling = tiling
    rules.bounds = Size(width: random.number(in: 50...2000), height: random.number(in: 50...2000))
    let count = random.pick([3, 40, 2000])
    // From a millionth to 1000, and groups among the first ten.
    rules.sections = [
      (0..<count).map { item in
        TreemapRules.Item(
          weight: random.pick([1e-6, 1e-3, 1, 1000]) * Double.random(in: 0.1...1, using: &random),
          parent: item < 10 ? -1 : Int.random(in: -1..<10, using: &random))
      }
    ]
    for item in 0..<min(10, count) where !rules.children(of: item, in: 0).isEmpty {
      rules.sections[0][item].weight = 0
    }
    let session = try ShippedEngines.session(Self.id)
    try rules.apply(to: session)
    let items = rules.sections[0]
    var totals = items.map(\.weight)
    // Groups are one level deep here.
    for item in items where item.parent >= 0 { totals[item.parent] += item.weight }
    let all = items.map(\.weight).reduce(0, +)
    for (total, (item, element)) in zip(totals, try session.elements().enumerated()) {
      let area = element.frame.width * element.frame.height
      let expected = total / all * rules.bounds.width * rules.bounds.height
      #expect((area / expected - 1).magnitude < 1e-9, "item \(item): \(area) for \(expected)")
    }
  }

  /// Sums and squares of such weights are beyond what a double holds.
  @Test(arguments: TreemapRules.Tiling.allCases, [1e-300, 1e-200, 1e200, 1e308])
  func onlyTheProportionsOfWeightsCount(_ tiling: TreemapRules.Tiling, _ unit: Double) throws {
    let session = try ShippedEngines.session(Self.id)
    try session.setParameter("tiling", to: .choice(tiling.rawValue))
    try session.setSections([2])
    try session.setItemValues("weight", .numbers([unit, unit]))
    let extreme = try session.elements().map(\.frame)
    try session.setItemValues("weight", .numbers([1, 1]))
    #expect(try session.elements().map(\.frame) == extreme)
  }

  /// Such weights have no area beside the first ones, and sums do not show them.
  @Test(arguments: TreemapRules.Tiling.allCases, [0.0, 4])
  func weightsThatAreLostBesideOthersHaveAPlace(_ tiling: TreemapRules.Tiling, _ padding: Double)
    throws
  {
    let session = try ShippedEngines.session(Self.id)
    try session.setParameter("tiling", to: .choice(tiling.rawValue))
    try session.setParameter("paddingInner", to: .number(padding))
    for tiny in [1e-40, 1e-100, 1e-300, 1e-300 / 1e20] {
      let weights = [1, 0.1, tiny, tiny, 0.3, tiny, tiny, 2 * tiny]
      try session.setSections([weights.count])
      try session.setItemValues("weight", .numbers(weights))
      let content = try session.contentSize()
      for frame in try session.elements().map(\.frame) {
        #expect(frame.x >= 0 && frame.maxX <= content.width + 1e-9, "\(tiny): \(frame)")
        #expect(frame.y >= 0 && frame.maxY <= content.height + 1e-9, "\(tiny): \(frame)")
      }
    }
  }

  @Test func invalidWeightIsReportedWithItsItem() throws {
    try expectRefusal(
      weights: [1, 2, 3, -1], parents: [-1, -1, -1, -1],
      "weight of item 1 in section 1 is -1; it must be finite and not negative")
  }

  @Test func parentOutOfRangeIsReportedWithItsItem() throws {
    for parent in [2, 7, -2] {
      try expectRefusal(
        weights: [1, 1, 1, 1], parents: [-1, -1, -1, parent],
        "parent of item 1 in section 1 is \(parent); it must be an item of the section, from 0 to 1, "
          + "or -1 for none")
    }
  }

  @Test func itemThatIsItsOwnAncestorIsReported() throws {
    try expectRefusal(
      weights: [1, 1, 1, 1], parents: [-1, -1, 1, 0],
      "parent of item 0 in section 1 is 1, which makes the item its own ancestor; give an item that "
        + "is not in item 0, or -1 for none")
    try expectRefusal(
      weights: [1, 1, 1, 1], parents: [1, 1, -1, -1],
      "parent of item 1 in section 0 is 1, which makes the item its own ancestor; give an item that "
        + "is not in item 1, or -1 for none")
  }

  @Test func sameExtentIsNotPrepared() throws {
    let session = try ShippedEngines.session(Self.id)
    try session.setSections([3])
    let before = try session.elements().map(\.frame)
    session.contentInsets = Insets(top: 10, left: 20, bottom: 0, right: 0)
    session.bounds.width += 20
    session.bounds.height += 10
    #expect(try session.elements().map(\.frame) == before)
    session.bounds.width += 1
    #expect(try session.elements().map(\.frame) != before)
  }

  /// Nothing is as deep as its number of items, and nothing may recurse.
  @Test func aHundredThousandGroupsInOneAnotherAreLaidOut() throws {
    let session = try ShippedEngines.session(Self.id)
    let count = 100_000
    try session.setSections([count])
    try session.setItemValues(
      "parent", ValueColumn((0..<count).map { .integer(Int64($0) - 1) }, type: .integer))
    let last = try #require(try session.element(.cell(section: 0, item: count - 1)))
    let content = try session.contentSize()
    #expect((last.frame.width - content.width).magnitude < 1e-6)
    #expect((last.frame.height - content.height).magnitude < 1e-6)
    #expect(Int(last.zIndex) == count)
  }

  /// In two sections of two items.
  private func expectRefusal(weights: [Double], parents: [Int], _ message: String) throws {
    let session = try ShippedEngines.session(Self.id)
    try session.setSections([2, 2])
    let error = #expect(throws: HostError.self) {
      try session.setItemValues("weight", .numbers(weights))
      try session.setItemValues(
        "parent", ValueColumn(parents.map { .integer(Int64($0)) }, type: .integer))
      _ = try session.elements()
    }
    #expect(error?.kind == .refused)
    #expect(error?.message == "org.tessera.treemap: \(message)", "\(error as Any)")
  }

  /// The parents of every forest of so many items.
  private static func forests(of count: Int) -> [[Int]] {
    lists(of: Array(-1..<max(count, 0)), count: count).filter { parents in
      parents.indices.allSatisfy { item in
        var (item, steps) = (item, 0)
        while item >= 0, steps <= count { (item, steps) = (parents[item], steps + 1) }
        return item < 0
      }
    }
  }

  /// Weights are quarters, so that sums are exact in any order.
  private static func random(using random: inout SeededGenerator) -> TreemapRules {
    var rules = TreemapRules()
    rules.bounds = random.pick([
      Size(width: random.number(in: 0...900), height: random.number(in: 0...900)),
      Size(width: 300, height: 0),
    ])
    rules.contentInsets = random.edges(upTo: 40)
    rules.tiling = random.pick(TreemapRules.Tiling.allCases)
    rules.ratio = random.pick([rules.ratio, 1, random.number(in: 1...5)])
    rules.paddingInner = random.pick([0, random.number(in: 0...12)])
    rules.paddingOuter = random.pick([0, random.number(in: 0...12)])
    rules.paddingTop = random.pick([0, random.number(in: 0...30)])
    rules.sectionHeaderHeight = random.pick([0, random.number(in: 0...60)])
    rules.sections = (0..<random.pick([1, 1, 2, 5])).map { _ in
      let count = random.pick([0, 1, 9, 60])
      // A permutation, so that parents come before or after their children.
      let order = (0..<count).shuffled(using: &random)
      var items = Array(repeating: TreemapRules.Item(), count: count)
      let isNested = Bool.random(using: &random)
      for (place, item) in order.enumerated() {
        items[item].weight = Double(Int.random(in: 0...random.pick([4, 400]), using: &random)) / 4
        let parent = isNested ? Int.random(in: -1..<max(place, 0), using: &random) : -1
        items[item].parent = parent < 0 ? -1 : order[parent]
      }
      return items
    }
    return rules
  }
}

extension Placement {
  fileprivate func check(_ rules: TreemapRules, _ session: Session) throws {
    try rules.apply(to: session)
    try check(session, rules)
  }
}
