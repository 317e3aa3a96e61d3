import Testing

@testable import TesseraScenario

@Suite struct SharedScenarioTests {
  static let other = Fixture.engine(
    "org.example.other", parameters: [Fixture.parameter("gap", .number(1))],
    values: [Fixture.value("height", .number, .item)],
    functions: [
      FunctionDescription(
        name: "modeForItem", signature: "u8(u32,u32)", help: "", isPublished: false)
    ])

  @Test("each engine gets the names it declares; unknown names stay with both, to be reported")
  func sharing() {
    var scenario = Scenario()
    func setting(_ name: String) -> [String: JSONNode] { [name: JSONNode(text: "1", source: name)] }
    for name in ["spacing", "gap", "spacin"] {
      scenario.parameters.merge(setting(name)) { $1 }
    }
    for name in ["weight", "height", "nothing"] {
      scenario.itemValues.merge(setting(name)) { $1 }
    }
    scenario.delegate = setting("modeForItem")
    scenario.content = .sections([
      .init(items: 1, values: setting("sectionInset"), itemValues: setting("height"))
    ])
    let first = scenario.shared(for: [Fixture.derived, Fixture.base], with: [Self.other])
    let second = scenario.shared(for: [Self.other], with: [Fixture.derived, Fixture.base])
    #expect(first.parameters.keys.sorted() == ["spacin", "spacing"])
    #expect(second.parameters.keys.sorted() == ["gap", "spacin"])
    #expect(first.itemValues.keys.sorted() == ["nothing", "weight"])
    #expect(second.itemValues.keys.sorted() == ["height", "nothing"])
    #expect(first.delegate.isEmpty)
    #expect(second.delegate.count == 1)
    #expect(first.content == .sections([.init(items: 1, values: setting("sectionInset"))]))
    #expect(second.content == .sections([.init(items: 1, itemValues: setting("height"))]))
  }

  @Test("a parameter that a derived engine owns goes to the other engine")
  func ownership() {
    let owning = Fixture.engine(
      "org.example.owning", parameters: [], values: [],
      defaults: [DefaultDescription(name: "spacing", value: .number(3), isOwned: true)])
    var scenario = Scenario()
    scenario.parameters["spacing"] = JSONNode(text: "1", source: "--set spacing")
    #expect(
      scenario.shared(for: [owning, Fixture.base], with: [Fixture.base]).parameters.isEmpty)
    #expect(
      scenario.shared(for: [Fixture.base], with: [owning, Fixture.base]).parameters.count == 1)
    #expect(
      scenario.shared(for: [owning, Fixture.base], with: [Self.other]).parameters.count == 1)
  }
}
