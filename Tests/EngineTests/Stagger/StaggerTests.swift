import TesseraHost
import TestSupport
import Testing

@Suite struct StaggerRulesTests {
  @Test(arguments: 1...100) func randomLayoutIsPlacedByTheRules(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var rules = StaggerRules()
    rules.bounds.height = random.pick([0, 89, 90, 189, 190, 191, random.number(in: 0...2000)])
    rules.contentInsets.top = random.number(in: 0...50)
    rules.contentInsets.bottom = random.number(in: 0...50)
    rules.spacing = random.pick([-5, 10, random.number(in: 0...30)])
    let least = max(0, -rules.spacing)
    rules.itemSize = random.pick([
      rules.itemSize, Size(width: least, height: least + 1),
      Size(width: random.number(in: least...200), height: random.number(in: least + 1...200)),
    ])
    rules.isCentred = Bool.random(using: &random)
    rules.counts = random.itemCounts()
    try check(rules, try ShippedEngines.session("org.tessera.stagger"))
  }

  @Test func heightAndSpacingMustComeToMoreThanNothing() throws {
    let session = try ShippedEngines.session("org.tessera.stagger")
    try session.setSections([3])
    for (height, spacing) in [(0.0, 0.0), (10, -10), (10, -11)] {
      try session.setParameter("itemSize", to: .size(Size(width: 10, height: height)))
      try session.setParameter("itemSpacing", to: .number(spacing))
      session.expectRefusal("itemSpacing")
    }
  }
}

struct StaggerRules: EngineRules {
  var bounds = Size(width: 375, height: 667)
  var contentInsets = Insets.zero
  var itemSize = Size(width: 100, height: 90)
  var spacing = 10.0
  var isCentred = false
  var counts: [Int] = []

  var availableHeight: Double {
    max(0, bounds.height - contentInsets.top - contentInsets.bottom)
  }

  var rows: Int {
    max(1, Int(((availableHeight + spacing) / (itemSize.height + spacing)).rounded(.down)))
  }

  func place() -> Placement {
    var placement = Placement()
    let block = Double(rows) * itemSize.height + Double(rows - 1) * spacing
    let shift = isCentred ? max(0, (availableHeight - block) / 2) : 0
    placement.contentSize.height = isCentred ? max(block, availableHeight) : block
    for (index, identity) in cells(inSections: counts).enumerated() {
      let (row, column) = (index % rows, index / rows)
      let frame = Rect(
        x: Double(column) * (itemSize.width + spacing) + (row % 2 == 1 ? itemSize.width / 2 : 0),
        y: shift + Double(row) * (itemSize.height + spacing), width: itemSize.width,
        height: itemSize.height)
      placement.entries.append(Placement.Entry(identity: identity, frame: frame))
      placement.contentSize.width = max(placement.contentSize.width, frame.maxX)
    }
    return placement
  }

  func apply(to session: Session) throws {
    session.bounds = bounds
    session.contentInsets = contentInsets
    try session.setParameter("itemSize", to: .size(itemSize))
    try session.setParameter("itemSpacing", to: .number(spacing))
    try session.setParameter("alignment", to: .choice(isCentred ? "center" : "top"))
    try session.setSections(counts)
  }
}
