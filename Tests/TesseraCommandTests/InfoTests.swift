import Foundation
import TestSupport
import Testing

@Suite struct InfoTests {
  static let everything = CEngine(
    declarations: """
      static const char *const sides[] = {"left", "right", 0};
      static const tessera_parameter parameters[] = {
          {.name = "gap", .help = "Between items.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
           .initial = {.number = 2.5}, .minimum = {.number = 0},
           .maximum = {.number = INFINITY}},
          {.name = "side", .help = "Where they stand.", .choices = sides, .choice_count = 2,
           .type = TESSERA_TYPE_ENUM, .initial = {.choice = 1}},
          {.name = "extent", .help = "Of an item.", .type = TESSERA_TYPE_SIZE,
           .initial = {.size = {30, 40}}, .minimum = {.size = {1, 2}},
           .maximum = {.size = {100, 200}}}};
      static const tessera_value_declaration values[] = {
          {.name = "size", .help = "Of this item.", .fallback = "extent", .type = TESSERA_TYPE_SIZE,
           .scope = TESSERA_SCOPE_ITEM},
          {.name = "indent", .help = "Of this section.", .type = TESSERA_TYPE_NUMBER,
           .scope = TESSERA_SCOPE_SECTION}};
      static const tessera_parameter columns[] = {
          {.name = "at", .help = "Where it is.", .unit = "pt", .type = TESSERA_TYPE_NUMBER,
           .initial = {.number = 5}, .minimum = {.number = 0},
           .maximum = {.number = 9}},
          {.name = "side", .help = "Where it points.", .choices = sides, .choice_count = 2,
           .type = TESSERA_TYPE_ENUM}};
      static const tessera_list_declaration lists[] = {
          {"stops", "Where to rest.", 2, sizeof *columns, columns}};
      static double area(tessera_layout *layout, uint32_t item) {
        (void)layout;
        return item;
      }
      static const tessera_function_declaration functions[] = {
          {"modeForItem", "u8(u32,u32)", "The mode of an item.", 0},
          {"area", "f64(u32)", "The area of an item.", (void (*)(void))area}};
      static const tessera_attribute attributes[] = {
          {.name = "glow", .help = "How bright.", .unit = "h", .type = TESSERA_TYPE_NUMBER,
           .interpolation = TESSERA_INTERPOLATION_STEP, .initial = {.number = 0.5}}};
      static const tessera_kind kinds[] = {
          {"lid", "glow", TESSERA_CATEGORY_SUPPLEMENTARY, TESSERA_ROLE_HEADER},
          {"rule", 0, TESSERA_CATEGORY_DECORATION, TESSERA_ROLE_SEPARATOR},
          {"shade", 0, TESSERA_CATEGORY_DECORATION, TESSERA_ROLE_OTHER}};
      """,
    members: """
      .parameters = parameters, .parameter_count = 3, .values = values, .value_count = 2,
      .functions = functions, .function_count = 2, .attributes = attributes,
      .attribute_count = 1, .kinds = kinds, .kind_count = 3,
      .lists = lists, .list_count = 1, .list_size = sizeof *lists, .traits = TESSERA_TRAIT_MIRRORS,
      .laws = TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES,
      .columns = TESSERA_COLUMN_ALPHA,
      """)

  @Test func jsonHasTheDocumentedShape() throws {
    let folder = try TemporaryFolder()
    let library = try Self.everything.build(in: folder)
    let result = try Program.tessera("info", library, "--format", "json", in: folder)
    try #require(result.status == 0, "\(result.errors)")
    #expect(result.errors.isEmpty)
    let expected = """
      {"id": "org.example.column", "name": "Column", "version": "1.0.0", "author": "A test",
       "license": "MIT", "summary": "A column.", "library": "\(library)", "abi": "1.0",
       "chain": [{"id": "org.example.column", "version": "1.0.0"}],
       "parameters": [
         {"name": "gap", "type": "number", "unit": "pt", "initial": 2.5, "minimum": 0,
          "maximum": null, "choices": [], "help": "Between items.", "from": "org.example.column",
          "givenBy": null, "ownedBy": null},
         {"name": "side", "type": "enum", "unit": null, "initial": "right", "minimum": null,
          "maximum": null, "choices": ["left", "right"], "help": "Where they stand.",
          "from": "org.example.column", "givenBy": null, "ownedBy": null},
         {"name": "extent", "type": "size", "unit": null, "initial": [30, 40], "minimum": [1, 2],
          "maximum": [100, 200], "choices": [], "help": "Of an item.",
          "from": "org.example.column", "givenBy": null, "ownedBy": null}],
       "sectionValues": [
         {"name": "indent", "type": "number", "fallback": null, "choices": [],
          "help": "Of this section.", "from": "org.example.column"}],
       "itemValues": [
         {"name": "size", "type": "size", "fallback": "extent", "choices": [],
          "help": "Of this item.", "from": "org.example.column"}],
       "lists": [
         {"name": "stops", "help": "Where to rest.", "from": "org.example.column",
          "columns": [
            {"name": "at", "type": "number", "unit": "pt", "initial": 5, "minimum": 0,
             "maximum": 9, "choices": [], "help": "Where it is."},
            {"name": "side", "type": "enum", "unit": null, "initial": "left", "minimum": null,
             "maximum": null, "choices": ["left", "right"], "help": "Where it points."}]}],
       "delegateFunctions": [
         {"name": "modeForItem", "signature": "u8(u32,u32)", "help": "The mode of an item.",
          "from": "org.example.column"}],
       "functions": [
         {"name": "area", "signature": "f64(u32)", "help": "The area of an item.",
          "from": "org.example.column"}],
       "attributes": [
         {"name": "glow", "type": "number", "unit": "h", "interpolation": "step", "when": "prepared", "choices": [],
          "initial": 0.5, "help": "How bright.", "from": "org.example.column"}],
       "kinds": [
         {"name": "lid", "category": "supplementary", "role": "header", "shows": "glow",
          "from": "org.example.column"},
         {"name": "rule", "category": "decoration", "role": "separator", "shows": null,
          "from": "org.example.column"},
         {"name": "shade", "category": "decoration", "role": "other", "shows": null,
          "from": "org.example.column"}],
       "columns": ["alpha"], "traits": ["mirrors"], "laws": ["appends", "scales"]}
      """
    #expect(try object(result.output) == object(expected))
  }

  private func object(_ json: String) throws -> NSDictionary {
    try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? NSDictionary)
  }

  /// cover-flow owns one of flow's parameters and sets others.
  @Test func aDerivedEngineAndItsBase() throws {
    let result = try Program.tessera("info", "cover-flow", "--format", "json")
    let facts = try object(result.output)
    let chain = try #require(facts["chain"] as? [[String: String]])
    #expect(chain.map { $0["id"] } == ["org.tessera.cover-flow", "org.tessera.flow"])
    let parameters = try #require(facts["parameters"] as? [[String: Any]])
    func names(_ key: String, _ engine: String) -> [String] {
      parameters.filter { $0[key] as? String == engine }.compactMap { $0["name"] as? String }
    }
    #expect(names("ownedBy", "org.tessera.cover-flow") == ["scrollDirection"])
    #expect(
      names("givenBy", "org.tessera.cover-flow").sorted()
        == ["itemSize", "minimumInteritemSpacing", "minimumLineSpacing", "scrollDirection"])
    #expect(names("from", "org.tessera.flow").contains("itemSize"))
    let attributes = try #require(facts["attributes"] as? [[String: Any]])
    #expect(attributes.map { $0["when"] as? String } == ["adjusted", "adjusted"])
  }
}
