import ArgumentParser
import TesseraScenario

/// What is laid out, and with which values.
struct ContentOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("The item count of one section (default: 20).", valueName: "n"))
  var items: Int?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("The item count of each section.", valueName: "3,5,8"))
  var sections: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "One item a row of a table: .csv or .ndjson, or - for standard input.",
      discussion: """
        Columns named like item values fill them, and those named like the parts of one, such as \
        width and height, fill it; a column section makes sections, a column label labels the \
        picture.
        """, valueName: "file"),
    completion: .file(extensions: ["csv", "ndjson"]))
  var itemsFrom: String?

  @OptionGroup var values: ValueOptions

  mutating func validate() throws {
    let sources = [items != nil, sections != nil, itemsFrom != nil]
    guard sources.count(where: { $0 }) <= 1 else {
      throw ValidationError("give only one of --items, --sections and --items-from")
    }
  }

  /// The keys of a scenario that the options give, as JSON.
  var keys: [String: JSONValue] {
    if let items { return ["sections": .array([.object(["items": .number(Double(items))])])] }
    return sections.map { ["sections": OptionText.sections($0)] } ?? [:]
  }

  /// Adds what the options say beyond `keys`.
  func fill(_ scenario: inout Scenario) throws {
    if let itemsFrom { scenario.content = .table(try ItemTable(contentsOf: itemsFrom)) }
    try values.fill(&scenario)
  }
}
