import Foundation
import Testing

@testable import TesseraScenario

@Suite struct LayoutDocumentTests {
  func read(_ text: String) throws -> LayoutDocument {
    try LayoutDocument(parsing: Array(text.utf8), name: "layout.json")
  }

  @Test("a layout document round-trips")
  func roundTrip() throws {
    let elements = [LayoutOutputTests.cell, LayoutOutputTests.header].map { element in
      var element = element
      element.attributes = LayoutOutputTests.values
      return element
    }
    let attributes = LayoutOutputTests.attributes
    let size = Size(width: 375, height: 0.1)
    var bytes: [UInt8] = []
    LayoutWriter(engine: "e", contentSize: size, attributes: attributes)
      .write(elements, as: .json) { bytes += $0 }
    let document = LayoutDocument(
      engine: "e", contentSize: size, elements: elements, attributes: attributes)
    #expect(try LayoutDocument(parsing: bytes, name: "layout.json") == document)
    #expect(document.differences(from: document).isEmpty)
  }

  @Test("each difference is reported; elements compare as sets, and open numbers are ignored")
  func differences() throws {
    let expected = try read(
      """
      {"contentSize": [null, 10], "elements": [
        {"category": "cell", "section": 0, "item": 0, "frame": [0, 0, null, 5]},
        {"category": "cell", "section": 0, "item": 1, "frame": [1, 1, 1, 1]},
        {"category": "supplementary", "kind": "header", "section": 0, "item": 0,
          "frame": [0, 0, 1, 1], "zIndex": 5, "attributes": {"a": 1, "b": "x"}}]}
      """)
    let actual = try read(
      """
      {"engine": "e", "contentSize": [3, 10.005], "elements": [
        {"category": "cell", "section": 0, "item": 7, "frame": [1, 1, 1, 1]},
        {"category": "supplementary", "kind": "header", "section": 0, "item": 0,
          "frame": [0, 0, 1, 1.5], "alpha": 0.5, "hidden": true, "attributes": {"b": "y"}},
        {"category": "cell", "section": 0, "item": 0, "frame": [0, 0.01, 99, 5]}]}
      """)
    let header = "header 0 of section 0"
    let common = [
      "cell 1 of section 0: found no such element, expected frame [1, 1, 1, 1]",
      "\(header): frame is [0, 0, 1, 1.5], expected [0, 0, 1, 1]",
      "\(header): alpha is [0.5], expected [1]", "\(header): zIndex is 0, expected 5",
      "\(header): hidden is true, expected false",
      "\(header): a is null, expected the number 1",
      "\(header): b is the text \"y\", expected the text \"x\"",
    ]
    let extra = ["cell 7 of section 0: found frame [1, 1, 1, 1], expected no such element"]
    func texts(_ tolerance: Double, isPartial: Bool = false) -> [String] {
      expected.differences(from: actual, tolerance: tolerance, isPartial: isPartial)
        .map(\.description)
    }
    #expect(texts(0.01) == common + extra)
    #expect(texts(0.01, isPartial: true) == common)
    #expect(
      texts(0).prefix(2) == [
        "contentSize is [3, 10.005], expected [null, 10]",
        "cell 0 of section 0: frame is [0, 0.01, 99, 5], expected [0, 0, null, 5]",
      ])
  }

  @Test(
    "an invalid layout document is rejected with its path",
    arguments: [
      ("{}", "elements is missing; expected a list"),
      ("{\"elements\": [{}]}", "elements[0].category is missing; expected a category"),
      (
        "{\"elements\": [{\"category\": \"cel\"}]}",
        "elements[0].category is the text \"cel\"; expected cell, supplementary or decoration"
      ),
      (
        "{\"elements\": [{\"category\": \"cell\", \"section\": 0, \"item\": 0, \"frame\": [1]}]}",
        "elements[0].frame is a list of 1; expected 4 numbers: x, y, width and height"
      ),
      ("{\"elements\": [], \"size\": 1}", "size is not a key of a layout"),
    ])
  func refusals(text: String, expected: String) {
    let found = message { _ = try read(text) }
    #expect(found.hasPrefix(expected), "\(found)")
  }
}
