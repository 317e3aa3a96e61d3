import Synchronization
import TesseraHost
import TestSupport
import Testing

@Suite struct GridRulesTests {
  @Test(arguments: 1...100) func randomLayoutIsPlacedByTheRules(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var rules = GridRules()
    rules.bounds.width = random.pick([0, 1, 49, 50, 109, 110, 170, random.number(in: 0...2000)])
    rules.contentInsets.left = random.number(in: 0...50)
    rules.contentInsets.right = random.number(in: 0...50)
    rules.itemSize = random.pick([
      rules.itemSize, Size(width: 50, height: 0),
      Size(width: random.number(in: 1...200), height: random.number(in: 0...200)),
    ])
    rules.spacing = random.pick([0, 10, random.number(in: 0...30)])
    rules.columns = random.pick([0, 0, 1, 2, 7, 5000])
    rules.counts = random.itemCounts()
    try check(rules, try ShippedEngines.session("org.tessera.grid"))
  }

  @Test func threeColumnsThatFillTheWidthInDoublesStayThree() throws {
    let session = try ShippedEngines.session("org.tessera.grid")
    session.bounds = Size(width: 390, height: 667)
    try session.setParameter(
      "itemSize", to: .size(Size(width: (390.0 - 2 * 5) / 3, height: 10)))
    try session.setParameter("spacing", to: .number(5))
    try session.setSections([6])
    #expect(try session.elements().map(\.frame.y) == [0, 0, 0, 15, 15, 15])
  }

  @Test(arguments: [0.0, 1_234_567_890, 9_999_999_333])
  func aBillionItemsAnswerAViewport(_ y: Double) throws {
    let session = try ShippedEngines.session("org.tessera.grid")
    let rowsWritten = Mutex(0)
    session.trace = { line in
      guard let end = line.range(of: " rows") else { return }
      let count = line[..<end.lowerBound].split(separator: " ").last.flatMap { Int($0) } ?? 0
      rowsWritten.withLock { $0 += count }
    }
    // 6 columns of 60; the section border is in the middle of a line.
    let counts = [123_456_789, 0, 876_543_211]
    try session.setSections(counts)
    #expect(try session.contentSize() == Size(width: 375, height: 10_000_000_010))
    session.offset = Point(x: 0, y: y)
    let visible = try session.elements(in: session.visibleRect)
    var rules = GridRules()
    rules.counts = counts
    let lines = max(0, Int((y - 50) / 60) - 2)..<min(166_666_667, Int((y + 667) / 60) + 3)
    let expected = (lines.lowerBound * 6..<min(1_000_000_000, lines.upperBound * 6)).filter {
      let frame = rules.frame(at: $0)
      return frame.maxY > y && frame.minY < y + 667
    }
    #expect(
      visible.map(\.identity)
        == expected.map {
          $0 < counts[0]
            ? .cell(section: 0, item: $0) : .cell(section: 2, item: $0 - counts[0])
        })
    #expect(visible.map(\.frame) == expected.map { rules.frame(at: $0) })
    #expect(rowsWritten.withLock { $0 } <= expected.count + 24)
    let last = try session.element(.cell(section: 2, item: counts[2] - 1))
    #expect(last?.frame == rules.frame(at: 999_999_999))
    #expect(try session.element(.cell(section: 2, item: counts[2])) == nil)
  }

  @Test(arguments: [
    UpdateOperation.insert(ItemPath(section: 0, item: 6_000_010)),
    .delete(ItemPath(section: 0, item: 6_000_010)),
  ])
  func aChangeInSightAsksThreeTimes(_ operation: UpdateOperation) throws {
    let session = try ShippedEngines.session("org.tessera.grid")
    try session.setSections([1_000_000_000])
    // Lines of 6 cells and 60 points: 6,000,000 is the first visible cell.
    session.offset.y = 60_000_000
    _ = try session.visibleElements()
    let calls = Mutex(0)
    session.trace = { _ in calls.withLock { $0 += 1 } }
    let step = if case .insert = operation { 1 } else { -1 }
    let animation = try session.update(
      UpdateBatch([operation], before: [1_000_000_000], after: [1_000_000_000 + step]),
      tracks: .visible
    ) { _ in }
    #expect(calls.withLock { $0 } == 3)
    let (first, end) = (6_000_000, 6_000_072)
    let before = animation.tracks.compactMap { $0.before?.item }.sorted()
    let after = animation.tracks.compactMap { $0.after?.item }
    #expect(before == Array(first..<end + (step < 0 ? 1 : 0)))
    #expect(after == Array(first..<end + (step > 0 ? 1 : 0)))
  }
}

struct GridRules: EngineRules {
  var bounds = Size(width: 375, height: 667)
  var contentInsets = Insets.zero
  var itemSize = Size(width: 50, height: 50)
  var spacing = 10.0
  /// 0: as many as fit.
  var columns = 0
  var counts: [Int] = []

  var extent: Double { max(0, bounds.width - contentInsets.left - contentInsets.right) }

  var columnCount: Int {
    guard columns == 0 else { return columns }
    var count = 1
    while Double(count + 1) * itemSize.width + Double(count) * spacing <= extent + 1e-6 {
      count += 1
    }
    return count
  }

  func frame(at index: Int) -> Rect {
    Rect(
      x: Double(index % columnCount) * (itemSize.width + spacing),
      y: Double(index / columnCount) * (itemSize.height + spacing), width: itemSize.width,
      height: itemSize.height)
  }

  func place() -> Placement {
    var placement = Placement(contentSize: Size(width: extent, height: 0))
    for (index, identity) in cells(inSections: counts).enumerated() {
      let frame = frame(at: index)
      placement.addCell(identity.section, identity.item, frame)
      placement.contentSize.width = max(placement.contentSize.width, frame.maxX)
      placement.contentSize.height = max(placement.contentSize.height, frame.maxY)
    }
    return placement
  }

  func apply(to session: Session) throws {
    session.bounds = bounds
    session.contentInsets = contentInsets
    try session.set([
      "itemSize": .size(itemSize), "spacing": .number(spacing),
      "columns": .integer(Int64(columns)),
    ])
    try session.setSections(counts)
  }
}
