import TesseraHost
import TestSupport
import Testing

@Suite struct WaterfallTests {
  private static let id = "org.tessera.waterfall"

  @Test(arguments: 1...80) func randomLayoutIsPlacedByTheRules(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let rules = WaterfallRules.random(using: &random)
    try check(rules, try ShippedEngines.session(Self.id))
  }

  /// Sums of non-binary heights differ in low bits; the shortest column must still be found.
  @Test(arguments: [1, 2, 4, 7, 64, 65, 300])
  func columnsOfAlmostEqualLengthAreCompared(_ columns: Int) throws {
    var random = SeededGenerator(seed: 3)
    var rules = WaterfallRules()
    rules.scale = 3
    rules.interitemSpacing = 0.1
    rules.bounds.width = 4000
    rules.sections = [WaterfallRules.Section()]
    rules.sections[0].columns = columns
    rules.sections[0].items = (0..<5000).map { _ in
      WaterfallRules.Item(height: random.pick([0.1, 0.2, 0.3, 1.0 / 3, 0.7]))
    }
    try check(rules, try ShippedEngines.session(Self.id))
  }

  /// Three thirds fit, although (390 + 5) / ((390 - 2·5) / 3 + 5) is 2.9999999999999996.
  @Test func asManyColumnsAsFitAreUsed() throws {
    let session = try ShippedEngines.session(Self.id)
    session.bounds.width = 390
    try session.setSections([30])
    try session.set([
      "columnCount": .integer(0), "minimumColumnSpacing": .number(5),
      "minimumColumnWidth": .number((390.0 - 2 * 5) / 3),
    ])
    #expect(Set(try session.elements().map(\.frame.x)).count == 3)
  }

  @Test func anyNumberOfColumnsIsLaidOut() throws {
    let session = try ShippedEngines.session(Self.id)
    try session.setSections([3])
    try session.setParameter("columnCount", to: .integer(.max))
    #expect(try session.elements().map(\.frame.x) == [0, 10, 20])
    try session.setItemValues("span", .integers([1, .max, 2]))
    session.expectRefusal("columnCount")
  }

  @Test(arguments: [
    ("aspectRatio", 0.0, "above 0"), ("aspectRatio", -1, "above 0"),
    ("height", -2, "not negative"),
  ])
  func invalidItemIsReportedWithItsPlace(_ name: String, _ number: Double, _ rule: String) throws {
    let session = try ShippedEngines.session(Self.id)
    try session.setSections([1, 3])
    try session.setItemValues(name, .numbers([1, 1, number, 1]))
    session.expectRefusal("\(name) of item 1 in section 1 is \(number.shortText)", rule)
  }
}

struct WaterfallRules: EngineRules {
  struct Item {
    var aspectRatio = 1.0
    var height = 0.0
    var span = 1
  }

  struct Section {
    var columns = 2
    var inset = Insets.zero
    var header = 0.0
    var footer = 0.0
    var items: [Item] = []
  }

  var bounds = Size(width: 375, height: 667)
  var contentInsets = Insets.zero
  var scale = 1.0
  var minimumColumnWidth = 150.0
  var columnSpacing = 10.0
  var interitemSpacing = 10.0
  var isRoundRobin = false
  var tolerance = 0.0
  var sections: [Section] = []

  func place() -> Placement {
    let extent = max(0, bounds.width - contentInsets.left - contentInsets.right)
    return Placement(stacking: stacked, in: extent) { number, y in
      frames(of: sections[number], from: y, extent: extent)
    }
  }

  private var stacked: [(header: Double, inset: Insets, footer: Double)] {
    sections.map { ($0.header, $0.inset, $0.footer) }
  }

  private func frames(of section: Section, from start: Double, extent: Double) -> [Rect] {
    let available = max(0, extent - section.inset.left - section.inset.right)
    let fitting = (available + columnSpacing + 1e-6) / (minimumColumnWidth + columnSpacing)
    let n = section.columns == 0 ? max(1, Int(fitting)) : section.columns
    let exact = (available - Double(n - 1) * columnSpacing) / Double(n)
    let width = (max(0, exact) * scale).rounded(.down) / scale
    var bottoms = Array(repeating: start, count: n)
    var next = 0
    return section.items.map { item in
      let k = min(max(1, item.span), n)
      let itemWidth = Double(k) * width + Double(k - 1) * columnSpacing
      let height =
        item.height != 0
        ? item.height : (itemWidth / item.aspectRatio * scale + 0.5).rounded(.down) / scale
      let starts = (0...n - k).map { bottoms[$0..<$0 + k].max() ?? start }
      let least = starts.min() ?? start
      var place = starts.firstIndex { $0 <= least + tolerance } ?? 0
      if isRoundRobin { place = next + k <= n ? next : 0 }
      next = place + k
      for column in place..<place + k {
        bottoms[column] = starts[place] + height + interitemSpacing
      }
      return Rect(
        x: section.inset.left + Double(place) * (width + columnSpacing), y: starts[place],
        width: itemWidth, height: height)
    }
  }

  func apply(to session: Session) throws {
    session.bounds = bounds
    session.contentInsets = contentInsets
    session.scale = scale
    try session.set([
      "minimumColumnWidth": .number(minimumColumnWidth),
      "minimumColumnSpacing": .number(columnSpacing),
      "minimumInteritemSpacing": .number(interitemSpacing),
      "order": .choice(isRoundRobin ? "roundRobin" : "shortestColumn"),
      "tolerance": .number(tolerance),
    ])
    try session.setSections(sections.map(\.items.count))
    try session.setSectionValues("columnCount", .integers(sections.map { Int64($0.columns) }))
    try session.set(stacked)
    let items = sections.flatMap(\.items)
    try session.setItemValues("aspectRatio", .numbers(items.map(\.aspectRatio)))
    if items.contains(where: { $0.height != 0 }) {
      try session.setItemValues("height", .numbers(items.map(\.height)))
    }
    if items.contains(where: { $0.span != 1 }) {
      try session.setItemValues("span", .integers(items.map { Int64($0.span) }))
    }
  }
}

extension WaterfallRules {
  /// Values repeat often enough for ties between columns.
  static func random(using random: inout some RandomNumberGenerator) -> WaterfallRules {
    var rules = WaterfallRules()
    rules.bounds.width = random.number(in: 0...random.pick([100, 1200]))
    rules.contentInsets.left = random.number(in: 0...30)
    rules.scale = random.pick([1, 2, 3])
    rules.minimumColumnWidth = random.number(in: 1...200)
    rules.columnSpacing = random.pick([0, random.number(in: 0...30)])
    rules.interitemSpacing = random.pick([0, random.number(in: 0...30)])
    rules.isRoundRobin = random.pick([false, false, true])
    rules.tolerance = random.pick([0, 0, random.number(in: 0...100)])
    let spans = random.pick([1, 1, 2, 9])
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      var section = Section()
      section.columns = Int.random(in: 0...random.pick([4, 9, 100]), using: &random)
      section.inset = random.edges(upTo: 40)
      section.header = random.pick([0, random.number(in: 0...50)])
      section.footer = random.pick([0, random.number(in: 0...50)])
      section.items = (0..<Int.random(in: 0...random.pick([3, 200]), using: &random)).map { _ in
        Item(
          aspectRatio: random.pick([1, 1.5, 0.75, Double.random(in: 0.1...3, using: &random)]),
          height: random.pick([0, 0, 20, random.number(in: 0...300)]),
          span: Int.random(in: 1...spans, using: &random))
      }
      rules.sections.append(section)
    }
    return rules
  }
}
