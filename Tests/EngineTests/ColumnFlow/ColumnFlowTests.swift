import TesseraHost
import TestSupport
import Testing

@Suite struct ColumnFlowTests {
  @Test(arguments: 1...150) func randomLayoutIsPlacedByTheRules(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var rules = ColumnFlowRules()
    rules.minColumnWidth = random.number(in: 1...400)
    rules.cellHeight = random.number(in: 0...90)
    rules.interitemSpacing = random.number(in: 0...30)
    rules.flow.bounds = random.extent(in: 0...1500)
    rules.flow.bounds.width = random.pick([0, 300, rules.flow.bounds.width])
    rules.flow.isHorizontal = random.pick([false, false, true])
    rules.flow.scale = random.pick([1, 2, 3])
    rules.flow.contentInsets = random.edges(upTo: 30)
    rules.flow.safeArea = random.edges(upTo: 60)
    rules.flow.layoutMargins = random.edges(upTo: random.pick([60, 300]))
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      var section = FlowRules.Section()
      section.lineSpacing = random.number(in: 0...30)
      section.interitemSpacing = random.pick([rules.interitemSpacing, random.number(in: 0...30)])
      section.header = Size(width: 20, height: random.pick([0, random.number(in: 1...50)]))
      section.footer = Size(width: 0, height: random.pick([0, random.number(in: 1...50)]))
      section.inset = random.edges(upTo: 30)
      section.sizes = Array(
        repeating: Size(width: 7, height: 9), count: Int.random(in: 0...20, using: &random))
      rules.flow.sections.append(section)
    }
    try check(rules, try ShippedEngines.session("org.tessera.column-flow"))
  }

  @Test func overriddenSizesAreNotMeasured() throws {
    let engine = try ShippedEngines.host.engine("org.tessera.column-flow")
    let (measuring, plain) = (try Session(engine), try Session(engine))
    measuring.measure = { _, _, _ in Size(width: 7, height: 7) }
    for session in [measuring, plain] { try session.setSections([30]) }
    #expect(try Snapshot(measuring) == Snapshot(plain))
  }
}

/// Calculates flow's input, then follows FlowRules.
struct ColumnFlowRules: EngineRules {
  var minColumnWidth = 300.0
  var cellHeight = 70.0
  var interitemSpacing = 10.0
  var flow = FlowRules()

  var columns: Int {
    let margins = flow.layoutMargins
    let available = max(0, flow.bounds.width - margins.left - margins.right)
    var count = 1
    while Double(count + 1) * minColumnWidth <= available { count += 1 }
    return count
  }

  /// Extent minus the safe area.
  var line: Double {
    let (insets, safeArea) = (flow.contentInsets, flow.safeArea)
    return max(0, flow.bounds.width - insets.left - insets.right)
      - max(0, safeArea.left - insets.left) - max(0, safeArea.right - insets.right)
  }

  var cellWidth: Double {
    let margins = flow.layoutMargins
    let available = max(0, flow.bounds.width - margins.left - margins.right)
    let count = Double(columns)
    let width = (available / count).rounded(.down)
    let gaps = (count - 1) * interitemSpacing
    if count * width + gaps <= line { return width }
    return max(0, ((line - gaps) / count).rounded(.down))
  }

  func place() -> Placement {
    var rules = flow
    rules.reference = "safeArea"
    rules.sections = flow.sections.map { section in
      var section = section
      section.inset = Insets(top: interitemSpacing)
      let size = Size(width: cellWidth, height: cellHeight)
      section.sizes = Array(repeating: size, count: section.sizes.count)
      return section
    }
    return rules.place()
  }

  func apply(to session: Session) throws {
    try session.set([
      "minColumnWidth": .number(minColumnWidth), "cellHeight": .number(cellHeight),
      "minimumInteritemSpacing": .number(interitemSpacing),
      "scrollDirection": .choice(flow.isHorizontal ? "horizontal" : "vertical"),
    ])
    try flow.applyValues(to: session)
  }
}
