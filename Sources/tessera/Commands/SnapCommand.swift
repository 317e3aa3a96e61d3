import ArgumentParser
import TesseraCommand
import TesseraHost
import TesseraScenario

struct SnapCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "snap",
    abstract: "Prints where scrolling comes to rest for a proposed offset.",
    discussion: """
      --offset is the proposed offset, at which scrolling would stop by itself. The output is the \
      offset at which it does stop, as x,y, limited to the range of scrolling. An engine that does not \
      snap returns the proposed offset. \
      The offset of a scenario file is that of the viewport when scrolling is released; it defaults \
      to the proposed offset.

      EXAMPLES
        tessera snap cover-flow --offset 310,0
        tessera snap cover-flow --offset -40,0 --velocity -250,0 --items 5 --format json
      """)

  @Argument(help: .engine, completion: .engine)
  var engine: String

  @Option("The scroll velocity in points per second (default: 0,0).", "x,y")
  var velocity: String?

  @OptionGroup var scenarioOptions: ScenarioOptions
  @Flag(name: .long, help: "Log every engine call to standard error.")
  var trace = false
  @OptionGroup var recordOptions: RecordOptions
  @Option("The output format.")
  var format = ResultFormat.text
  @OptionGroup(title: "Engines") var engineOptions: EngineOptions

  mutating func validate() throws {
    try require(scenarioOptions.viewport.offset != nil, "give --offset x,y, the proposed offset")
  }

  func run() throws {
    let proposed = try point(scenarioOptions.viewport.offset, "offset")
    let velocity = try point(velocity, "velocity")
    var scenario = try scenarioOptions.scenario(keys: ["offset": nil])
    scenario.offset = scenario.offset ?? proposed
    let engine = try engineOptions.engine(engine)
    let answer = try engineOptions.ask(
      .snap(proposed, velocity: velocity), engine, scenario, trace: trace,
      record: recordOptions.record)
    guard case .value(let resting) = answer else { return }
    try BufferedOutput.print(
      asJSON: format == .json,
      JSON([
        "engine": engine.description.id, "proposed": Value.point(proposed),
        "velocity": Value.point(velocity), "resting": resting,
      ])
    ) { try $0.write("\(resting)\n") }
  }

  private func point(_ text: String?, _ name: String) throws(HostError) -> Point {
    guard let text else { return .zero }
    return try text.vectorJSON.point(named: name)
  }
}
