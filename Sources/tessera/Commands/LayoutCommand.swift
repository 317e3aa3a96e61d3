import ArgumentParser
import TesseraHost
import TesseraScenario

/// `tessera layout`: where everything goes.
struct LayoutCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "layout",
    abstract: "Lays items out, and prints or draws where they go.",
    discussion: """
      Values are numbers, names of choices, true or false, and vectors such as 13,13,13,13 or \
      100x90. Wherever a number may stand so may an expression: + - * / %, parentheses, \
      comparisons and ?:, the functions floor ceil round abs min max sqrt sin cos and noise, and \
      the variables width, height, scale and sections; for a section also section and items; for \
      an item also item and index.

      EXAMPLES
        tessera layout mosaic --items 20 -o mosaic.svg
        tessera layout flow --set itemSize='floor((width-2)/3),90' --bounds 390x844
        tessera layout flow --item size='80+noise(item)*120,90' -o photographs.html
        tessera layout grid --items 1000000000 --offset 0,1000000 --visible
        tessera layout flow --items-from pictures.csv --format csv
        tessera layout aspect-flow --delegate layoutModeForItem='item % 2'
        tessera layout table --set estimatedRowHeight=44 --measure 'width,40+index*2'
      """)

  @Argument(help: .engine)
  var engine: String

  @OptionGroup var scenarioOptions: ScenarioOptions

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Only the elements that this rectangle of the content meets.", valueName: "x,y,w,h"))
  var rect: String?

  @Flag(name: .long, help: "Only the elements that the viewport meets.")
  var visible = false

  @Flag(name: .long, help: "Tell each call into the engine on standard error.")
  var trace = false
  @OptionGroup var recordOptions: RecordOptions

  @OptionGroup(title: "Output") var outputOptions: OutputOptions
  @OptionGroup(title: "Engines") var engineOptions: EngineOptions

  mutating func validate() throws {
    guard rect == nil || !visible else {
      throw ValidationError("give --rect or --visible, not both")
    }
  }

  func run() throws {
    let scenario = try scenarioOptions.complete(keys: ["rect": rect.map(OptionText.vector)])
    let engine = try engineOptions.engine(engine)
    let work = SessionWork(
      engine: engine, scenario: scenario, trace: trace, engineOptions: engineOptions,
      record: recordOptions.record)
    let layout = try LayoutWork(work: work, visible: visible).run()
    try OutputFile.write(to: outputOptions.output) { output in
      try layout.write(
        as: outputOptions.chosenFormat, to: output,
        isOnTerminal: outputOptions.output == nil && Terminal.showsResults)
    }
  }
}
