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

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "The scroll velocity in points per second (default: 0,0).", valueName: "x,y"))
  var velocity: String?

  @OptionGroup var scenarioOptions: ScenarioOptions
  @Flag(name: .long, help: "Log every engine call to standard error.")
  var trace = false
  @OptionGroup var recordOptions: RecordOptions
  @Option(name: .long, parsing: .unconditional, help: "The output format.")
  var format = ResultFormat.text
  @OptionGroup(title: "Engines") var engineOptions: EngineOptions

  mutating func validate() throws {
    guard scenarioOptions.viewport.offset != nil else {
      throw ValidationError("give --offset x,y, the proposed offset")
    }
  }

  func run() throws {
    let proposed = try point(scenarioOptions.viewport.offset, "offset")
    let velocity = try point(velocity, "velocity")
    var scenario = try scenarioOptions.scenario(keys: ["offset": nil])
    scenario.offset = scenario.offset ?? proposed
    let work = SessionWork(
      engine: try engineOptions.engine(engine), scenario: scenario, trace: trace,
      engineOptions: engineOptions, record: recordOptions.record)
    let resting = try work.run { (session) throws(HostError) in
      try session.restingOffset(for: proposed, velocity: velocity)
    }
    try BufferedOutput.write(to: nil) { output in
      switch format {
      case .text: try output.write("\(Value.point(resting))\n")
      case .json:
        let answer = JSON.object([
          ("engine", .text(work.engine.description.id)), ("proposed", json(proposed)),
          ("velocity", json(velocity)), ("resting", json(resting)),
        ])
        try output.write(answer.text + "\n")
      }
    }
  }

  private func point(_ text: String?, _ name: String) throws(HostError) -> Point {
    guard let text else { return .zero }
    return try text.vectorJSON.point(named: name)
  }

  private func json(_ point: Point) -> JSON { .list([.number(point.x), .number(point.y)]) }
}
