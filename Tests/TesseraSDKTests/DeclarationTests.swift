import CTessera
import Testing

@testable import TesseraSDK

enum Side: String, Choice { case left, right }

private final class Everything: PreparingLayout {
  static let identity = EngineIdentity(
    id: "org.example.everything", name: "Everything", version: "1.2.3", author: "A. N. Author",
    license: "MIT", summary: "All that can be declared – in one.")
  static let traits: Traits = [.mirrors, .pixelAligned]
  static let columns: BuiltInColumns = [.alpha]
  static let adjustedColumns: BuiltInColumns = [.transform, .zIndex]

  @Parameter("A length.", unit: "pt", in: 0...) var spacing = 10.0
  @Parameter("A count.", in: 1...9) var columnCount = 3
  @Parameter("A flag.") var isOn = true
  @Parameter("A side.") var side = Side.right
  @Parameter("A place.", in: ...5) var place = Point(x: 1, y: 2)
  @Parameter("A size.", unit: "pt", in: 0...100) var itemSize = Size(width: 4, height: 5)
  @Parameter("Insets.") var inset = Insets(top: 1, left: 2, bottom: 3, right: 4)
  @Parameter("A rectangle.") var area = Rect(x: 1, y: 2, width: 3, height: 4)
  @SectionValue("Of a section.", overriding: \Everything.$spacing) var spacings
  @ItemValue("Of an item.", fallback: \Everything.$itemSize) var size
  @ItemValue("A ratio.") var ratio: Column<Double>
  let header = Kind(.supplementary)
  let separator = Kind(.decoration, named: "rule")
  let grey = Attribute("How grey.", initial: 0.5, when: .adjusted)
  let whereabouts = Attribute("Where.", named: "place", initial: Side.right, interpolation: .step)

  func prepare(_ input: Input, into output: Output) throws(LayoutFailure) {}
}

private func text(_ pointer: UnsafePointer<CChar>?) -> String? {
  pointer.map(String.init(cString:))
}

@Suite struct DeclarationTests {
  private let engine = EngineUnderTest(Everything.self).engine

  @Test func identityAndTraits() {
    #expect(text(engine.id) == "org.example.everything")
    #expect(text(engine.name) == "Everything")
    #expect(text(engine.version) == "1.2.3")
    #expect(text(engine.author) == "A. N. Author")
    #expect(text(engine.license) == "MIT")
    #expect(text(engine.summary) == "All that can be declared – in one.")
    #expect(engine.struct_size == 264)
    #expect(engine.traits == TESSERA_TRAIT_MIRRORS | TESSERA_TRAIT_PIXEL_ALIGNED)
    #expect(engine.columns == TESSERA_COLUMN_ALPHA)
    #expect(engine.adjusted_columns == TESSERA_COLUMN_TRANSFORM | TESSERA_COLUMN_Z_INDEX)
    #expect(engine.base == nil)
    #expect(engine.adjust == nil && engine.elements_in_rect == nil && engine.still_valid == nil)
  }

  @Test func parametersInTheOrderOfTheSource() throws {
    #expect(engine.parameter_size == 144)
    let declared = try #require(engine.parameters)
    let all = (0..<Int(engine.parameter_count)).map { declared[$0] }
    #expect(
      all.map { text($0.name) } == [
        "spacing", "columnCount", "isOn", "side", "place", "itemSize", "inset", "area",
      ])
    #expect(all.map(\.type) == [3, 2, 1, 4, 5, 6, 8, 7])
    #expect(text(all[0].help) == "A length.")
    #expect(text(all[0].unit) == "pt")
    #expect(all[1].unit == nil)
    #expect(all[0].initial.number == 10)
    #expect(all[1].initial.integer == 3)
    #expect(all[2].initial.boolean == 1)
    #expect(all[4].initial.point.y == 2)
    #expect(all[5].initial.size.height == 5)
    #expect(all[6].initial.insets.right == 4)
    #expect(all[7].initial.rect.height == 4)
  }

  @Test func limitsAreForEachComponent() throws {
    let declared = try #require(engine.parameters)
    #expect(declared[0].minimum.number == 0 && declared[0].maximum.number == .infinity)
    #expect(declared[1].minimum.integer == 1 && declared[1].maximum.integer == 9)
    #expect(declared[4].minimum.point.y == -.infinity && declared[4].maximum.point.y == 5)
    #expect(declared[5].minimum.size.height == 0 && declared[5].maximum.size.height == 100)
    #expect(declared[6].minimum.insets.left == 0 && declared[6].maximum.insets.left == 0)
  }

  @Test func choicesByName() throws {
    let side = try #require(engine.parameters)[3]
    #expect(side.choice_count == 2)
    #expect(text(side.choices?[0]) == "left" && text(side.choices?[1]) == "right")
    #expect(side.initial.choice == 1)
    #expect(try #require(engine.parameters)[0].choices == nil)
  }

  @Test func valuesWithTheirFallbacks() throws {
    #expect(engine.value_count == 3)
    let values = try #require(engine.values)
    #expect(text(values[0].name) == "spacing" && text(values[0].fallback) == "spacing")
    #expect(values[0].scope == TESSERA_SCOPE_SECTION && values[0].type == TESSERA_TYPE_NUMBER)
    #expect(text(values[1].name) == "size" && text(values[1].fallback) == "itemSize")
    #expect(values[1].scope == TESSERA_SCOPE_ITEM && values[1].type == TESSERA_TYPE_SIZE)
    #expect(text(values[2].name) == "ratio" && values[2].fallback == nil)
  }

  @Test func kindsAndAttributes() throws {
    let kinds = try #require(engine.kinds)
    #expect(engine.kind_count == 2)
    #expect(text(kinds[0].name) == "header" && kinds[0].category == TESSERA_CATEGORY_SUPPLEMENTARY)
    #expect(text(kinds[1].name) == "rule" && kinds[1].category == TESSERA_CATEGORY_DECORATION)
    let attributes = try #require(engine.attributes)
    #expect(engine.attribute_count == 2)
    #expect(text(attributes[0].name) == "grey" && attributes[0].initial.number == 0.5)
    #expect(attributes[0].when == TESSERA_WHEN_ADJUSTED)
    #expect(attributes[0].interpolation == TESSERA_INTERPOLATION_LINEAR)
    #expect(text(attributes[1].name) == "place")
    #expect(attributes[1].choice_count == 2 && attributes[1].initial.choice == 1)
    #expect(attributes[1].when == TESSERA_WHEN_PREPARED)
    #expect(attributes[1].interpolation == TESSERA_INTERPOLATION_STEP)
  }
}
