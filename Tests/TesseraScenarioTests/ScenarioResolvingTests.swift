import Testing

@testable import TesseraScenario

@Suite struct ScenarioResolvingTests {
  func resolve(
    _ text: String, _ change: (inout Scenario) -> Void = { _ in },
    chain: [EngineDescription] = [Fixture.base]
  ) throws -> LayoutInput {
    var scenario = try Scenario(parsing: Array(text.utf8), name: "scenario.json")
    change(&scenario)
    return try scenario.resolved(for: chain).input
  }

  func parameter(_ name: String, _ text: String) throws -> Value? {
    var scenario = Scenario()
    scenario.bounds = Size(width: 320, height: 480)
    scenario.parameters[name] = JSONNode(text: text, source: "--set \(name)")
    return try scenario.resolved(for: [Fixture.base]).input.parameters[name]
  }

  @Test("parameters take texts of their type, with expressions wherever a number may stand")
  func parameters() throws {
    #expect(try parameter("spacing", "width/4") == .number(80))
    #expect(try parameter("columns", "floor(width/100)") == .integer(3))
    #expect(try parameter("isStacked", "true") == .bool(true))
    #expect(try parameter("isStacked", "width>height") == .bool(false))
    #expect(try parameter("isStacked", "width<height?true:false") == .bool(true))
    #expect(try parameter("scrollDirection", "horizontal") == .choice("horizontal"))
    let size = Value.size(Size(width: 106, height: 90))
    #expect(try parameter("itemSize", "floor((width-2)/3),90") == size)
    #expect(try parameter("itemSize", "106x90") == size)
    #expect(try parameter("itemSize", "106.0x 90") == size)
    #expect(try parameter("itemSize", "max(106, 2), min(90, 91)") == size)
    #expect(
      try parameter("sectionInset", "13,13,13,width")
        == .insets(Insets(top: 13, left: 13, bottom: 13, right: 320)))
    #expect(try parameter("anchor", "-1,2") == .point(Point(x: -1, y: 2)))
    #expect(
      try parameter("area", "0,0,width,height/2")
        == .rect(Rect(x: 0, y: 0, width: 320, height: 240)))
    let json = try resolve(
      "{\"parameters\": {\"itemSize\": [\"width/5\", 90], \"isStacked\": true, \"columns\": 4}}")
    #expect(json.parameters["itemSize"] == .size(Size(width: 75, height: 90)))
    #expect(json.parameters["isStacked"] == .bool(true))
    #expect(json.parameters["columns"] == .integer(4))
    #expect(json.counts == [20])
  }

  @Test(
    "a parameter that is no value of its type is refused",
    arguments: [
      (
        "spacin", "1",
        "--set spacin: org.example.base has no parameter \"spacin\"; did you mean spacing?"
      ),
      ("weight", "1", "has no parameter \"weight\"; it is an item value"),
      (
        "spacing", "item",
        "--set spacing: the expression \"item\" cannot be read: \"item\" has no meaning for the whole layout; it may use width, height, scale and sections"
      ),
      ("columns", "2.5", "--set columns gives 2.5; expected a whole number"),
      ("isStacked", "width", "--set isStacked gives 320; expected true, false, 1 or 0"),
      ("isStacked", "tru", "did you mean true?"),
      ("scrollDirection", "up", #"--set scrollDirection is "up"; expected vertical or horizontal"#),
      (
        "itemSize", "100",
        "--set itemSize is \"100\", 1 part; expected 2 numbers or expressions: width and height"
      ),
    ])
  func refusedParameters(name: String, text: String, expected: String) {
    let found = message { _ = try parameter(name, text) }
    #expect(found.contains(expected), "\(found)")
  }

  @Test(
    "a JSON value of another type is refused by its path",
    arguments: refusals(
      #"""
      {"parameters": {"itemSize": [1, true]}}
      parameters.itemSize[1] is true; expected a number or an expression
      {"sections": [{"items": 2, "values": {"spacing": "item"}}]}
      sections[0].values.spacing: the expression "item" cannot be read: "item" has no meaning for a section
      {"sections": [{"items": 2, "itemValues": {"size": [[1, 2]]}}]}
      sections[0].itemValues.size has 1 entry for 2 items; give one value, or 2
      {"sections": [{"items": 2, "itemValues": {"size": [[1, 2], 3]}}]}
      sections[0].itemValues.size[1] is the number 3; expected 2 numbers
      {"sections": [{"items": 2, "itemValues": {"mode": ["fit", "fil"]}}]}
      sections[0].itemValues.mode[1] is "fil"; did you mean
      {"sections": [{"items": 0}, {"items": 900, "itemValues": {"weight": "1/(item-700)"}}]}
      gives infinity for item 700 of section 1
      {"sections": [{"items": 900, "itemValues": {"span": "item/300"}}]}
      sections[0].itemValues.span for item 1 of section 0 gives 0.0033333333333333335; expected a whole number
      {"sections": [{"items": 2, "itemValues": {"spacing": 1}}]}
      sections[0].itemValues.spacing: org.example.base has no item value "spacing"; it is a parameter
      {"sections": [{"items": 2, "values": {"size": [1, 2]}}]}
      has no section value "size"; it is an item value
      """#))
  func refusedJSON(text: String, expected: String) {
    let found = message { _ = try resolve(text) }
    #expect(found.hasPrefix(expected) || found.contains(expected), "\(found)")
  }

  @Test("item values that do not depend on the item take no memory an item")
  func constants() throws {
    let text =
      "{\"sections\": [{\"items\": 900000000000, \"itemValues\": {\"size\": [\"width/5\", 90]}}]}"
    let size = ValueColumn.constant(.size(Size(width: 75, height: 90)))
    #expect(try resolve(text).itemValues == ["size": size])
    let varied = message {
      _ = try resolve(text) {
        $0.itemValues["weight"] = JSONNode(text: "item", source: "--item weight")
      }
    }
    #expect(
      varied
        == "weight differs among 900000000000 items; give at most 100 million items, or one value for all"
    )
  }

  @Test("expressions are evaluated for each item, with the section's and the overall numbering")
  func items() throws {
    let found = try resolve(
      """
      {"sections": [
        {"items": 300, "itemValues": {"weight": "item + 1000 * section + index / 4"}},
        {"items": 0}, {"items": 2, "itemValues": {"weight": "items * 100 + index"}}]}
      """)
    let expected = (0..<300).map { Double($0) + Double($0) / 4 } + [500, 501]
    #expect(found.itemValues == ["weight": .numbers(expected)])
  }

  @Test("lists give each item its value; other sections take the stand-in")
  func lists() throws {
    let text = """
      {"parameters": {"columns": 5}, "sections": [
        {"items": 2, "itemValues": {"size": [[1, 2], ["item + 2", "index * 4"]], "span": [7, 8]}},
        {"items": 1, "itemValues": {"mode": ["fill"], "isBig": [true], "anchor": "item,9"}}]}
      """
    let found = try resolve(text).itemValues
    let rest = Size(width: 50, height: 40)
    #expect(
      found["size"] == .sizes([Size(width: 1, height: 2), Size(width: 3, height: 4), rest]))
    #expect(found["span"] == .integers([7, 8, 5]))
    #expect(found["mode"] == .choices(["fit", "fit", "fill"]))
    #expect(found["isBig"] == .bools([false, false, true]))
    #expect(found["anchor"] == .points([.zero, .zero, Point(x: 0, y: 9)]))

    let derived = try resolve(text, chain: [Fixture.derived, Fixture.base]).itemValues
    #expect(derived["size"]?[2] == .size(Size(width: 180, height: 170)))
    let set = try resolve(
      text, { $0.parameters["itemSize"] = JSONNode(text: "7x8", source: "--set itemSize") },
      chain: [Fixture.derived, Fixture.base]
    ).itemValues
    #expect(set["size"]?[2] == .size(Size(width: 7, height: 8)))
  }

  @Test("section values, and values for all sections and items over those of the file")
  func overrides() throws {
    let text = """
      {"sections": [{"items": 2, "values": {"spacing": "section + items"},
        "itemValues": {"weight": [1, 2]}}, {"items": 3, "values": {"sectionInset": [1, 2, 3, 4]}}]}
      """
    let found = try resolve(text)
    #expect(found.sectionValues["spacing"] == .numbers([2, 10]))
    #expect(
      found.sectionValues["sectionInset"]
        == .insets([.zero, Insets(top: 1, left: 2, bottom: 3, right: 4)]))
    let over = try resolve(text) {
      $0.itemValues["weight"] = JSONNode(text: "section", source: "--item weight")
      $0.sectionValues["spacing"] = JSONNode(text: "5", source: "--section spacing")
    }
    #expect(over.itemValues["weight"] == .numbers([0, 0, 1, 1, 1]))
    #expect(over.sectionValues["spacing"] == .constant(.number(5)))
  }

  @Test("item counts are bounded, one by one and together")
  func counts() {
    for (counts, expected) in [
      ([3, -1], "section 1 has -1 items; expected a whole number from 0 to 9007199254740992"),
      ([Int.max], "section 0 has 9223372036854775807 items"),
      ([1 << 53, 1], "the sections have more than 9007199254740992 items together; give fewer"),
    ] {
      var scenario = Scenario()
      scenario.content = .sections(counts.map { Scenario.Section(items: $0) })
      let found = message { _ = try scenario.resolved(for: [Fixture.base]) }
      #expect(found.hasPrefix(expected), "\(found)")
    }
  }
}
