import ArgumentParser
import TesseraCommand
import TesseraHost
import TesseraScenario

struct LayoutCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "layout",
    abstract: "Lays out items, and prints or draws the result.",
    discussion: """
      Values are numbers, names of choices, true or false, and vectors such as 13,13,13,13 or \
      100x90. Any number can also be an expression with + - * / %, parentheses, comparisons and ?:, \
      the functions floor ceil round abs min max sqrt sin cos and noise, and the variables width, \
      height, scale and sections. Section values can also use section and items, item values also \
      item and index. --help-hidden lists more options, for limits and debuggers.

      EXAMPLES
        tessera layout mosaic --items 20 -o mosaic.svg
        tessera layout flow --set itemSize='floor((width-2)/3),90' --bounds 390x844
        tessera layout flow --item size='80+noise(item)*120,90' -o frames.html
        tessera layout grid --items 1000000000 --offset 0,1000000 --visible
        tessera layout flow --items-from pictures.csv --format csv
        tessera layout aspect-flow --delegate layoutModeForItem='item % 2'
        tessera layout table --set estimatedRowHeight=44 --measure 'width,40+index*2'
      """)

  /// Options of `tessera figure`.
  private static let moved: Set = [
    "--figure", "--title", "--subtitle", "--source", "--caption", "--color", "--text", "--theme",
    "--paper", "--fit", "--embed", "--widths", "--thumbnails", "--images", "--recursive",
    "--elements", "--width", "--columns",
  ]

  @Argument(help: .engine, completion: .engine)
  var engine: String

  @OptionGroup var scenarioOptions: ScenarioOptions
  @OptionGroup var partOptions: PartOptions
  @OptionGroup var recordOptions: RecordOptions
  @OptionGroup(title: "Output") var outputOptions: OutputOptions
  @OptionGroup(title: "Engines") var engineOptions: EngineOptions

  static func checkMovedOptions() throws(ValidationError) {
    let words = CommandLine.arguments.dropFirst().prefix { $0 != "--" }
    guard words.first == "layout" else { return }
    for word in words.dropFirst() {
      let option = String(word.prefix { $0 != "=" })
      if option == "--wireframe" {
        throw ValidationError("--wireframe is what tessera layout always draws; remove it")
      }
      guard moved.contains(option) else { continue }
      let engine = words.dropFirst().first.flatMap { $0.hasPrefix("-") ? nil : $0 } ?? "ENGINE"
      let use = option == "--figure" ? "" : " \(option) …"
      throw ValidationError(
        "\(option) is an option of tessera figure; tessera figure \(engine.visible)\(use) draws it")
    }
  }

  func run() throws {
    var scenario = try scenarioOptions.scenario(keys: partOptions.keys)
    let engine = try engineOptions.engine(engine)
    _ = try scenario.makeTree(for: engine.chain)
    var swipes = scenario.swipes(for: engine.chain)
    // A page scrolls these sections itself.
    let isPage = outputOptions.chosenFormat.name == "html"
    if isPage { swipes = try scenario.started(swipes, for: engine.chain) }
    func layout(_ scenario: Scenario, record: String?) throws -> FinishedLayout<Elements> {
      try engineOptions.layout(
        engine, scenario, visible: partOptions.visible, trace: partOptions.trace, record: record)
    }
    var finished = try layout(scenario, record: recordOptions.record)
    finished.swipes = swipes
    // The engine may stop at another offset than set.
    if swipes.values.contains(where: { $0.start != 0 }) {
      finished.swipes = finished.starts(
        of: swipes, from: try layout(scenario.unscrolled, record: nil))
    }
    try outputOptions.write(finished)
  }
}
