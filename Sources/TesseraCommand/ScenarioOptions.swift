import ArgumentParser
import TesseraHost
import TesseraScenario

/// The input of a layout: a scenario file, and the options that override it.
public struct ScenarioOptions: ParsableArguments {
  /// Creates options for the parser to fill.
  public init() {}

  // Not nested: a debug build of the parser validates a group three times per level.
  /// The items.
  @OptionGroup(title: "Content") public var content: ContentOptions
  /// The values.
  @OptionGroup(title: "Content") public var values: ValueOptions
  /// The viewport.
  @OptionGroup(title: "Viewport") public var viewport: ViewportOptions

  /// The value of `--scenario`.
  @Option(
    "Read the input from a JSON file; other options override it.", "file",
    completion: .file(extensions: ["json"]))
  public var scenario: String?

  /// The options over the scenario file.
  ///
  /// - Parameters:
  ///   - keys: Override the keys of the options; nil removes one.
  ///   - completing: Adds to a table of items, such as the sizes of pictures.
  public func scenario(
    keys: [String: JSON?] = [:], completing: (ItemTable) throws -> ItemTable = { $0 }
  ) throws -> Scenario {
    var all = viewport.keys.merging(content.keys) { $1 }
    for (key, value) in keys { all[key] = value }
    var options = try Scenario(.object(all.map { ($0.key, $0.value) }))
    try content.fill(&options, completing: completing)
    try values.fill(&options)
    let file = try scenario.map { path in try Scenario(contentsOf: path) } ?? Scenario()
    return options.over(file)
  }
}

/// The items and their values.
public struct ContentOptions: ParsableArguments {
  /// Creates options for the parser to fill.
  public init() {}

  /// The value of `--items`.
  @Option("The item count of one section (default: 20).", "n")
  public var items: String?

  /// The value of `--sections`.
  @Option("The item count of each section.", "3,5,8")
  public var sections: String?

  /// The value of `--items-from`.
  @Option(
    "Read one item per row from a .csv, .tsv or .ndjson file, or from standard input with -.",
    "file",
    more: """
      Columns named like an item value or its components, such as width, set it. Sections are those \
      of a column section, or days of a column start; a column path makes a tree.
      """, completion: .file(extensions: ["csv", "tsv", "ndjson"]))
  public var itemsFrom: String?

  /// Checks the combination of options.
  public mutating func validate() throws {
    guard [items, sections, itemsFrom].count(where: { $0 != nil }) <= 1 else {
      throw ValidationError("give only one of --items, --sections and --items-from")
    }
  }

  /// The options as keys of a scenario.
  public var keys: [String: JSON] {
    if let items { return ["sections": .list([items.sectionJSON])] }
    return sections.map { ["sections": $0.sectionsJSON] } ?? [:]
  }

  /// Adds the options that are not in `keys`.
  public func fill(
    _ scenario: inout Scenario, completing: (ItemTable) throws -> ItemTable = { $0 }
  ) throws {
    guard let itemsFrom else { return }
    scenario.content = .table(try completing(ItemTable(contentsOf: itemsFrom)))
  }
}

/// Parameters, values, delegate functions and measuring.
public struct ValueOptions: ParsableArguments {
  /// Creates options for the parser to fill.
  public init() {}

  /// The value of `--set`.
  @Option("Set a parameter.", "name=value", name: .customLong("set"))
  public var parameters: [String] = []

  /// The value of `--list`.
  @Option("Read the records of a list from a JSON file.", "name=file", name: .customLong("list"))
  public var lists: [String] = []

  /// The value of `--item`.
  @Option("Set a value for every item.", "name=value", name: .customLong("item"))
  public var itemValues: [String] = []

  /// The value of `--section`.
  @Option("Set a value for every section.", "name=value", name: .customLong("section"))
  public var sectionValues: [String] = []

  /// The value of `--delegate`.
  @Option(
    "Implement one of the engine's delegate functions.", "name=value",
    name: .customLong("delegate"),
    more: """
      An expression of its arguments, which are named a, b, c and so on, and section and item if \
      the first two are integers.
      """)
  public var delegate: [String] = []

  /// The value of `--measure`.
  @Option(
    "The size of each item, for engines that size items by their content.", "width,height",
    more: """
      Expressions of an item, which can also use proposedWidth and proposedHeight.
      """)
  public var measure: String?

  /// Adds the options.
  public func fill(_ scenario: inout Scenario) throws {
    scenario.parameters = try settings("--set", parameters)
    for (name, file) in try settings("--list", lists) {
      scenario.lists[name] = try JSONNode(recordsIn: file)
    }
    scenario.itemValues = try settings("--item", itemValues)
    scenario.sectionValues = try settings("--section", sectionValues)
    scenario.delegate = try settings("--delegate", delegate)
    scenario.measure = measure.map { JSONNode(text: $0, source: "--measure") }
  }
}

/// The viewport settings, which override the scenario's.
public struct ViewportOptions: ParsableArguments {
  /// Creates options for the parser to fill.
  public init() {}

  /// The value of `--bounds`.
  @Option(
    "The viewport's size in points (default: 375x667).", "WxH")
  public var bounds: String?

  /// The value of `--offset`.
  @Option(
    "The scroll offset; it does not filter elements (default: 0,0).", "x,y")
  public var offset: String?

  /// The value of `--scale`.
  @Option("Device pixels per point (default: 2).")
  public var scale: String?

  /// The value of `--direction`.
  @Option(
    "The layout direction: leftToRight (default) or rightToLeft.",
    completion: .list(LayoutDirection.allCases.map(\.rawValue)))
  public var direction: String?

  @Option(
    "Insets around the content: top, left, bottom, right (default: 0,0,0,0).", "t,l,b,r")
  var contentInsets: String?

  @Option(
    "Insets of the safe area within the bounds (default: 0,0,0,0).", "t,l,b,r")
  var safeArea: String?

  @Option(
    "Margins within the bounds (default: 0,0,0,0).", "t,l,b,r")
  var layoutMargins: String?

  /// The options as keys of a scenario.
  public var keys: [String: JSON] {
    let texts: [LayoutField: String?] = [
      .bounds: bounds, .offset: offset, .scale: scale, .direction: direction,
      .contentInsets: contentInsets, .safeAreaInsets: safeArea, .layoutMargins: layoutMargins,
    ]
    return texts.reduce(into: [:]) { keys, entry in
      guard let text = entry.value else { return }
      let type = entry.key.type
      keys[entry.key.name] =
        type == .choice
        ? .text(text) : type.isVector ? text.vectorJSON : text.numberJSON
    }
  }
}

// The scenario's reader checks these and reports errors.
extension StringProtocol {
  /// The reader rejects text that is no number.
  var numberJSON: JSON { decimal.map(JSON.number) ?? .text(String(self)) }

  /// Numbers separated by commas; a size also as 375x667.
  public var vectorJSON: JSON {
    let separator: Character = contains(",") ? "," : "x"
    return .list(split(separator: separator, omittingEmptySubsequences: false).map(\.numberJSON))
  }

  var sectionJSON: JSON { .object([("items", numberJSON)]) }

  var sectionsJSON: JSON {
    .list(split(separator: ",", omittingEmptySubsequences: false).map(\.sectionJSON))
  }
}

/// Settings from "name=value" texts, each name at most once.
public func settings(_ option: String, _ texts: [String]) throws -> [String: JSONNode] {
  var settings: [String: JSONNode] = [:]
  for text in texts {
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
      throw HostError(.invalidValue, "\(option) is \"\(text)\"; expected name=value")
    }
    let name = String(text[..<equals])
    let setting = JSONNode(
      text: String(text[text.index(after: equals)...]), source: "\(option) \(name)")
    guard settings.updateValue(setting, forKey: name) == nil else {
      throw HostError(.invalidValue, "\(option) \(name) is given twice; give it once")
    }
  }
  return settings
}

/// The part of a layout to return, and whether calls are logged.
public struct PartOptions: ParsableArguments {
  /// Creates options for the parser to fill.
  public init() {}

  /// Limits the elements to a rectangle.
  @Option("Return only the elements that intersect this rectangle of the content.", "x,y,w,h")
  public var rect: String?

  /// Limits the elements to the viewport.
  @Flag(name: .long, help: "Return only the elements that intersect the viewport.")
  public var visible = false

  /// Whether calls are logged.
  @Flag(name: .long, help: "Log every engine call to standard error.")
  public var trace = false

  /// Rejects a rectangle together with the viewport.
  public mutating func validate() throws {
    try require(rect == nil || !visible, "give --rect or --visible, not both")
  }

  /// The options as keys of a scenario.
  public var keys: [String: JSON?] { ["rect": rect.map(\.vectorJSON)] }
}
