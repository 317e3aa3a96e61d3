import ArgumentParser
import TesseraScenario

/// What is laid out, and with which parameters and values.
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

  @Option(
    name: .customLong("set"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Set a parameter.", valueName: "name=value"))
  var parameters: [String] = []

  @Option(
    name: .customLong("item"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Set a value for every item.", valueName: "name=value"))
  var itemValues: [String] = []

  @Option(
    name: .customLong("section"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Set a value for every section.", valueName: "name=value"))
  var sectionValues: [String] = []

  mutating func validate() throws {
    let sources = [items != nil, sections != nil, itemsFrom != nil]
    guard sources.count(where: { $0 }) <= 1 else {
      throw ValidationError("give only one of --items, --sections and --items-from")
    }
  }

  /// Adds what the options say to a scenario.
  func fill(_ scenario: inout Scenario) throws {
    if let itemsFrom {
      scenario.content = .table(try ItemTable(contentsOf: itemsFrom))
    } else if let items {
      scenario.content = .sections([Scenario.Section(items: items)])
    } else if let sections {
      scenario.content = .sections(try OptionText(sections, option: "--sections").sections())
    }
    scenario.parameters = try settings("--set", parameters)
    scenario.itemValues = try settings("--item", itemValues)
    scenario.sectionValues = try settings("--section", sectionValues)
  }

  /// The settings by name; of two with one name the last counts.
  private func settings(_ option: String, _ texts: [String]) throws -> [String: Setting] {
    var settings: [String: Setting] = [:]
    for text in texts {
      let (name, setting) = try OptionText(text, option: option).assignment()
      settings[name] = setting
    }
    return settings
  }
}
