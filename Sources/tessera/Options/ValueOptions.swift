import ArgumentParser
import TesseraScenario

/// Parameters, values, and the answers to an engine's questions.
struct ValueOptions: ParsableArguments {
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

  @Option(
    name: .customLong("delegate"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Answer one of the engine's delegate functions.",
      discussion: """
        An expression, or for a structure one for each number. The function's arguments are called \
        a, b, c and so on, the parts of a structure cX, cY, cWidth. Where the first two are whole \
        numbers they are also section and item, and the expression may use all that one for an item \
        may. A bool is true, false, 1, 0 or a comparison.
        """, valueName: "name=value"))
  var delegate: [String] = []

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "How large each item is, for engines that size items by their content.",
      discussion: """
        Its width and height: expressions for an item, which may also use proposedWidth and \
        proposedHeight, the room that the engine offers; 0 is as much as the item likes.
        """, valueName: "width,height"))
  var measure: String?

  /// Adds what the options say.
  func fill(_ scenario: inout Scenario) throws {
    scenario.parameters = try OptionText.settings("--set", parameters)
    scenario.itemValues = try OptionText.settings("--item", itemValues)
    scenario.sectionValues = try OptionText.settings("--section", sectionValues)
    scenario.delegate = try OptionText.settings("--delegate", delegate)
    scenario.measure = measure.map { Setting(text: $0, source: "--measure") }
  }
}
