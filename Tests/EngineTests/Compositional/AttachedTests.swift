import TesseraGeometry
import TesseraHost
import TestSupport
import Testing

@testable import TesseraRuntime

/// Badges, separators, boundaries and edge spacing of the compositional engine, by hand.
@Suite struct AttachedTests {
  private func session(
    _ nodes: [Node], _ sections: [CompositionalRules.Section],
    _ change: (inout CompositionalRules) -> Void = { _ in }
  ) throws -> Session {
    var rules = CompositionalRules(nodes: nodes, sections: sections)
    change(&rules)
    let session = try ShippedEngines.session(CompositionalTests.id)
    try rules.apply(to: session)
    return session
  }

  /// The frames of the elements of a kind, as x, y, width, height.
  private func frames(_ kind: String?, _ session: Session) throws -> [[Double]] {
    try session.elements().filter { $0.identity.kind == kind }.map {
      [$0.frame.x, $0.frame.y, $0.frame.width, $0.frame.height]
    }
  }

  private static let row = Node(kind: "horizontal", heightIs: "absolute", height: 50, spacing: 20)

  /// A badge of 20 whose middle is on the corner of its tile.
  private func badge(on parent: Int) -> Node {
    Node(
      kind: "badge", parent: parent, widthIs: "absolute", heightIs: "absolute", width: 20,
      height: 20, alignment: "topTrailing", fractionalOffset: Point(x: 0.5, y: -0.5))
  }

  /// Three tiles of 110 with 20 between fit 400, and end at 110, 240 and 370.
  ///
  /// The middle of the badge would be at y 0 in the first row, and is moved to 10; in the second, it is
  /// at 50.
  @Test func badgesAreOnTheirItems() throws {
    let nodes = [Self.row, Node(parent: 0, widthIs: "absolute", width: 110), badge(on: 1)]
    let session = try session(nodes, [.init(count: 5)])
    #expect(
      try frames("badge", session) == [
        [100, 0, 20, 20], [230, 0, 20, 20], [360, 0, 20, 20], [100, 40, 20, 20], [230, 40, 20, 20],
      ])
    #expect(
      try session.elements().filter { $0.identity.kind == "badge" }.map(\.identity.item)
        == [0, 1, 2, 3, 4])
    #expect(
      try session.elements().filter { $0.identity.kind == "badge" }.allSatisfy { $0.zIndex == 1 })
    #expect(try session.contentSize() == Size(width: 400, height: 100))
  }

  /// An item over the full width: the badge would end at 410, and the content is 400 wide.
  ///
  /// One below the last row makes the content higher.
  @Test func badgesStayInTheContent() throws {
    var below = badge(on: 1)
    (below.alignment, below.zIndex) = ("bottom", -2)
    (below.absoluteOffset, below.fractionalOffset) = (Point(x: 0, y: 7), .zero)
    let session = try session([Self.row, Node(parent: 0), badge(on: 1), below], [.init(count: 2)])
    #expect(
      try frames("badge", session) == [
        [380, 0, 20, 20], [190, 37, 20, 20], [380, 40, 20, 20], [190, 87, 20, 20],
      ])
    #expect(
      try session.elements().filter { $0.identity.kind == "badge" }.map(\.zIndex) == [1, -2, 1, -2])
    #expect(try session.contentSize() == Size(width: 400, height: 107))
  }

  /// Each side and corner of an item that is 60×40 at 10, 5, with a badge of a third of its size.
  @Test(arguments: [
    ("top", 30.0, 5.0), ("topLeading", 10, 5), ("leading", 10, 20), ("bottomLeading", 10, 35),
    ("bottom", 30, 35), ("bottomTrailing", 50, 35), ("trailing", 50, 20), ("topTrailing", 50, 5),
    ("none", 30, 20),
  ])
  func badgesAreAtTheirEdge(_ alignment: String, _ x: Double, _ y: Double) throws {
    let nodes = [
      Node(kind: "horizontal", widthIs: "absolute", heightIs: "absolute", width: 80, height: 60),
      Node(
        parent: 0, contentInsets: Insets(top: 5, left: 10, bottom: 15, right: 10)),
      Node(
        kind: "badge", parent: 1, heightIs: "absolute", width: 1.0 / 3, height: 10,
        alignment: alignment),
    ]
    #expect(try frames("badge", session(nodes, [.init(count: 1)])) == [[x, y, 20, 10]])
  }

  /// Rows of two items, 50 high and 8 apart: a line of 1 in the middle between two rows, inset by 15, and
  /// none below the last; between items a line of 2 on the right, and none after the last item.
  @Test func separatorsAreBetween() throws {
    var row = Self.row
    (row.count, row.spacing) = (2, 0)
    let nodes = [
      row, Node(parent: 0),
      Node(
        kind: "separator", parent: 0, heightIs: "absolute", height: 1,
        contentInsets: Insets(left: 15), alignment: "bottom", absoluteOffset: Point(x: 0, y: 4.5)),
      Node(
        kind: "separator", parent: 1, widthIs: "absolute", width: 2, alignment: "trailing",
        fractionalOffset: Point(x: 0.5, y: 0)),
    ]
    let session = try session(
      nodes, [.init(count: 4, interGroupSpacing: 8), .init(count: 1), .init()])
    #expect(
      try frames("separator", session) == [
        [199, 0, 2, 50], [15, 53.5, 385, 1], [398, 0, 2, 50], [199, 58, 2, 50],
      ])
  }

  /// 400×300 with insets of 10: boundaries of 30, 20, 40 and 50 at the four edges leave the cells
  /// 400 - 20 - 40 - 50 = 290, from x 50 and y 40 on.
  ///
  /// Two rows of 25 end at 90, with the insets at 100.
  @Test func boundariesHaveRoomAtEachEdge() throws {
    func boundary(_ alignment: String, _ width: Double, _ height: Double) -> Node {
      Node(
        kind: "boundary", parent: 0, widthIs: "absolute", heightIs: "absolute", width: width,
        height: height, alignment: alignment)
    }
    let nodes =
      [
        Node(kind: "horizontal", heightIs: "absolute", height: 25), Node(parent: 0),
        boundary("topLeading", 100, 30), boundary("bottom", 60, 20), boundary("leading", 40, 10),
        boundary("trailing", 50, 10), boundary("topTrailing", 80, 15),
      ]
    var section = CompositionalRules.Section(count: 2)
    section.contentInsets = Insets(top: 10, left: 10, bottom: 10, right: 10)
    let session = try session(nodes, [section, .init(count: 1)]) {
      $0.sections[1].headerReferenceSize = Size(width: 0, height: 12)
    }
    #expect(
      try frames(nil, session) == [[50, 40, 290, 25], [50, 65, 290, 25], [40, 162, 310, 25]])
    // The leading and trailing ones are in the middle of the cells, 40...90.
    #expect(
      try frames("header", session).prefix(3) == [
        [50, 0, 100, 30], [0, 60, 40, 10], [260, 15, 80, 15],
      ])
    #expect(try frames("footer", session).prefix(2) == [[165, 100, 60, 20], [350, 60, 50, 10]])
    // In the second section, at 120, they come after the header over the full extent.
    #expect(
      try frames("header", session).suffix(4) == [
        [0, 120, 400, 12], [40, 132, 100, 30], [0, 169.5, 40, 10], [270, 147, 80, 15],
      ])
  }

  /// Over the cells, a boundary takes no room; its offset moves it, but not out of the content.
  @Test func boundariesLieOverTheCells() throws {
    let nodes = [
      Node(kind: "horizontal", heightIs: "absolute", height: 100), Node(parent: 0),
      Node(
        kind: "boundary", parent: 0, width: 0.5, height: 0.1, alignment: "bottomTrailing",
        absoluteOffset: Point(x: -5, y: -8), extendsBoundary: false, zIndex: 7),
      Node(
        kind: "boundary", parent: 0, width: 0.5, height: 0.1, alignment: "top",
        absoluteOffset: Point(x: 500, y: -8), extendsBoundary: false),
    ]
    let session = try session(nodes, [.init(count: 1)])
    #expect(try frames(nil, session) == [[0, 0, 400, 100]])
    #expect(try frames("footer", session) == [[195, 62, 200, 30]])
    #expect(try frames("header", session) == [[200, 0, 200, 30]])
    #expect(try session.elements().first { $0.identity.kind == "footer" }?.zIndex == 7)
  }

  /// A section of 20 + 10·50 + 30: two headers stay at the top and a footer at the bottom of the 300 that
  /// are visible, until the section ends at 550 or begins at 0.
  @Test func boundariesStayInSight() throws {
    func boundary(_ alignment: String, _ width: Double, _ height: Double) -> Node {
      Node(
        kind: "boundary", parent: 0, heightIs: "absolute", width: width, height: height,
        alignment: alignment, pinToVisibleBounds: true)
    }
    let nodes = [
      Self.row, Node(parent: 0), boundary("topLeading", 0.5, 20), boundary("topTrailing", 0.25, 10),
      boundary("bottom", 1, 30),
    ]
    for (offset, tops, bottom) in [
      (0.0, [0.0, 10], 270.0), (7, [7, 10], 277), (100, [100, 100], 370), (260, [260, 260], 520),
      (545, [530, 540], 520), (-280, [0, 10], 0),
    ] {
      let session = try session(nodes, [.init(count: 10), .init(count: 8)]) { $0.offset.y = offset }
      let all = try session.elements().filter { $0.identity.section == 0 }
      #expect(all.filter { $0.identity.kind == "header" }.map(\.frame.y) == tops, "\(offset)")
      let footer = try #require(all.first { $0.identity.kind == "footer" })
      #expect(footer.frame.y == bottom && footer.zIndex == 1024, "\(offset)")
      let seen = try session.elements(in: Rect(x: 0, y: bottom + 1, width: 400, height: 1))
      #expect(seen.contains(footer), "\(offset)")
    }
  }

  /// Two share 400 - 20: 190 each, of which 5 + 15 are around the item.
  ///
  /// Without a count, 3·(90 + 20) + 2·20 fit 400.
  @Test func edgeSpacingIsAroundItems() throws {
    var row = Self.row
    row.count = 2
    let edges = Insets(top: 3, left: 5, bottom: 4, right: 15)
    var item = Node(parent: 0, widthIs: "absolute", width: 90, edgeSpacing: edges)
    #expect(
      try frames(nil, session([row, item], [.init(count: 3)])) == [
        [5, 3, 170, 50], [215, 3, 170, 50], [5, 53, 170, 50],
      ])
    row.count = 0
    item.heightIs = "absolute"
    item.height = 30
    #expect(
      try frames(nil, session([row, item], [.init(count: 4)])) == [
        [5, 3, 90, 30], [135, 3, 90, 30], [265, 3, 90, 30], [5, 53, 90, 30],
      ])
    // Around the group, 10 above and 6 below, it comes with each repetition.
    row.edgeSpacing = Insets(top: 10, left: 8, bottom: 6)
    #expect(
      try frames(nil, session([row, item], [.init(count: 4, interGroupSpacing: 2)])) == [
        [13, 13, 90, 30], [143, 13, 90, 30], [273, 13, 90, 30], [13, 81, 90, 30],
      ])
  }

  /// Rows of two, as high as the higher item: 70 with 3 + 4 around it makes 77, and 45 makes 52.
  ///
  /// Badges are at the bottom of the stretched items, and lines below the rows.
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
        fractionalOffset: Point(x: 0, y: 1)),
    ]
    let session = try session(nodes, [.init(count: 5)])
    let heights = [30.0, 70, 45, 20, 60]
    session.measure = { _, item, _ in Size(width: 9, height: heights[item]) }
    #expect(
      try frames(nil, session) == [
        [0, 3, 200, 70], [200, 3, 200, 70], [0, 80, 200, 45], [200, 80, 200, 45],
        [0, 132, 200, 60],
      ])
    #expect(
      try frames("badge", session) == [
        [0, 63, 10, 10], [200, 63, 10, 10], [0, 115, 10, 10], [200, 115, 10, 10], [0, 182, 10, 10],
      ])
    #expect(try frames("separator", session) == [[0, 77, 400, 1], [0, 129, 400, 1]])
    // Another item, and another height: the first row stays.
    try session.setSections([6])
    session.measure = { _, item, _ in Size(width: 9, height: (heights + [65])[item]) }
    #expect(try frames("badge", session).suffix(2) == [[0, 187, 10, 10], [200, 187, 10, 10]])
    #expect(try frames("separator", session).count == 2)
  }

  /// Tiles of 100 with 10 between, from 20 on, scrolled by 130: badge i is at 20 + 110·i + 90 -
  /// 130, and those from 3 on, at 310 and beyond, are not in 300.
  ///
  /// The headers stay.
  @Test func badgesScrollWithTheirCells() throws {
    let nodes = [
      Node(kind: "horizontal", widthIs: "absolute", heightIs: "absolute", width: 100, height: 60),
      Node(parent: 0), badge(on: 1),
      Node(kind: "boundary", parent: 0, heightIs: "absolute", height: 15, alignment: "topLeading"),
    ]
    var section = CompositionalRules.Section(count: 12, interGroupSpacing: 10)
    section.contentInsets = Insets(left: 20)
    (section.orthogonal, section.orthogonalOffset) = ("continuous", 130)
    let session = try session(nodes, [section, .init(count: 1)]) { $0.bounds.width = 300 }
    let badges = try frames("badge", session)
    let expected = (0..<12).map { [Double(110 * $0 - 20), 5, 20, 20] }
    #expect(badges.prefix(12) == expected[...])
    #expect(try frames("header", session)[0] == [20, 0, 280, 15])
    #expect(try session.contentSize() == Size(width: 300, height: 150))
    let seen = try session.elements(in: Rect(x: 0, y: 6, width: 900, height: 1))
    #expect(
      seen.filter { $0.identity.kind == "badge" }.map(\.identity.item) == [1, 2]
        && seen.contains { $0.identity.kind == "header" })
    #expect(try session.elements(in: Rect(x: -20, y: 6, width: 20, height: 1)).isEmpty)
    let third = ElementIdentity(category: .supplementary, kind: "badge", section: 0, item: 9)
    #expect(try session.element(third)?.frame.x == 970)
  }

  /// Appended items leave the cells before them as they are.
  ///
  /// The badges lie in rows behind those of the cells, and so move to other rows.
  @Test func appendedItemsLeaveTheCells() throws {
    let session = try session(
      [Self.row, Node(parent: 0, width: 0.2), badge(on: 1)], [.init(count: 20_000)])
    try RowMark.set(session)
    try session.setSections([20_004])
    #expect(try RowMark.countOfRedone(session) <= 20_008)
    #expect(try frames("badge", session).count == 20_004)
  }
}
