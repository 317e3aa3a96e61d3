import TesseraHost
import TestSupport
import Testing

@Suite struct MeasuredTests {
  private func frames(
    _ nodes: [Node], _ sizes: [Size]
  ) throws -> (frames: [Rect], proposals: Set<Size>, content: Size) {
    let session = try ShippedEngines.session(CompositionalTests.id)
    try CompositionalRules(nodes: nodes, sections: [.init(count: sizes.count)]).apply(to: session)
    var proposals: Set<Size> = []
    session.measure = { _, item, proposed in
      proposals.insert(proposed)
      return sizes[item]
    }
    let frames = try session.elements().map(\.frame)
    return (frames, proposals, try session.contentSize())
  }

  private static let row = Node(kind: "horizontal", heightIs: "estimated", height: 50, spacing: 10)

  /// In columns of 75 and 225, text of area 9000 is 120 and 40 high.
  ///
  /// Each column is as high as its text; items side by side get the highest's height.
  @Test(arguments: [false, true]) func itemsAreOfferedTheirOwnColumn(_ areNested: Bool) throws {
    let session = try ShippedEngines.session(CompositionalTests.id)
    var nodes = [Node(kind: "horizontal", heightIs: "estimated", height: 50)]
    for width in [75.0, 225] {
      if areNested {
        nodes.append(
          Node(
            kind: "vertical", parent: 0, widthIs: "absolute", heightIs: "estimated", width: width,
            height: 50))
        nodes.append(Node(parent: nodes.count - 1, heightIs: "estimated", height: 50))
      } else {
        nodes.append(
          Node(
            parent: 0, widthIs: "absolute", heightIs: "estimated", width: width, height: 50))
      }
    }
    try CompositionalRules(
      bounds: Size(width: 300, height: 400), nodes: nodes, sections: [.init(count: 4)]
    ).apply(to: session)
    var offered: [Int: [Size]] = [:]
    session.measure = { _, item, proposed in
      offered[item, default: []].append(proposed)
      return Size(width: proposed.width, height: 9000 / proposed.width)
    }
    let frames = try session.elements().map(\.frame)
    #expect(frames.map(\.width) == [75, 225, 75, 225])
    #expect(frames.map(\.height) == (areNested ? [120, 40, 120, 40] : [120, 120, 120, 120]))
    #expect(frames.map(\.y) == [0, 0, 120, 120])
    for item in 0..<4 {
      #expect(offered[item] == [Size(width: item % 2 == 0 ? 75 : 225, height: 0)])
    }
  }

  /// 3 + (20 + 2) + 10 + (40 + 2) + 4 is the group's height; the picture beside it is half the
  /// estimate.
  @Test func groupsFollowTheirChildren() throws {
    let nodes = [
      Node(kind: "horizontal", heightIs: "estimated", height: 60),
      Node(parent: 0, width: 0.25, height: 0.5),
      Node(
        kind: "vertical", parent: 0, heightIs: "estimated", width: 0.75, height: 60, spacing: 10,
        contentInsets: Insets(top: 3, bottom: 4)),
      Node(
        parent: 2, heightIs: "estimated", height: 20, contentInsets: Insets(top: 1, bottom: 1)),
    ]
    // Estimates: 60 - 7 hold 20 + 10 + 20.
    let (found, proposals, content) = try frames(
      nodes, [7, 20, 40, 8].map { Size(width: 1, height: $0) })
    #expect(
      found == [
        Rect(x: 0, y: 0, width: 100, height: 30), Rect(x: 100, y: 4, width: 300, height: 20),
        Rect(x: 100, y: 36, width: 300, height: 40), Rect(x: 0, y: 81, width: 100, height: 30),
      ])
    #expect(proposals == [Size(width: 300, height: 0), Size(width: 100, height: 30)])
    #expect(content.height == 141)
  }

  /// 90 + 10 + 200 + 10 + 80 fit 400; another 60 does not.
  @Test func asManyMeasuredItemsAsFit() throws {
    var row = Self.row
    row.spacing = 10
    let (found, proposals, _) = try frames(
      [
        row,
        Node(
          parent: 0, widthIs: "estimated", heightIs: "estimated", width: 100, height: 50),
      ],
      [90, 200, 80, 60, 300, 20].map { Size(width: $0, height: $0 == 200 ? 30 : 25) })
    #expect(found.map(\.x) == [0, 100, 310, 0, 70, 380])
    #expect(found.map(\.y) == [0, 0, 0, 30, 30, 30])
    #expect(found.map(\.height) == [30, 30, 30, 25, 25, 25])
    #expect(proposals == [Size(width: 400, height: 0)])
  }

  @Test func estimatesStandUntilItemsAreMeasured() throws {
    let (_, proposals, _) = try frames(
      [Node(kind: "horizontal", heightIs: "estimated", height: 50), Node(parent: 0)],
      [Size(width: 1, height: 1)])
    #expect(proposals.isEmpty)
    let session = try ShippedEngines.session(CompositionalTests.id)
    try CompositionalRules(
      nodes: [Self.row, Node(parent: 0, heightIs: "estimated", height: 40)],
      sections: [.init(count: 1000)]
    ).apply(to: session)
    session.measure = { _, _, _ in Size(width: 0, height: 0) }
    // 667 points show 14 rows of 50, which shrink to 0.
    let shown = try session.visibleElements()
    #expect(shown.allSatisfy { $0.frame.height > 0 } && shown.count <= 14)
  }

  /// Rows of two, as high as the higher: 70 + 3 + 4 = 77, and 45 + 7 = 52.
  ///
  /// Badges lie at the bottom of the stretched items, lines below the rows.
  @Test func badgesFollowMeasuredItems() throws {
    let nodes = [
      Node(kind: "horizontal", heightIs: "estimated", height: 50, count: 2),
      Node(
        parent: 0, heightIs: "estimated", height: 50, edgeSpacing: Insets(top: 3, bottom: 4)),
      Node(
        kind: "badge", parent: 1, widthIs: "absolute", heightIs: "absolute", width: 10, height: 10,
        alignment: "bottomLeading"),
      Node(
        kind: "separator", parent: 0, heightIs: "absolute", height: 1, alignment: "bottom",
        fractionalOffset: Point(x: 0, y: 1), zIndex: -2),
    ]
    let session = try ShippedEngines.session(CompositionalTests.id)
    try CompositionalRules(nodes: nodes, sections: [.init(count: 5)]).apply(to: session)
    let heights = [30.0, 70, 45, 20, 60, 65]
    session.measure = { _, item, _ in Size(width: 9, height: heights[item]) }
    func frames(_ kind: String?) throws -> [Rect] {
      try session.elements().filter { $0.identity.kind == kind }.map(\.frame)
    }
    #expect(try frames(nil).map(\.y) == [3, 3, 80, 80, 132])
    #expect(try frames(nil).map(\.height) == [70, 70, 45, 45, 60])
    #expect(try frames("badge").map(\.y) == [63, 63, 115, 115, 182])
    #expect(
      try frames("separator") == [77, 129].map { Rect(x: 0, y: $0, width: 400, height: 1) })
    #expect(
      try session.elements().map(\.zIndex).sorted() == [-2, -2, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1])
    try session.setSections([6])
    #expect(try frames("badge").map(\.y) == [63, 63, 115, 115, 187, 187])
  }

  @Test(arguments: 1...60) func stepsLeadToTheFreshLayout(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var rules = CompositionalTests.random(using: &random)
    let session = try ShippedEngines.session(CompositionalTests.id)
    func supply(_ session: Session, _ sizes: [Size]) throws {
      try rules.apply(to: session)
      try supplySizes(sizes, to: session)
    }
    var sizes: [Size] = []
    func size() -> Size {
      Size(
        width: Double(Int.random(in: 0...150, using: &random)),
        height: Double(Int.random(in: 0...90, using: &random)))
    }
    for _ in 0..<8 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: rules = CompositionalTests.random(using: &random)
      case 1 where !rules.sections.isEmpty:
        rules.sections[rules.sections.count - 1].count += Int.random(in: 0...9, using: &random)
      case 2 where !rules.nodes.isEmpty:
        let node = Int.random(in: 0..<rules.nodes.count, using: &random)
        rules.nodes[node].width *= 1.25
      default:
        if let item = sizes.indices.randomElement(using: &random) { sizes[item] = size() }
      }
      let count = rules.sections.reduce(0) { $0 + $1.count }
      sizes = (0..<count).map { $0 < sizes.count ? sizes[$0] : size() }
      let fresh = try ShippedEngines.session(CompositionalTests.id)
      try supply(session, sizes)
      try supply(fresh, sizes)
      #expect(try Snapshot(session) == Snapshot(fresh))
    }
  }

  private func supplySizes(_ sizes: [Size], to session: Session) throws {
    try session.setItemValues("size", ValueColumn(sizes.map(Value.size), type: .size))
  }
}
