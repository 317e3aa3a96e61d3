import ArgumentParser
import TesseraHost
import TesseraScenario

/// All that a layout is made for: a scenario file, and the options that win over it.
struct ScenarioOptions: ParsableArguments {
  // Side by side: a debug build of the argument parser validates a group three times for each level
  // of groups around it.
  @OptionGroup(title: "Content") var content: ContentOptions
  @OptionGroup(title: "Content") var values: ValueOptions
  @OptionGroup(title: "Surroundings") var surroundings: SurroundingsOptions

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "All of it in one JSON file; other options win over what it says.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var scenario: String?

  /// What the options say, over the scenario file, over what holds where nothing is said.
  ///
  /// - Parameter keys: Keys of a scenario that go over those of the options.
  func complete(keys: [String: JSONValue?] = [:]) throws -> Scenario {
    try stated(keys: keys).over(.defaults)
  }

  /// What the options say, over the scenario file.
  ///
  /// - Parameter keys: Keys of a scenario that go over those of the options; nil: as if not given.
  func stated(keys: [String: JSONValue?] = [:]) throws -> Scenario {
    var all = surroundings.keys.merging(content.keys) { $1 }
    for (key, value) in keys { all[key] = value }
    var options = try Scenario(.object(all))
    try content.fill(&options)
    try values.fill(&options)
    let file = try scenario.map { path in try Scenario(contentsOf: path) } ?? Scenario()
    return options.over(file)
  }
}

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
  }
}

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

/// What lies around the content: the options that win over a scenario's keys of the same meaning.
struct SurroundingsOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("The viewport's size in points (default: 375x667).", valueName: "WxH"))
  var bounds: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Where the viewport is scrolled to; it filters nothing (default: 0,0).", valueName: "x,y"))
  var offset: String?

  @Option(name: .long, parsing: .unconditional, help: "Device pixels a point (default: 2).")
  var scale: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: "Which way the content reads: leftToRight (default) or rightToLeft.",
    completion: .list(LayoutDirection.allCases.map(\.rawValue)))
  var direction: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Room around the content: top, left, bottom, right (default: 0,0,0,0).",
      valueName: "t,l,b,r"))
  var contentInsets: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "What covers the edges of the bounds (default: 0,0,0,0).", valueName: "t,l,b,r"))
  var safeArea: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Margins within the bounds (default: 0,0,0,0).", valueName: "t,l,b,r"))
  var layoutMargins: String?

  /// The keys of a scenario that the options give, as JSON.
  var keys: [String: JSONValue] {
    [
      "bounds": bounds.map(OptionText.vector),
      "offset": offset.map(OptionText.vector),
      "scale": scale.map(OptionText.number),
      "direction": direction.map(JSONValue.string),
      "contentInsets": contentInsets.map(OptionText.vector),
      "safeAreaInsets": safeArea.map(OptionText.vector),
      "layoutMargins": layoutMargins.map(OptionText.vector),
    ].compactMapValues { $0 }
  }
}

/// Texts of the command line as the JSON that a scenario file would hold for them, so that the
/// scenario's own reader checks them and says what is wrong.
enum OptionText {
  /// A number where the text is one, else the text, which the reader then refuses.
  static func number(_ text: some StringProtocol) -> JSONValue {
    guard let number = Double(text), number.isFinite else { return .string(String(text)) }
    return .number(number)
  }

  /// Numbers between commas; a size also as 375x667.
  static func vector(_ text: String) -> JSONValue {
    let separator: Character = text.contains(",") ? "," : "x"
    return .array(text.split(separator: separator, omittingEmptySubsequences: false).map(number))
  }

  /// Item counts between commas.
  static func sections(_ text: String) -> JSONValue {
    .array(
      text.split(separator: ",", omittingEmptySubsequences: false).map {
        .object(["items": number($0)])
      })
  }

  /// Settings from texts such as "name=value" after an option; of two with one name the last counts.
  static func settings(_ option: String, _ texts: [String]) throws -> [String: Setting] {
    var settings: [String: Setting] = [:]
    for text in texts {
      guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
        throw HostError(.invalidInput, "\(option) is \"\(text)\"; expected name=value")
      }
      let name = String(text[..<equals])
      settings[name] = Setting(
        text: String(text[text.index(after: equals)...]), source: "\(option) \(name)")
    }
    return settings
  }

  /// A text in quotes, short enough for one line of an error, without what a terminal would obey.
  static func quoted(_ text: String) -> String {
    var shown = String.UnicodeScalarView()
    for scalar in text.prefix(64).unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: shown.append(" ")
      default: shown.append(scalar)
      }
    }
    return "\"\(String(shown))\(text.count > 64 ? "…" : "")\""
  }
}
