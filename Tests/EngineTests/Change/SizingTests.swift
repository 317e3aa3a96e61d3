import TestSupport
import Testing

@testable import TesseraHost

/// Self-sizing items are measured when they become visible.
@Suite struct SizingTests {
  private final class Ruler {
    private(set) var sizes: [Size]
    private(set) var asked: [Int: Int] = [:]
    private(set) var proposals: Set<Size> = []

    init(_ sizes: [Size]) { self.sizes = sizes }

    func listen(to session: Session) {
      session.measure = { [unowned self, unowned session] section, item, proposed in
        let place = session.itemCounts[..<section].reduce(item, +)
        asked[place, default: 0] += 1
        proposals.insert(proposed)
        return sizes[place]
      }
    }

    func isMeasured(_ item: Int) -> Bool { asked[item] != nil }
  }

  struct Kind: Sendable, CustomTestStringConvertible {
    let engine: String
    let parameters: [String: Value]
    let value: String
    let isHorizontal: Bool
    var testDescription: String { "\(engine) \(parameters)" }
  }

  static let kinds = [
    Kind(
      engine: "table", parameters: ["estimatedRowHeight": .number(40)], value: "height",
      isHorizontal: false),
    Kind(
      engine: "flow", parameters: ["estimatedItemSize": .size(Size(width: 90, height: 60))],
      value: "size", isHorizontal: false),
    Kind(
      engine: "flow",
      parameters: [
        "estimatedItemSize": .size(Size(width: 50, height: 90)),
        "scrollDirection": .choice("horizontal"),
      ], value: "size", isHorizontal: true),
  ]

  private func session(_ kind: Kind, _ counts: [Int]) throws -> Session {
    let session = try ShippedEngines.session("org.tessera.\(kind.engine)")
    for (name, value) in kind.parameters { try session.setParameter(name, to: value) }
    try session.setSections(counts)
    return session
  }

  private func ruler(_ count: Int, _ random: inout SeededGenerator) -> Ruler {
    Ruler((0..<count).map { _ in random.extent(in: 5...170) })
  }

  /// First visible measured cell and its position on screen.
  ///
  /// Read in prepare: querying the session would measure.
  private func anchor(
    _ session: Session, _ kind: Kind, _ ruler: Ruler
  ) throws -> (identity: ElementIdentity, place: Double)? {
    let layout = try session.prepareIfNeeded()
    let measured = try session.elements(in: session.visibleRect, layout).filter { element in
      let identity = element.identity
      return identity.category == .cell
        && ruler.isMeasured(session.itemCounts[..<identity.section].reduce(identity.item, +))
    }
    let first = measured.min { ($0.frame.y, $0.frame.x) < ($1.frame.y, $1.frame.x) }
    return first.map { ($0.identity, place(of: $0.frame, in: session, kind)) }
  }

  private func place(of frame: Rect, in session: Session, _ kind: Kind) -> Double {
    kind.isHorizontal ? frame.x - session.offset.x : frame.y - session.offset.y
  }

  @Test(arguments: kinds, 1...2 as ClosedRange<UInt64>)
  func visibleElementsStayWhileScrolling(_ kind: Kind, _ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let counts = [4000, 6000]
    let session = try session(kind, counts)
    let ruler = ruler(10_000, &random)
    ruler.listen(to: session)
    _ = try session.visibleElements()
    for step in 0..<60 {
      let reach: ClosedRange<Double> = step < 20 ? 0...400 : -500...400
      var distance = Double.random(in: reach, using: &random)
      if step % 15 == 14 { distance = Double.random(in: 0...20_000, using: &random) }
      if kind.isHorizontal {
        session.offset.x = max(0, session.offset.x + distance)
      } else {
        session.offset.y = max(0, session.offset.y + distance)
      }
      let before = try anchor(session, kind, ruler)
      for element in try session.visibleElements() where element.identity.category == .cell {
        let identity = element.identity
        #expect(ruler.isMeasured(counts[..<identity.section].reduce(identity.item, +)))
      }
      guard let before else { continue }
      let frame = try #require(try session.element(before.identity)).frame
      let after = place(of: frame, in: session, kind)
      #expect((after - before.place).magnitude <= 0.25, "step \(step), \(before.identity)")
    }
    #expect(ruler.asked.count < 8000)
    try checkFinal(session, kind, ruler, counts)
  }

  /// Measuring everything must equal supplying all sizes, and each item is measured once.
  private func checkFinal(
    _ session: Session, _ kind: Kind, _ ruler: Ruler, _ counts: [Int]
  ) throws {
    _ = try session.elements()
    let found = try Snapshot(session)
    #expect(ruler.asked.count == counts.reduce(0, +))
    #expect(ruler.asked.values.allSatisfy { $0 == 1 })
    let given = try self.session(kind, counts)
    try given.setItemValues(
      kind.value,
      kind.value == "height" ? .numbers(ruler.sizes.map(\.height)) : .sizes(ruler.sizes))
    given.offset = session.offset
    #expect(try found == Snapshot(given))
  }

  @Test(arguments: kinds)
  func sizesHoldWhileTheProposalDoes(_ kind: Kind) throws {
    var random = SeededGenerator(seed: 9)
    let session = try session(kind, [300])
    let ruler = ruler(300, &random)
    ruler.listen(to: session)
    _ = try session.elements()
    let bounds = session.bounds
    let along = kind.isHorizontal ? \Size.width : \.height
    let across = kind.isHorizontal ? \Size.height : \.width
    session.bounds[keyPath: along] += 100
    _ = try session.elements()
    #expect(ruler.asked.values.allSatisfy { $0 == 1 })
    session.bounds[keyPath: across] += 100
    _ = try session.elements()
    #expect(ruler.asked.values.allSatisfy { $0 == 2 })
    var expected: Set<Size> = []
    for length in [bounds[keyPath: across], bounds[keyPath: across] + 100] {
      var size = Size.zero
      size[keyPath: across] = length
      expected.insert(size)
    }
    #expect(ruler.proposals == expected)
  }

  @Test(arguments: kinds)
  func anUpdateKeepsTheSizesOfWhatStays(_ kind: Kind) throws {
    var random = SeededGenerator(seed: 10)
    let session = try session(kind, [50])
    let sizes = ruler(50, &random).sizes
    var old = Array(0..<50)
    var asked: [Int] = []
    session.measure = { _, item, _ in
      asked.append(old[item])
      return sizes[old[item] % 50]
    }
    _ = try session.elements()
    #expect(asked.sorted() == Array(0..<50))
    asked = []
    let batch = try UpdateBatch(
      [
        .delete(ItemPath(section: 0, item: 3)), .reload(ItemPath(section: 0, item: 10)),
        .move(ItemPath(section: 0, item: 20), to: ItemPath(section: 0, item: 0)),
        .insert(ItemPath(section: 0, item: 5)),
      ], before: [50], after: [50])
    let new = (0..<50).map { item in
      batch.origin(of: ItemPath(section: 0, item: item))?.item ?? 77
    }
    _ = try session.update(batch) { _ in old = new }
    #expect(asked.sorted() == [10, 77])
    let frames = try session.elements().filter { $0.identity.category == .cell }.map(\.frame)
    #expect(frames.map(\.height) == new.map { sizes[$0 % 50].height })
  }

  // A cached refusal would leave the next query unmeasured.
  @Test func aRefusedMeasureIsRefusedAgain() throws {
    let session = try session(Self.kinds[0], [10])
    session.measure = { _, _, _ in Size(width: 0, height: 20) }
    #expect(try session.visibleElements().count > 0)
    try session.setSections([SizingColumn.limit + 1])
    for _ in 0..<2 {
      #expect { _ = try session.visibleElements() } throws: {
        ($0 as? HostError)?.code == .tooManyItems
      }
    }
    try session.setSections([10])
    #expect(try session.visibleElements().count > 0)
  }

  @Test func pinnedHeadersAreMeasured() throws {
    let session = try ShippedEngines.session("org.tessera.table")
    try session.setParameter("rowHeight", to: .number(50))
    try session.setParameter("estimatedSectionHeaderHeight", to: .number(25))
    session.bounds = Size(width: 300, height: 100)
    try session.setSections([100, 100])
    session.measureSupplementary = { _, section, proposed in
      Size(width: proposed.width, height: section == 0 ? 40 : 10)
    }
    session.offset = Point(x: 0, y: 1000)
    let shown = try session.visibleElements()
    // The header above the viewport grew by 15 points.
    #expect(session.offset.y == 1015)
    #expect(
      shown.filter { $0.identity.category == .supplementary }.map(\.frame)
        == [Rect(x: 0, y: 1015, width: 300, height: 40)])
    #expect(shown.first?.frame.origin == Point(x: 0, y: 990))
    #expect(try session.contentSize().height == 10_000 + 40 + 25)
  }
}
