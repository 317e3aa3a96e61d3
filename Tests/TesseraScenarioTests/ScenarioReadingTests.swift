import Foundation
import TestSupport
import Testing

@testable import TesseraScenario

@Suite struct ScenarioReadingTests {
  func read(_ text: String) throws -> Scenario {
    try Scenario(parsing: Array(text.utf8), name: "scenario.json")
  }

  @Test("the example of the guide is read key by key")
  func example() throws {
    let scenario = try read(
      """
      { "bounds": [375, 667], "offset": [0, 5], "contentInsets": [1, 2, 3, 4],
        "safeAreaInsets": [0, 0, 0, 0], "layoutMargins": [8, 16, 8, 16], "scale": 3,
        "direction": "rightToLeft", "parameters": { "itemSize": [100, 90] },
        "sections": [
          { "items": 60, "values": { "sectionInset": [10, 20, 10, 20] },
            "itemValues": { "size": ["80 + noise(item) * 120", 90] } },
          { "items": 3, "itemValues": { "size": [[100, 90], [50, 90], [75, 90]] } } ],
        "delegate": { "layoutModeForItem": "item % 2" }, "rect": [0, 0, 375, 667] }
      """)
    #expect(scenario.bounds == Size(width: 375, height: 667))
    #expect(scenario.offset == Point(x: 0, y: 5))
    #expect(scenario.contentInsets == Insets(top: 1, left: 2, bottom: 3, right: 4))
    #expect(scenario.safeAreaInsets == .zero)
    #expect(scenario.layoutMargins == Insets(top: 8, left: 16, bottom: 8, right: 16))
    #expect(scenario.scale == 3)
    #expect(scenario.direction == .rightToLeft)
    #expect(scenario.rect == Rect(x: 0, y: 0, width: 375, height: 667))
    #expect(scenario.itemCounts == [60, 3])
    #expect(
      scenario.parameters["itemSize"]
        == JSONNode(.list([.number(100), .number(90)]), source: "parameters.itemSize"))
    #expect(
      scenario.delegate["layoutModeForItem"]
        == JSONNode(text: "item % 2", source: "delegate.layoutModeForItem"))
    guard case .sections(let sections) = scenario.content else {
      Issue.record("no sections")
      return
    }
    #expect(sections[0].values["sectionInset"]?.source == "sections[0].values.sectionInset")
    #expect(sections[1].itemValues["size"]?.source == "sections[1].itemValues.size")
  }

  @Test("what is left out stays open")
  func empty() throws {
    #expect(try read("{}") == Scenario())
    #expect(Scenario().itemCounts == [20])
    #expect(try read("{\"sections\": []}").itemCounts == [])
  }

  @Test(
    "an error names the key, what was found and what was expected",
    arguments: [
      ("[]", "a scenario is a list of 0; expected an object"),
      ("{\"bound\": [1, 2]}", "bound is not a key of a scenario; did you mean bounds?"),
      ("{\"bounds\": 5}", "bounds is the number 5; expected 2 numbers: width and height"),
      ("{\"bounds\": [1, \"2\"]}", "bounds[1] is the text \"2\"; expected a number"),
      ("{\"bounds\": [-1, 2]}", "bounds is -1 by 2; expected lengths of 0 or more"),
      ("{\"scale\": 0}", "scale is the number 0; expected a number greater than 0"),
      (
        "{\"direction\": \"up\"}",
        "direction is the text \"up\"; expected leftToRight or rightToLeft"
      ),
      (
        "{\"sections\": {}}", "sections is an object with 0 keys; expected a list of sections"
      ),
      (
        "{\"sections\": [{\"items\": 1}, {\"items\": -1}]}",
        "sections[1].items is the number -1; expected a whole number from 0 to 9007199254740992"
      ),
      (
        "{\"sections\": [{\"items\": 1, \"itemvalues\": {}}]}",
        "sections[0].itemvalues is not a key of a section; did you mean itemValues?"
      ),
      (
        "{\"parameters\": {\"a\": [1, 1e999]}}",
        "parameters.a[1] in scenario.json is a number too large or too small for a double"
      ),
      (
        "{\"bounds\": }",
        "scenario.json is not JSON: found \"}\" at line 1, character 12; expected a value"
      ),
      (
        String(repeating: "[", count: 100_000),
        "scenario.json is not JSON: lists and objects are nested deeper than 512 levels"
      ),
    ])
  func refusals(text: String, expected: String) {
    let found = message { _ = try read(text) }
    #expect(found.hasPrefix(expected), "\(found)")
  }
}
