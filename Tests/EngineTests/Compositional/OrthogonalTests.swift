import Synchronization
import TesseraHost
import TestSupport
import Testing

@Suite struct OrthogonalTests {
  /// Two rows of tiles of 100×60, 10 apart; the first scrolls.
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

  /// In the smallest bounds, page numbers overflow.
  @Test(arguments: [.leastNonzeroMagnitude, 1e-300 / 1e10, 1e-300]) func pagesOfNoWidthAreFinite(
    _ width: Double
  ) throws {
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

  private func rest(_ kind: String, _ proposed: Double, _ velocity: Double) throws -> Double {
    let session = try ShippedEngines.session(CompositionalTests.id)
    try shelves(kind, 0).apply(to: session)
    let arguments: [Value] = [.integer(0), .number(proposed), .number(velocity)]
    return try #require(try session.call("restingOrthogonalOffset", arguments).numbers.first)
  }

  /// Stops as above; pages at 0, 400, 800 and 1200.
  ///
  /// A velocity selects the next stop, unless the proposed offset already has.
  @Test(arguments: [
    ("continuous", 35.0, 900.0, 35.0), ("continuous", -35, 0, 0), ("continuous", 2000, 0, 930),
    ("continuousGroupLeadingBoundary", 130, 900, 110),
    ("continuousGroupLeadingBoundary", 130, -900, 110),
    ("continuousGroupLeadingBoundary", 165, 0, 220),
    ("groupPaging", 115, 1, 220), ("groupPaging", 215, -1, 110), ("groupPaging", 215, 0, 220),
    ("groupPaging", 110, 900, 110), ("groupPaging", -5, -900, 0), ("groupPaging", 929, 5, 930),
    ("groupPagingCentered", -129, 3, -20), ("groupPagingCentered", 1100, 3, 1080),
    ("groupPagingCentered", 0, -3, -20), ("paging", 10, 3, 400), ("paging", 390, -3, 0),
    ("paging", 199, 0, 0), ("paging", 200, 0, 400), ("paging", 4000, 0, 1200),
  ])
  func scrollsComeToRest(
    _ kind: String, _ proposed: Double, _ velocity: Double, _ stop: Double
  ) throws {
    #expect(try rest(kind, proposed, velocity) == stop)
  }

  /// Tiles of 60, 200 and 90, 10 apart, from 20: leading edges at 0, 70 and 280.
  ///
  /// The extent of 150 leaves 390 - 150 = 240; middles at 50, 190 and 345.
  @Test func measuredGroupsStopWhereTheyAre() throws {
    let session = try ShippedEngines.session(CompositionalTests.id)
    var rules = shelves("groupPaging", 200)
    rules.bounds.width = 150
    (rules.nodes[0].widthIs, rules.nodes[0].width) = ("estimated", 40)
    rules.nodes[1].widthIs = "estimated"
    rules.nodes[1].width = 40
    rules.nodes.append(Node(parent: 0, widthIs: "absolute", width: 0))
    rules.sections = [rules.sections[0]]
    rules.sections[0].count = 6
    func first() throws -> Double {
      try rules.apply(to: session)
      try session.setItemValues(
        "size",
        ValueColumn(
          [60, 0, 200, 0, 90, 0].map { Value.size(Size(width: $0, height: 60)) }, type: .size))
      return try session.elements().first { $0.identity.category == .cell }!.frame.x
    }
    for (offset, stop) in [(200.0, 240.0), (100, 70), (34, 0)] {
      rules.sections[0].orthogonalOffset = offset
      #expect(try first() == 20 - stop)
    }
    rules.sections[0].orthogonal = "groupPagingCentered"
    for (offset, stop) in [(0.0, -25.0), (100, 115), (300, 270)] {
      rules.sections[0].orthogonalOffset = offset
      #expect(try first() == 20 - stop)
    }
  }

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
    session.bounds.width = 399
    #expect(try left() == -40)
    #expect(calls.withLock { $0.contains { $0.hasPrefix("prepare(") } })
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
        let moves = [nil, "badge", "separator"].contains(element.identity.kind)
        return element.frame.intersects(moves ? visible : rect)
      }
      #expect(try session.elements(in: rect).map(\.identity) == expected.map(\.identity))
    }
    for element in all.shuffled(using: &random).prefix(30) {
      #expect(try session.element(element.identity) == element)
    }
  }
}
