import TesseraGeometry
import Testing

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// What an engine declares, copied out of its library.
@Suite struct DescriptionTests {
  @Test func identityParametersAndValuesAreThoseDeclared() throws {
    let description = try FixtureLibrary.inputs.get().engine("mirrored-inputs").description
    #expect(description.id == "org.example.mirrored-inputs")
    #expect(description.name == "Inputs")
    #expect(description.version == "1.2.3-rc.1")
    #expect(description.author == "The Tessera authors")
    #expect(description.license == "MIT")
    #expect(description.summary == "Lays out what it is given.")
    #expect(description.base == nil)
    #expect(description.traits == .mirrors)
    #expect(description.columns.isEmpty && description.adjustedColumns.isEmpty)
    #expect(
      description.parameters.map(\.name) == [
        "flag", "count", "ratio", "mode", "anchor", "extent", "area", "margin",
      ])
    #expect(
      description.parameters.map(\.type) == [
        .bool, .integer, .number, .choice, .point, .size, .rect, .insets,
      ])
    let count = description.parameters[1]
    #expect(count.initial == .integer(3) && count.minimum == [1] && count.maximum == [10])
    let ratio = description.parameters[2]
    #expect(ratio.minimum == [-.infinity] && ratio.maximum == [1] && ratio.unit == "rad")
    let mode = description.parameters[3]
    #expect(mode.choices == ["calm", "lively", "wild"] && mode.initial == .choice("lively"))
    #expect(mode.minimum.isEmpty && mode.maximum.isEmpty && mode.unit == nil)
    // Zeros on both sides mean no limit, each component by itself.
    let anchor = description.parameters[4]
    #expect(
      anchor.minimum == [-.infinity, -.infinity] && anchor.maximum == [.infinity, .infinity])
    let extent = description.parameters[5]
    #expect(extent.minimum == [0, 0] && extent.maximum == [.infinity, 50])
    #expect(description.sectionValues.map(\.name) == ["margin"])
    #expect(
      description.itemValues.map(\.name) == ["extent", "weight", "mode", "isMarked", "rank"])
    #expect(description.itemValues.map(\.fallback) == ["extent", nil, "mode", nil, nil])
    #expect(description.itemValues[2].choices == ["calm", "lively", "wild"])
  }

  @Test func columnsKindsAndAttributesAreThoseDeclared() throws {
    let description = try FixtureLibrary.columns.get().engine("columns").description
    #expect(description.columns.names == ["transform3D", "alpha", "zIndex", "hidden"])
    #expect(
      description.kinds == [
        KindDescription(name: "zebra", category: .supplementary),
        KindDescription(name: "apple", category: .supplementary),
        KindDescription(name: "leaf", category: .decoration),
      ])
    #expect(
      description.attributes.map(\.type) == [
        .bool, .integer, .number, .choice, .point, .size, .rect, .insets,
      ])
    #expect(description.attributes[1].interpolation == .step)
    #expect(description.attributes[3].interpolation == .none)
    #expect(description.attributes[3].choices == ["red", "green", "blue"])
    #expect(description.attributes[0].initial == .bool(true))
    #expect(description.attributes.allSatisfy { !$0.isAdjusted })
  }

  @Test(
    arguments: [
      ("1.2.3", [1, 2, 3]), ("0.0.0", [0, 0, 0]), ("10.20.30-beta.1+x", [10, 20, 30]),
      ("1.2.3+build-7", [1, 2, 3]), ("4294967295.0.1", [UInt32.max, 0, 1]),
    ] as [(String, [UInt32])])
  func semanticVersionsAreRead(_ text: String, _ numbers: [UInt32]) {
    #expect(SemanticVersion(text)?.numbers == numbers)
  }

  @Test(arguments: [
    "", "1", "1.2", "1.2.3.4", "1..3", ".1.2", "1.2.", "01.2.3", "1.2.x", "-1.2.3", "1. 2.3",
    "4294967296.0.0", "1.2.3" + String(repeating: "-", count: 300), "１.2.3",
  ])
  func otherTextsAreNoSemanticVersions(_ text: String) {
    #expect(SemanticVersion(text) == nil)
  }

  @Test func semanticVersionsAreOrderedByTheirNumbers() throws {
    let ordered = ["0.9.9", "1.0.0", "1.0.10", "1.2.0", "1.10.0", "2.0.0"]
      .compactMap { SemanticVersion($0) }
    for (left, right) in zip(ordered, ordered.dropFirst()) {
      #expect(left < right)
      #expect(!(right < left))
    }
  }
}
