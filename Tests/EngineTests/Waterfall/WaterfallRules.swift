import TesseraGeometry
import TesseraHost
import TestSupport

/// The rules of the waterfall engine as they are written down, item after item and column by column.
struct WaterfallRules {
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
    let stacked = sections.map { ($0.header, $0.inset, $0.footer) }
    return Placement(stacking: stacked, in: extent) { number, y in
      frames(of: sections[number], from: y, extent: extent)
    }
  }

  /// The frames of a section's items, whose columns begin at `start`.
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

  /// Gives a session of the engine what the rules are followed for.
  func apply(to session: Session) throws {
    session.bounds = bounds
    session.contentInsets = contentInsets
    session.scale = scale
    try session.setParameter("minimumColumnWidth", to: .number(minimumColumnWidth))
    try session.setParameter("minimumColumnSpacing", to: .number(columnSpacing))
    try session.setParameter("minimumInteritemSpacing", to: .number(interitemSpacing))
    try session.setParameter("order", to: .choice(isRoundRobin ? "roundRobin" : "shortestColumn"))
    try session.setParameter("tolerance", to: .number(tolerance))
    try session.setSections(sections.map(\.items.count))
    try session.setSectionValues("columnCount", .integers(sections.map { Int64($0.columns) }))
    try session.setSectionValues("sectionInset", .insets(sections.map(\.inset)))
    for (name, heights) in [
      ("headerReferenceSize", sections.map(\.header)),
      ("footerReferenceSize", sections.map(\.footer)),
    ] {
      try session.setSectionValues(name, .sizes(heights.map { Size(width: 0, height: $0) }))
    }
    let items = sections.flatMap(\.items)
    try session.setItemValues("aspectRatio", .numbers(items.map(\.aspectRatio)))
    // A value that is left out stands for its default.
    if items.contains(where: { $0.height != 0 }) {
      try session.setItemValues("height", .numbers(items.map(\.height)))
    }
    if items.contains(where: { $0.span != 1 }) {
      try session.setItemValues("span", .integers(items.map { Int64($0.span) }))
    }
  }
}

extension WaterfallRules {
  /// Random rules, whose values repeat often enough for columns of equal length.
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
