import TesseraHost
import Testing

@Suite struct InputTests {
  let library: FixtureLibrary

  init() throws { library = try FixtureLibrary.inputs.get() }

  private func input(_ session: Session) throws -> [Rect] {
    try session.elements().filter { $0.identity.section == 0 }.map(\.frame)
  }

  private func session(_ name: String = "inputs") throws -> Session {
    let session = try library.session(name, items: 10)
    session.bounds = Size(width: 320, height: 480)
    session.offset = Point(x: -5, y: 77)
    session.contentInsets = Insets(top: 1, left: 2, bottom: 3, right: 4)
    session.safeAreaInsets = Insets(top: 5, left: 6, bottom: 7, right: 8)
    session.layoutMargins = Insets(top: 9, left: 10, bottom: 11, right: 12)
    session.scale = 3
    return session
  }

  @Test func viewportIsThatOfTheSession() throws {
    let session = try session()
    let input = try input(session)
    #expect(input[0] == Rect(x: -5, y: 77, width: 320, height: 480))
    #expect(input[1] == Rect(x: 1, y: 2, width: 3, height: 4))
    #expect(input[2] == Rect(x: 5, y: 6, width: 7, height: 8))
    #expect(input[3] == Rect(x: 9, y: 10, width: 11, height: 12))
    #expect(input[4].origin == Point(x: 3, y: 0))
    #expect(input[4].width == 1)
    // No base, the header's struct size, reserved members zero.
    #expect(input[9] == Rect(x: 0, y: 1, width: 0, height: 0))
  }

  @Test func rightToLeftIsPassed() throws {
    let session = try session()
    session.direction = .rightToLeft
    let input = try input(session)
    #expect(input[4].y == 1)
    #expect(input[1] == Rect(x: 1, y: 2, width: 3, height: 4))
  }

  @Test func insetsOfAMirroredLayoutAreMirrored() throws {
    let session = try session("mirrored-inputs")
    session.direction = .rightToLeft
    let input = try input(session).map { frame in
      Rect(x: 1000 - frame.x - frame.width, y: frame.y, width: frame.width, height: frame.height)
    }
    #expect(input[1] == Rect(x: 1, y: 4, width: 3, height: 2))
    #expect(input[2] == Rect(x: 5, y: 8, width: 7, height: 6))
    #expect(input[3] == Rect(x: 9, y: 12, width: 11, height: 10))
  }

  @Test func invalidViewportsAreReportedByName() throws {
    let mistakes: [(words: String, change: (Session) -> Void)] = [
      ("bounds", { $0.bounds.width = .nan }),
      (
        "bounds is 320,\(2e12.shortText); expected width and height 0 or more, at most 1e12",
        { $0.bounds.height = 2e12 }
      ),
      ("scale", { $0.scale = .infinity }),
      ("scale is 1001; expected 0.01 to 1000", { $0.scale = 1001 }),
      ("offset", { $0.offset.y = .infinity }),
      (
        "contentInsets is 1,-2,3,4; expected insets of 0 or more",
        { $0.contentInsets.left = -2 }
      ),
      ("safeAreaInsets is 5,6,-1,8; expected", { $0.safeAreaInsets.bottom = -1 }),
      (
        "layoutMargins is 9,10,11,\(Double.nan.shortText); expected",
        { $0.layoutMargins.right = .nan }
      ),
    ]
    for (words, change) in mistakes {
      let session = try session()
      change(session)
      let error = try hostError { _ = try session.elements() }
      #expect(error.kind == .invalidInput && error.message.contains(words), "\(error)")
    }
    let nowhere = Rect(x: .nan, y: 0, width: 1, height: 1)
    let error = try hostError { _ = try session().elements(in: nowhere) }
    #expect(error.kind == .invalidInput)
  }

  @Test func parametersStartAsDeclaredAndBecomeWhatIsSet() throws {
    let session = try session()
    var input = try input(session)
    #expect(input[5] == Rect(x: 1, y: 3, width: 0.5, height: 1))
    #expect(input[6] == Rect(x: 1, y: 2, width: 30, height: 40))
    #expect(input[7] == Rect(x: 5, y: 6, width: 7, height: 8))
    #expect(input[8] == Rect(x: 9, y: 10, width: 11, height: 12))
    let new: [(String, Value)] = [
      ("flag", .bool(false)), ("count", .integer(10)), ("ratio", .number(-1e6)),
      ("mode", .choice("wild")), ("anchor", .point(Point(x: -1, y: 4))),
      ("extent", .size(Size(width: 1e9, height: 50))),
      ("area", .rect(Rect(x: -1, y: -2, width: 3, height: 4))),
      ("margin", .insets(Insets(top: -1, left: -2, bottom: 3, right: 4))),
    ]
    for (name, value) in new { try session.setParameter(name, to: value) }
    input = try self.input(session)
    #expect(input[5] == Rect(x: 0, y: 10, width: 1e6, height: 2))
    #expect(input[6] == Rect(x: -1, y: 4, width: 1e9, height: 50))
    #expect(input[7] == Rect(x: -1, y: -2, width: 3, height: 4))
    #expect(input[8] == Rect(x: -1, y: -2, width: 3, height: 4))
    for (name, _) in new { try session.resetParameter(name) }
    #expect(try self.input(session)[5...8] == (try self.input(self.session()))[5...8])
  }

  /// Weight, mode, mark and rank are digits of x; the left margin is y.
  @Test func valuesAreConstantPerItemOrTheFallback() throws {
    let session = try session()
    try session.setSections([10, 2, 0, 1])
    func frames() throws -> [Rect] {
      try session.elements().filter { $0.identity.section > 0 }.map(\.frame)
    }
    // Mode, extent and margin fall back on parameters; others are zero.
    #expect(
      try frames() == Array(repeating: Rect(x: 100, y: 10, width: 30, height: 40), count: 3))
    try session.setParameter("mode", to: .choice("wild"))
    try session.setItemValues("weight", .numbers((0..<13).map { Double($0) }))
    try session.setItemValues("isMarked", .bools((0..<13).map { $0 % 2 == 1 }))
    try session.setItemValues("rank", .integers((0..<13).map { Int64($0) - 11 }))
    try session.setItemValues("extent", .constant(.size(Size(width: 1, height: 2))))
    try session.setSectionValues("margin", .insets((0..<4).map { Insets(left: Double($0) * 7) }))
    #expect(
      try frames() == [
        Rect(x: 10 + 200 + 0 - 10_000, y: 7, width: 1, height: 2),
        Rect(x: 11 + 200 + 1000, y: 7, width: 1, height: 2),
        Rect(x: 12 + 200 + 10_000, y: 21, width: 1, height: 2),
      ])
    try session.setItemValues(
      "mode", .choices(Array(repeating: "wild", count: 10) + ["calm", "lively", "wild"]))
    #expect(try frames().map(\.x) == [10 - 10_000, 1111, 10_212])
    try session.setSections([10, 2, 0, 1])
    #expect(
      try frames() == Array(repeating: Rect(x: 200, y: 10, width: 30, height: 40), count: 3))
  }

  /// Change bits since the last successful prepare; 1 is anything.
  @Test func engineReceivesTheChanges() throws {
    let session = try session()
    func changed() throws -> UInt32 { UInt32(try input(session)[4].height) }
    #expect(try changed() & 1 == 1)
    session.bounds.width = 321
    #expect(try changed() == 2)
    try session.setParameter("count", to: .integer(4))
    #expect(try changed() == 4)
    try session.setItemValues("weight", .constant(.number(1)))
    #expect(try changed() == 16)
    session.scale = 1
    try session.setSections([11])
    #expect(try changed() == 2 + 8 + 16)
    // After a failed prepare, the engine's state is unknown.
    session.bounds.width = .nan
    _ = try hostError { _ = try session.elements() }
    session.bounds.width = 322
    #expect(try changed() & 2 == 2)
    // After an engine failure, anything may have changed.
    try session.setParameter("count", to: .integer(9))
    #expect(throws: HostError.self) { try session.elements() }
    try session.setParameter("count", to: .integer(5))
    #expect(try changed() & 1 == 1)
  }

  @Test func valuesMayBeOutsideTheLimitsOfTheirFallback() throws {
    let session = try session()
    try session.setSections([10, 1])
    try session.setItemValues("extent", .constant(.size(Size(width: 1, height: 60))))
    #expect(try session.elements().last?.frame.height == 60)
  }
}

@Suite struct ColumnTests {
  let library: FixtureLibrary

  init() throws { library = try FixtureLibrary.columns.get() }

  private static let initial: [Value] = [
    .bool(true), .integer(.min), .number(0), .choice("blue"), .point(Point(x: 1, y: 2)),
    .size(Size(width: 3, height: 4)), .rect(Rect(x: 5, y: 6, width: 7, height: 8)),
    .insets(Insets(top: 9, left: 10, bottom: 11, right: 12)),
  ]

  @Test func unwrittenRowsHaveInitialValues() throws {
    for element in try library.session("columns").elements() {
      #expect(element.attributes == Self.initial)
      #expect(element.transform == .identity)
      #expect(element.alpha == 1)
      #expect(element.zIndex == 0)
      #expect(!element.isHidden)
    }
  }

  @Test func writtenValuesAreReturnedByEveryQuery() throws {
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
    #expect(try session.element(.cell(section: 0, item: 1))?.attributes == Self.initial)
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
}
