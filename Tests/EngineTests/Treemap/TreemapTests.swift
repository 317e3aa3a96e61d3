import TesseraHost
import TestSupport
import Testing

@Suite(
  .enabled(
    if: ShippedEngines.ids.contains("org.tessera.treemap"),
    "the engine in Rust is not built: run Tools/test, with rustc installed"))
struct TreemapTests {
  private static let id = "org.tessera.treemap"

  @Test(arguments: 1...120) func randomTreeIsPlacedByTheRules(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let rules = Self.random(using: &random)
    try check(rules, try ShippedEngines.session(Self.id))
  }

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

  @Test(arguments: [
    (
      [-1, -1, -1, -1], -1,
      "weight of item 1 in section 1 is -1; it must be finite and not negative"
    ),
    ([-1, -1, -1, 2], 1, outside(2)), ([-1, -1, -1, 7], 1, outside(7)),
    ([-1, -1, -1, -2], 1, outside(-2)), ([-1, -1, 1, 0], 1, cycle(item: 0, section: 1)),
    ([1, 1, -1, -1], 1, cycle(item: 1, section: 0)),
  ])
  func invalidItemIsReported(_ parents: [Int64], _ weight: Double, _ message: String) throws {
    let session = try ShippedEngines.session(Self.id)
    try session.setSections([2, 2])
    try session.setItemValues("weight", .numbers([1, 1, 1, weight]))
    try session.setItemValues("parent", .integers(parents))
    session.expectRefusal("org.tessera.treemap: \(message)")
  }

  private static func outside(_ parent: Int) -> String {
    "parent of item 1 in section 1 is \(parent); it must be an item of the section, from 0 to 1, "
      + "or -1 for none"
  }

  private static func cycle(item: Int, section: Int) -> String {
    "parent of item \(item) in section \(section) is 1, which makes the item its own ancestor; "
      + "give an item that is not in item \(item), or -1 for none"
  }

  /// Depth equals the item count here: recursion would overflow the stack.
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

  /// Quarters, so sums are exact in any order.
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
      // Parents may come before or after their children.
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

/// Recursive, with edges, trying all choices.
struct TreemapRules: EngineRules {
  enum Tiling: String, CaseIterable { case squarified, binary, slice, dice, sliceDice }

  struct Item {
    var weight = 1.0
    var parent = -1
  }

  var bounds = Size(width: 320, height: 480)
  var contentInsets = Insets.zero
  var tiling = Tiling.squarified
  var ratio = (1 + 5.0.squareRoot()) / 2
  var paddingInner = 0.0
  var paddingOuter = 0.0
  var paddingTop = 0.0
  var sectionHeaderHeight = 0.0
  var sections: [[Item]] = []

  struct Box {
    var x0, y0, x1, y1: Double

    var rect: Rect { Rect(x: x0, y: y0, width: x1 - x0, height: y1 - y0) }
    var origin: Box { Box(x0: x0, y0: y0, x1: x0, y1: y0) }

    /// Insets the box; an inverted side collapses to its middle, within `other`.
    func less(_ top: Double, _ left: Double, _ bottom: Double, _ right: Double, within other: Box)
      -> Box
    {
      var result = Box(x0: x0 + left, y0: y0 + top, x1: x1 - right, y1: y1 - bottom)
      if result.x1 < result.x0 {
        let middle = min(max((result.x0 + result.x1) / 2, other.x0), other.x1)
        (result.x0, result.x1) = (middle, middle)
      }
      if result.y1 < result.y0 {
        let middle = min(max((result.y0 + result.y1) / 2, other.y0), other.y1)
        (result.y0, result.y1) = (middle, middle)
      }
      return result
    }
  }

  func place() -> Placement {
    var placement = Placement()
    let extent = Size(
      width: max(0, bounds.width - contentInsets.left - contentInsets.right),
      height: max(0, bounds.height - contentInsets.top - contentInsets.bottom))
    placement.contentSize = extent
    let all = Box(x0: 0, y0: 0, x1: extent.width, y1: extent.height)
    let totals = sections.indices.map { section in
      children(of: -1, in: section).map { total(of: $0, in: section) }.reduce(0, +)
    }
    let boxes =
      totals.count { $0 > 0 } == 1
      ? totals.map { $0 > 0 ? all : all.origin } : tile(totals, all, depth: 0)
    for (section, box) in boxes.enumerated() {
      var box = box
      let header = min(sectionHeaderHeight, box.y1 - box.y0)
      if header > 0 {
        placement.add(
          .supplementary, "header", section, 0,
          Rect(x: box.x0, y: box.y0, width: box.x1 - box.x0, height: header))
        box.y0 += header
      }
      place(childrenOf: -1, in: section, box, depth: 1, &placement)
    }
    return placement
  }

  private func place(
    childrenOf parent: Int, in section: Int, _ box: Box, depth: Int, _ placement: inout Placement
  ) {
    let items = children(of: parent, in: section)
    let boxes = tile(items.map { total(of: $0, in: section) }, box, depth: depth)
    for (item, box) in zip(items, boxes) {
      placement.addCell(section, item, box.rect)
      let inner = box.less(
        max(paddingOuter, paddingTop), paddingOuter, paddingOuter, paddingOuter, within: box)
      place(childrenOf: item, in: section, inner, depth: depth + 1, &placement)
    }
  }

  func children(of parent: Int, in section: Int) -> [Int] {
    sections[section].indices.filter { sections[section][$0].parent == parent }
  }

  func total(of item: Int, in section: Int) -> Double {
    children(of: item, in: section).map { total(of: $0, in: section) }
      .reduce(sections[section][item].weight, +)
  }

  private func tile(_ totals: [Double], _ box: Box, depth: Int) -> [Box] {
    let half = paddingInner / 2
    let grown = Box(x0: box.x0 - half, y0: box.y0 - half, x1: box.x1 + half, y1: box.y1 + half)
    var result = totals.map { _ in box.origin }
    let filled = totals.indices.filter { totals[$0] > 0 }
    let weights = filled.map { totals[$0] }
    let tiles =
      switch tiling {
      case .squarified: squarified(weights, grown)
      case .binary: binary(weights, grown)
      case .slice: stacked(weights, grown)
      case .dice: beside(weights, grown)
      case .sliceDice: depth % 2 == 1 ? stacked(weights, grown) : beside(weights, grown)
      }
    for (index, tile) in zip(filled, tiles) {
      result[index] = half > 0 ? tile.less(half, half, half, half, within: box) : tile
    }
    return result
  }

  private func beside(_ weights: [Double], _ box: Box) -> [Box] {
    let sum = weights.reduce(0, +)
    var before = 0.0
    return weights.map { weight in
      var part = box
      part.x0 = box.x0 + (box.x1 - box.x0) * before / sum
      before += weight
      part.x1 = box.x0 + (box.x1 - box.x0) * before / sum
      return part
    }
  }

  private func stacked(_ weights: [Double], _ box: Box) -> [Box] {
    func turned(_ box: Box) -> Box { Box(x0: box.y0, y0: box.x0, x1: box.y1, y1: box.x1) }
    return beside(weights, turned(box)).map(turned)
  }

  private func squarified(_ weights: [Double], _ box: Box) -> [Box] {
    guard !weights.isEmpty else { return [] }
    let (width, height) = (box.x1 - box.x0, box.y1 - box.y0)
    let all = weights.reduce(0, +)
    func worst(_ count: Int) -> Double {
      let row = weights.prefix(count)
      let alpha = max(height / width, width / height) / (all * ratio)
      let square = row.reduce(0, +) * row.reduce(0, +) * alpha
      guard width > 0, height > 0 else { return .infinity }
      return max((row.max() ?? 0) / square, square / (row.min() ?? 0))
    }
    var count = 1
    while count < weights.count, !(worst(count + 1) > worst(count)) { count += 1 }
    let (row, rest) = (Array(weights.prefix(count)), Array(weights.dropFirst(count)))
    let part = row.reduce(0, +) / all
    var (near, far) = (box, box)
    if width < height {
      near.y1 = rest.isEmpty ? box.y1 : box.y0 + height * part
      far.y0 = near.y1
      return beside(row, near) + squarified(rest, far)
    }
    near.x1 = rest.isEmpty ? box.x1 : box.x0 + width * part
    far.x0 = near.x1
    return stacked(row, near) + squarified(rest, far)
  }

  private func binary(_ weights: [Double], _ box: Box) -> [Box] {
    guard weights.count > 1 else { return weights.map { _ in box } }
    let all = weights.reduce(0, +)
    func distance(_ count: Int) -> Double {
      (weights.prefix(count).reduce(0, +) - all / 2).magnitude
    }
    var count = 1
    for other in 2..<max(2, weights.count) where distance(other) <= distance(count) {
      count = other
    }
    let (left, right) = (Array(weights.prefix(count)), Array(weights.dropFirst(count)))
    let sums = [left.reduce(0, +), right.reduce(0, +)]
    let halves =
      box.x1 - box.x0 > box.y1 - box.y0 ? beside(sums, box) : stacked(sums, box)
    return binary(left, halves[0]) + binary(right, halves[1])
  }

  func apply(to session: Session) throws {
    session.bounds = bounds
    session.contentInsets = contentInsets
    try session.set([
      "tiling": .choice(tiling.rawValue), "ratio": .number(ratio),
      "paddingInner": .number(paddingInner), "paddingOuter": .number(paddingOuter),
      "paddingTop": .number(paddingTop), "sectionHeaderHeight": .number(sectionHeaderHeight),
    ])
    try session.setSections(sections.map(\.count))
    let items = sections.flatMap { $0 }
    try session.setItemValues("weight", .numbers(items.map(\.weight)))
    try session.setItemValues(
      "parent", ValueColumn(items.map { .integer(Int64($0.parent)) }, type: .integer))
  }
}
