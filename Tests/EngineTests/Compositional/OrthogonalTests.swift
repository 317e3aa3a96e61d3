import Synchronization
import TesseraGeometry
import TesseraHost
import TestSupport
import Testing

@testable import TesseraRuntime

/// Sections of the compositional engine that scroll across the others.
@Suite struct OrthogonalTests {
  /// Two rows of tiles, 100 wide and 60 high with 10 between, of which the first scrolls.
  private func shelves(_ orthogonal: String, _ offset: Double) -> CompositionalRules {
    CompositionalRules(
      nodes: [
        Node(kind: "horizontal", widthIs: "absolute", heightIs: "absolute", width: 100, height: 60),
        Node(parent: 0),
      ],
      sections: [
        .init(
          count: 12, interGroupSpacing: 10, contentInsets: Insets(left: 20),
          headerReferenceSize: Size(width: 0, height: 30), orthogonal: orthogonal,
          orthogonalOffset: offset),
        .init(count: 1),
      ])
  }

  private func frames(_ rules: CompositionalRules) throws -> [Rect] {
    let session = try ShippedEngines.session(CompositionalTests.id)
    try rules.apply(to: session)
    return try session.elements().filter { $0.identity.category == .cell }.map(\.frame)
  }

  /// In the smallest bounds, the number of a page has no finite value.
  @Test(arguments: [5e-324, 1e-310, 1e-300]) func pagesOfNoWidthAreFinite(_ width: Double) throws {
    let session = try ShippedEngines.session(CompositionalTests.id)
    for offset in [1, -1, 1e300, -1e300] {
      session.bounds = Size(width: width, height: width)
      try shelves("paging", offset).apply(to: session)
      session.bounds = Size(width: width, height: width)
      let frames = try session.elements().map(\.frame)
      #expect(frames.count > 12)
      #expect(frames.allSatisfy { $0.isFinite }, "\(width) \(offset)")
    }
  }

  /// Tile i lies at 20 + 110·i less the offset, all of them at y 30; the next section begins at 90, and
  /// the content is no wider for them.
  @Test func groupsLieAcross() throws {
    let rules = shelves("continuous", 35)
    let found = try frames(rules)
    let expected = (0..<12).map { (tile: Int) -> Double in Double(110 * tile - 15) }
    #expect(found.prefix(12).map(\.x) == expected)
    #expect(found.prefix(12).allSatisfy { $0.y == 30 && $0.width == 100 && $0.height == 60 })
    #expect(found[12] == Rect(x: 0, y: 90, width: 100, height: 60))
    let session = try ShippedEngines.session(CompositionalTests.id)
    try rules.apply(to: session)
    #expect(try session.contentSize() == Size(width: 400, height: 150))
  }

  /// Pages are 400 wide: 199 is rounded to 0, 200 and 599 to 400, -201 to -400.
  @Test func pagesAreRoundedHalfUp() throws {
    for (offset, page) in [(199.0, 0.0), (200, 400), (599, 400), (-200, 0), (-201, -400)] {
      #expect(try frames(shelves("paging", offset))[0].x == 20 - page)
    }
    var narrow = shelves("paging", 300)
    narrow.bounds.width = 0
    #expect(try frames(narrow)[0].x == 20)
  }

  /// At 35, tile 0 lies at -15 and tile 3 at 315; tile 4 at 425 is outside of the extent, where no
  /// rectangle meets it, and tile 11 comes back without one.
  @Test func rectanglesMeetWhatWasMovedIntoTheExtent() throws {
    let session = try ShippedEngines.session(CompositionalTests.id)
    try shelves("continuous", 35).apply(to: session)
    func found(_ x: Double, _ width: Double) throws -> [Int] {
      try session.elements(in: Rect(x: x, y: 40, width: width, height: 1)).map(\.identity.item)
    }
    #expect(try found(0, 400) == [0, 1, 2, 3])
    #expect(try found(-500, 2000) == [0, 1, 2, 3])
    #expect(try found(-20, 15) == [])
    #expect(try found(420, 200) == [])
    #expect(try session.element(.cell(section: 0, item: 11))?.frame.x == 20 + 1210 - 35)
  }

  /// At 110, tile 1 lies where tile 0 is prepared, and so on; a rectangle that is the prepared frame of
  /// one tile meets the next one, which was moved there.
  @Test func frameOfOneTileMeetsTheNext() throws {
    let session = try ShippedEngines.session(CompositionalTests.id)
    try shelves("continuous", 110).apply(to: session)
    for tile in 0..<3 {
      let frame = Rect(x: 20 + 110 * Double(tile), y: 30, width: 100, height: 60)
      #expect(
        try session.elements(in: frame).map(\.identity) == [.cell(section: 0, item: tile + 1)])
    }
  }

  /// Setting the offset, of the section or of all, calls `adjust` alone, in this process and in another.
  @Test(arguments: [Isolation.none, .sandbox])
  func scrollingPreparesNothing(_ isolation: Isolation) throws {
    var configuration = HostConfiguration(isolation: isolation)
    configuration.worker = BuiltProducts.folder.appendingPathComponent("tessera-worker").path
    let host = TesseraHost.Host(
      searchPath: SearchPath(folders: [BuiltProducts.folder.path]), configuration: configuration)
    let session = try Session(host.engine(CompositionalTests.id))
    try shelves("continuous", 0).apply(to: session)
    func left() throws -> Double {
      try session.elements(in: Rect(x: 0, y: 40, width: 400, height: 1))[0].frame.x
    }
    #expect(try left() == 20)
    let calls = Mutex<[String]>([])
    session.trace = { line in calls.withLock { $0.append(line) } }
    try session.setSectionValues("orthogonalOffset", .numbers([35, 0]))
    #expect(try left() == -15)
    try session.setSectionValues("orthogonalOffset", .numbers([60, 0]))
    #expect(try left() == -40)
    let heard = calls.withLock(\.self)
    #expect(heard.count == 2 && heard.allSatisfy { $0.hasPrefix("adjust(") }, "\(heard)")
    // The next prepare has the present values, too.
    session.bounds.width = 399
    #expect(try left() == -40)
    #expect(calls.withLock { $0.contains { $0.hasPrefix("prepare(") } })
  }

  /// The offset moves what a query returns, and no prepared cell.
  @Test func scrollingLeavesAllCells() throws {
    let session = try ShippedEngines.session(CompositionalTests.id)
    try shelves("continuous", 0).apply(to: session)
    try RowMark.set(session)
    try session.setParameter("orthogonalOffset", to: .number(0))
    try shelves("continuous", 90).apply(to: session)
    // The header is placed again.
    #expect(try RowMark.countOfRedone(session) <= 2)
  }

  @Test func farTilesScrollIntoSight() throws {
    let session = try ShippedEngines.session(CompositionalTests.id)
    try shelves("continuous", 1000).apply(to: session)
    // Tile 9 lies at 20 + 990 - 1000, tile 11 at 230.
    let found = try session.elements(in: Rect(x: 0, y: 40, width: 400, height: 1))
    #expect(found.map(\.identity.item) == [9, 10, 11])
    #expect(found.map(\.frame.x) == [10, 120, 230])
  }

  @Test(arguments: 1...80, LayoutDirection.allCases)
  func rectangleIsAFilterWithinTheExtent(_ seed: UInt64, _ direction: LayoutDirection) throws {
    var random = SeededGenerator(seed: seed)
    var rules = CompositionalTests.random(using: &random)
    rules.sections.append(contentsOf: rules.sections)
    for section in rules.sections.indices where rules.sections[section].orthogonal == "none" {
      rules.sections[section].orthogonal = "continuous"
    }
    let session = try ShippedEngines.session(CompositionalTests.id)
    try rules.apply(to: session)
    session.direction = direction
    let (all, content) = (try session.elements(), try session.contentSize())
    var sight = rules.extent
    // The mirrored extent begins where the content ends.
    if direction == .leftToRight || rules.isHorizontal {
      sight.width = min(sight.width, content.width)
    }
    let left = direction == .rightToLeft ? content.width - sight.width : 0
    for _ in 0..<20 {
      let rect = Rect(
        x: Double.random(in: -200...500, using: &random),
        y: Double.random(in: -200...content.height, using: &random),
        width: Double.random(in: 1...400, using: &random),
        height: Double.random(in: 1...400, using: &random))
      var visible = rect
      if rules.isHorizontal {
        visible.y = max(0, rect.y)
        visible.height = max(0, min(rect.maxY, sight.height) - visible.y)
      } else {
        visible.x = max(left, rect.x)
        visible.width = max(0, min(rect.maxX, left + sight.width) - visible.x)
      }
      let expected = all.filter { element in
        element.frame.intersects(element.identity.category == .cell ? visible : rect)
      }
      #expect(try session.elements(in: rect).map(\.identity) == expected.map(\.identity))
    }
    for element in all.shuffled(using: &random).prefix(30) {
      #expect(try session.element(element.identity) == element)
    }
  }
}
