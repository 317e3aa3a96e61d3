import TesseraHost
import Testing

/// Precedence of values: echo returns its input, under the C layers mid and top.
@Suite struct PrecedenceTests {
  private enum Plan {
    static let plain: Int64 = 1
    static let size: Int64 = 2
    static let sizes: Int64 = 4
    static let colour: Int64 = 8
    static let gaps: Int64 = 16
    static let twice: Int64 = 32
  }

  private let library: LayerLibrary

  init() throws { library = try LayerLibrary("echoes") }

  private func session(_ id: String, top: Int64 = 0, mid: Int64 = 0) throws -> Session {
    let session = try library.session("org.example.\(id)")
    try session.setSections([2, 1])
    try plan(session, top: top, mid: mid)
    return session
  }

  private func plan(_ session: Session, top: Int64 = 0, mid: Int64 = 0) throws {
    for (name, plan) in [("topPlan", top), ("midPlan", mid)] where plan != 0 {
      try session.setParameter(name, to: .integer(plan))
    }
  }

  private struct Echo {
    let plain, near, far, owned: Double
    let sizes: [Size]
    let gaps: [Double]
    let colour, shared: Double

    init(_ session: Session) throws {
      let elements = try session.elements()
      let cells = elements.filter { $0.identity.category == .cell }
      let seen = try #require(elements.attributes.firstIndex { $0.name == "seen" })
      let numbers = cells.map { $0.attributes[seen].numbers }
      let content = try session.contentSize()
      (plain, near) = (cells[0].frame.x, cells[0].frame.y)
      (far, owned) = (content.width, content.height)
      sizes = cells.map(\.frame.size)
      gaps = [numbers[0][0], numbers[2][0]]
      (colour, shared) = (numbers[0][1], numbers[0][2])
    }
  }

  @Test func defaultsOfTheMostDerivedWin() throws {
    let echo = try Echo(session("echo"))
    #expect([echo.plain, echo.near, echo.far, echo.owned, echo.shared] == [1, 2, 3, 4, 5])
    let mid = try Echo(session("mid"))
    #expect([mid.plain, mid.near, mid.far, mid.owned, mid.shared] == [1, 20, 20, 50, 5])
    let top = try Echo(session("top"))
    #expect([top.plain, top.near, top.far, top.owned, top.shared] == [1, 20, 30, 50, 5])
  }

  @Test func theUserWinsOverDefaults() throws {
    let session = try session("top")
    for (name, number) in [("plain", 7.0), ("near", 8), ("far", 9)] {
      try session.setParameter(name, to: .number(number))
    }
    var echo = try Echo(session)
    #expect([echo.plain, echo.near, echo.far] == [7, 8, 9])
    for name in ["plain", "near", "far"] { try session.resetParameter(name) }
    echo = try Echo(session)
    #expect([echo.plain, echo.near, echo.far] == [1, 20, 30])
  }

  @Test func aNameGoesToTheMostDerivedEngineThatDeclaresIt() throws {
    let session = try session("top")
    try session.setParameter("shared", to: .number(77))
    #expect(try Echo(session).shared == 5)
    let tag = ElementIdentity(category: .supplementary, kind: "tag", section: 0, item: 0)
    #expect(try session.element(tag)?.frame.x == 77)
  }

  @Test func overridesWinOverTheUserAndTheNearestOfThemWins() throws {
    let session = try session("top")
    try session.setParameter("plain", to: .number(7))
    try session.setParameter("colour", to: .choice("red"))
    try plan(session, top: Plan.plain | Plan.colour)
    var echo = try Echo(session)
    #expect(echo.plain == 300 && echo.colour == 2)
    try plan(session, mid: Plan.plain | Plan.colour)
    echo = try Echo(session)
    #expect(echo.plain == 200 && echo.colour == 1)
    try session.resetParameter("midPlan")
    #expect(try Echo(session).plain == 300)
    try session.resetParameter("topPlan")
    echo = try Echo(session)
    #expect(echo.plain == 7 && echo.colour == 0)
  }

  @Test func anOverriddenParameterHidesTheUsersColumn() throws {
    let given = [Size(width: 1, height: 1), Size(width: 2, height: 2), Size(width: 3, height: 3)]
    let cases: [(String, (top: Int64, mid: Int64), [Size])] = [
      ("top", (0, 0), given),
      ("top", (Plan.size, Plan.size), Array(repeating: Size(width: 21, height: 22), count: 3)),
      ("mid", (0, Plan.size), Array(repeating: Size(width: 21, height: 22), count: 3)),
    ]
    for (id, plans, expected) in cases {
      let session = try session(id, top: plans.top, mid: plans.mid)
      try session.setItemValues("size", .sizes(given))
      #expect(try Echo(session).sizes == expected)
    }
  }

  @Test func theNearestLayerWinsBetweenParameterAndColumn() throws {
    var session = try session("top", top: Plan.sizes, mid: Plan.size)
    #expect(try Echo(session).sizes.allSatisfy { $0 == Size(width: 21, height: 22) })
    session = try self.session("top", top: Plan.size, mid: Plan.sizes)
    #expect(try Echo(session).sizes.allSatisfy { $0 == Size(width: 62, height: 64) })
    session = try self.session("top", top: Plan.size | Plan.sizes)
    #expect(try Echo(session).sizes.allSatisfy { $0 == Size(width: 32, height: 33) })
    session = try self.session("top", top: Plan.sizes, mid: Plan.sizes)
    try session.setItemValues("size", .sizes(Array(repeating: Size(width: 1, height: 2), count: 3)))
    #expect(try Echo(session).sizes.allSatisfy { $0 == Size(width: 4, height: 6) })
  }

  @Test func sectionValuesAreSuppliedToo() throws {
    let session = try session("top", top: Plan.gaps)
    #expect(try Echo(session).gaps == [70, 71])
    try session.setSectionValues("gap", .numbers([5, 6]))
    #expect(try Echo(session).gaps == [70, 71])
    try plan(session, mid: Plan.gaps)
    #expect(try Echo(session).gaps == [60, 61])
    for name in ["topPlan", "midPlan"] { try session.resetParameter(name) }
    #expect(try Echo(session).gaps == [5, 6])
  }

  @Test func aSecondPrepareOfTheBaseDropsTheRowsOfTheFirst() throws {
    for mid in [0, Plan.sizes, Plan.size | Plan.gaps] {
      let (twice, once) = (
        try session("top", top: Plan.twice, mid: mid), try session("top", mid: mid)
      )
      #expect(try twice.elements().map(\.identity) == once.elements().map(\.identity))
      #expect(try Echo(twice).plain == 2000)
      #expect(try Echo(twice).sizes == Echo(once).sizes)
    }
  }

  @Test(arguments: [(64, 0), (0, 64), (64, 64)] as [(Int64, Int64)])
  func superReportsWhatItCannotDo(_ top: Int64, _ mid: Int64) throws {
    let session = try session("top", top: top, mid: mid)
    #expect(try Echo(session).plain == 123)
  }

  @Test func anErrorOfTheRootPassesThroughTwoLayers() throws {
    for id in ["echo", "mid", "top", "bare"] {
      let session = try session(id)
      try session.setParameter("fails", to: .bool(true))
      let error = #expect(throws: HostError.self) { try session.contentSize() }
      #expect(
        error
          == HostError(
            .refusedByEngine, "the echo was told to fail; tell it not to",
            engine: "org.example.echo"))
      try session.setParameter("fails", to: .bool(false))
      #expect(try Echo(session).plain == 1)
    }
  }
}

@Suite struct NumberingTests {
  private let library: LayerLibrary

  init() throws { library = try LayerLibrary("echoes") }

  private func elements(_ id: String) throws -> Elements {
    let session = try library.session("org.example.\(id)")
    try session.setSections([2, 1])
    try session.setSectionValues("gap", .numbers([40, 50]))
    return try session.elements()
  }

  private func numbers(_ name: String, _ elements: Elements) throws -> [Double] {
    let number = try #require(elements.attributes.firstIndex { $0.name == name })
    return elements.filter { $0.identity.category == .cell }.map {
      $0.attributes[number].numbers[0]
    }
  }

  @Test func eachLayerReachesEveryElementByItsOwnNumbers() throws {
    // mid writes x of its header 1 and mark 2, and its tag from a parameter; top writes y as 100
    // and its number: mark 0, star 1, tag 2, header 3.
    let expected = [
      "mark": Point(x: 12, y: 100), "star": Point(x: 0, y: 101), "tag": Point(x: 9, y: 102),
      "header": Point(x: 11, y: 103),
    ]
    let others = try elements("top").filter { $0.identity.category != .cell }
    #expect(others.count == 8)
    for element in others {
      let kind = try #require(element.identity.kind)
      #expect(element.frame.origin == expected[kind], "\(element)")
      let isDecoration = kind == "mark" || kind == "star"
      #expect(element.identity.category == (isDecoration ? .decoration : .supplementary))
    }
    let ofMid = try elements("mid").filter { $0.identity.category != .cell }
    #expect(Set(ofMid.map { $0.identity.kind }) == ["tag", "header", "mark"])
    #expect(ofMid.allSatisfy { $0.frame.y == 0 })
  }

  @Test func eachLayerReachesEveryAttributeByItsOwnNumbers() throws {
    let top = try elements("top")
    #expect(top.attributes.map(\.name) == ["tint", "weight", "seen"])
    #expect(try numbers("seen", top) == [40, 40, 50])
    // mid adds 1/2 to echo's value, top 1/4.
    #expect(try numbers("weight", top) == [40.75, 40.75, 50.75])
    #expect(try numbers("tint", top) == [40, 40, 50])
    let mid = try elements("mid")
    #expect(mid.attributes.map(\.name) == ["weight", "seen"])
    #expect(try numbers("weight", mid) == [40.5, 40.5, 50.5])
    #expect(try elements("echo").attributes.map(\.name) == ["seen"])
  }

  @Test(arguments: ["top", "bare", "mid", "echo"])
  func adjustShowsALayerWhatItKnows(_ id: String) throws {
    for element in try elements(id) {
      let echo = element.identity.kind == "tag" || element.identity.kind == "star" ? 1.0 : 0.5
      let mid = id == "echo" || element.identity.kind == "star" ? 1.0 : 0.25
      #expect(element.alpha == echo * mid, "\(element)")
    }
  }

  @Test func anEngineWithoutFunctionsIsItsBase() throws {
    #expect(try Array(elements("bare")) == Array(elements("mid")))
  }
}
