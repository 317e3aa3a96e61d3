import TesseraGeometry
import TesseraHost
import Testing

/// Kinds and attributes across layers: each engine numbers its own first, the host translates.
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
    // mid writes x of what it knows as header 1 and mark 2, and its tag's from a parameter; top
    // writes y as 100 and its own number: mark 0, star 1, tag 2, header 3.
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
    // mid adds a half to what echo saw, top a quarter to that.
    #expect(try numbers("weight", top) == [40.75, 40.75, 50.75])
    #expect(try numbers("tint", top) == [40, 40, 50])
    let mid = try elements("mid")
    #expect(mid.attributes.map(\.name) == ["weight", "seen"])
    #expect(try numbers("weight", mid) == [40.5, 40.5, 50.5])
    #expect(try elements("echo").attributes.map(\.name) == ["seen"])
  }

  /// In adjust, too, a layer is shown what it knows: echo halves it, mid takes a quarter of that.
  @Test(arguments: ["top", "bare", "mid", "echo"])
  func adjustShowsALayerWhatItKnows(_ id: String) throws {
    for element in try elements(id) {
      let echo = element.identity.kind == "tag" || element.identity.kind == "star" ? 1.0 : 0.5
      let mid = id == "echo" || element.identity.kind == "star" ? 1.0 : 0.25
      #expect(element.alpha == echo * mid, "\(element)")
    }
  }

  /// An engine without functions is its base under another name.
  @Test func anEngineWithoutFunctionsIsItsBase() throws {
    #expect(try Array(elements("bare")) == Array(elements("mid")))
  }
}
