import TesseraHost
import TestSupport
import Testing

@Suite struct MosaicRulesTests {
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

  @Test(arguments: 1...300) func randomLayoutIsPlacedByTheRules(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var rules = MosaicRules()
    rules.bounds.width = random.pick([0, 0.5, 1, 2, 3, 375.75, random.number(in: 0...2000)])
    rules.contentInsets.left = random.number(in: 0...50)
    rules.contentInsets.right = random.number(in: 0...50)
    rules.segmentHeight = random.pick([0, 1, 2.5, random.number(in: 0...400)])
    rules.spacing = random.number(in: 0...20)
    rules.counts = random.itemCounts()
    try check(rules, try ShippedEngines.session("org.tessera.mosaic"))
  }
}

struct MosaicRules: EngineRules {
  var bounds = Size(width: 375, height: 667)
  var contentInsets = Insets.zero
  var segmentHeight = 200.0
  var spacing = 1.0
  var counts: [Int] = []

  func place() -> Placement {
    let items = cells(inSections: counts)
    let width = max(0, bounds.width - contentInsets.left - contentInsets.right)
    var placement = Placement(contentSize: Size(width: width, height: 0))
    var next = 0
    var bottom = 0.0
    var style = "fullWidth"
    while next < items.count {
      let left = items.count - next
      // The first row is full width, the last one or two items decide theirs; otherwise styles
      // rotate.
      if next > 0 { style = left == 1 ? "fullWidth" : left == 2 ? "fiftyFifty" : after(style) }
      let row = Rect(x: 0, y: bottom + spacing, width: width, height: segmentHeight)
      for frame in rects(style, row) {
        placement.entries.append(Placement.Entry(identity: items[next], frame: frame))
        next += 1
      }
      bottom = row.maxY
      placement.contentSize.height = bottom
    }
    return placement
  }

  private func after(_ style: String) -> String {
    switch style {
    case "fullWidth": "fiftyFifty"
    case "fiftyFifty": "twoThirdsOneThird"
    case "twoThirdsOneThird": "oneThirdTwoThirds"
    default: "fiftyFifty"
    }
  }

  private func rects(_ style: String, _ row: Rect) -> [Rect] {
    switch style {
    case "fullWidth": return [row]
    case "fiftyFifty": return across(row, 1, of: 2)
    case "twoThirdsOneThird":
      let parts = across(row, 2, of: 3)
      return [parts[0]] + down(parts[1])
    default:
      let parts = across(row, 1, of: 3)
      return down(parts[0]) + [parts[1]]
    }
  }

  /// Splits at a fraction of whole points, in integers; the right part starts a point after the
  /// left.
  private func across(_ rect: Rect, _ part: Int, of parts: Int) -> [Rect] {
    let width = Int(rect.width.rounded(.down))
    let first = (width * part + parts - 1) / parts
    return [
      Rect(x: rect.x, y: rect.y, width: Double(first), height: rect.height),
      Rect(
        x: rect.x + Double(first + 1), y: rect.y, width: Double(max(0, width - first - 1)),
        height: rect.height),
    ]
  }

  private func down(_ rect: Rect) -> [Rect] {
    let first = (rect.height / 2).rounded(.up)
    return [
      Rect(x: rect.x, y: rect.y, width: rect.width, height: first),
      Rect(
        x: rect.x, y: rect.y + first + 1, width: rect.width,
        height: max(0, rect.height - first - 1)),
    ]
  }

  func apply(to session: Session) throws {
    session.bounds = bounds
    session.contentInsets = contentInsets
    try session.setParameter("segmentHeight", to: .number(segmentHeight))
    try session.setParameter("spacing", to: .number(spacing))
    try session.setSections(counts)
  }
}
