import TesseraGeometry
import TesseraHost
import Testing

/// Columns as an engine writes them, elements in the order of listings.
@Suite struct ColumnTests {
  let library: FixtureLibrary

  init() throws { library = try FixtureLibrary.columns.get() }

  private static let initial: [Value] = [
    .bool(true), .integer(.min), .number(0), .choice("blue"), .point(Point(x: 1, y: 2)),
    .size(Size(width: 3, height: 4)), .rect(Rect(x: 5, y: 6, width: 7, height: 8)),
    .insets(Insets(top: 9, left: 10, bottom: 11, right: 12)),
  ]

  @Test func rowsThatNobodyWritesHaveTheirInitialValues() throws {
    for element in try library.session("columns").elements() {
      #expect(element.attributes == Self.initial)
      #expect(element.transform == .identity)
      #expect(element.alpha == 1)
      #expect(element.zIndex == 0)
      #expect(!element.isHidden)
    }
  }

  @Test func whatIsWrittenComesBackByEveryQuestion() throws {
    let session = try library.session("columns", which: 1)
    let identity = ElementIdentity.cell(section: 0, item: 0)
    var transform = Transform.identity
    transform.m41 = 25
    let expected = Element(
      identity: identity, frame: Rect(x: 0, y: 0, width: 10, height: 1), transform: transform,
      alpha: 0.25, zIndex: -7, isHidden: true,
      attributes: [
        .bool(false), .integer(.max), .number(0.1), .choice("red"), .point(Point(x: -1, y: -2)),
        .size(Size(width: -3, height: -4)), .rect(Rect(x: -5, y: -6, width: -7, height: -8)),
        .insets(Insets(top: -9, left: -10, bottom: -11, right: -12)),
      ])
    #expect(try session.elements().first { $0.identity == identity } == expected)
    #expect(
      try session.elements(in: Rect(x: 0, y: 0, width: 1, height: 1))
        .first { $0.identity == identity } == expected)
    #expect(try session.element(identity) == expected)
    // Its neighbour in memory is as it started.
    #expect(try session.element(.cell(section: 0, item: 1))?.attributes == Self.initial)
  }

  @Test func nothingOfTheLastLayoutIsLeftInTheNext() throws {
    let session = try library.session("columns", which: 1)
    _ = try session.elements()
    try session.setParameter("which", to: .integer(0))
    for element in try session.elements() {
      #expect(element.attributes == Self.initial)
      #expect(element.alpha == 1)
    }
  }

  @Test(arguments: [
    (2, "alpha 1.5"), (3, "hidden value 2"), (4, "transform"), (5, "isOdd"), (6, "weight"),
    (7, "colour"), (8, "margin"),
  ])
  func aValueThatIsNoneIsTold(_ which: Int, _ what: String) throws {
    let error = try hostError {
      _ = try library.session("columns", which: which).elements()
    }
    #expect(error.kind == .brokenContract)
    #expect(error.message.contains("cell 0 of section 0"))
    #expect(error.message.contains(what))
  }

  @Test func elementsAreInTheOrderOfListings() throws {
    let session = try library.session("columns")
    try session.setSections([3, 0, 2])
    let expected = [3, 0, 2].enumerated().flatMap { section, count in
      (0..<count).map { ElementIdentity.cell(section: section, item: $0) }
        + [0, 3].map {
          ElementIdentity(category: .decoration, kind: "leaf", section: section, item: $0)
        }
        + [ElementIdentity(category: .supplementary, kind: "apple", section: section, item: 5)]
        + [0, 1].map {
          ElementIdentity(category: .supplementary, kind: "zebra", section: section, item: $0)
        }
    }
    #expect(try session.elements().map(\.identity) == expected)
    let part = try session.elements(in: Rect(x: 0, y: 0, width: 1000, height: 2))
    #expect(part.map(\.identity) == expected.filter { $0.item < 2 })
    for identity in expected {
      #expect(try session.element(identity)?.identity == identity)
    }
    for missing in [
      ElementIdentity(category: .supplementary, kind: "apple", section: 0, item: 4),
      ElementIdentity(category: .supplementary, kind: "apple", section: 0, item: 6),
      ElementIdentity(category: .decoration, kind: "apple", section: 0, item: 5),
      ElementIdentity(category: .decoration, kind: "leaf", section: 0, item: 1),
      ElementIdentity(category: .supplementary, kind: nil, section: 0, item: 0),
    ] {
      #expect(try session.element(missing) == nil)
    }
  }

  @Test func rightToLeftMirrorsFramesAndTransforms() throws {
    let session = try library.session("columns", which: 1)
    session.direction = .rightToLeft
    let element = try #require(try session.element(.cell(section: 0, item: 0)))
    #expect(element.frame == Rect(x: 990, y: 0, width: 10, height: 1))
    #expect(element.transform.m41 == -25)
    #expect(
      try session.elements(in: Rect(x: 985, y: 0, width: 6, height: 0.5))
        .contains { $0.identity == element.identity })
  }
}
