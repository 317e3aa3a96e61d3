import ArgumentParser
import TesseraScenario

/// All that a layout is made for: a scenario file, and the options that win over it.
struct ScenarioOptions: ParsableArguments {
  @OptionGroup(title: "Content") var content: ContentOptions
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
    let file = try scenario.map { path in try Scenario(contentsOf: path) } ?? Scenario()
    return options.over(file)
  }
}
