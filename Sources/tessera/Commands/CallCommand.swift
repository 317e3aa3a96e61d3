import ArgumentParser
import TesseraCommand
import TesseraHost
import TesseraScenario

struct CallCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "call",
    abstract: "Calls a function that an engine publishes.",
    discussion: """
      `tessera info ENGINE` lists the functions with their signatures. Give one value for each \
      argument of the signature: a point is x,y, a size width,height or 100x90, a rectangle \
      x,y,width,height, and insets are top,left,bottom,right. Any number can also be an expression \
      of width, height, scale and sections. The layout is prepared before the function is called.

      EXAMPLES
        tessera call cover-flow restingOffset 310 0
        tessera call cover-flow restingOffset -10 0 --items 5
        tessera call cover-flow restingOffset width/2 0 --format json
      """)

  @Argument(help: .engine, completion: .engine)
  var engine: String

  @Argument(help: "The function's name.")
  var function: String

  @Argument(
    parsing: .allUnrecognized,
    help: ArgumentHelp("A value for each argument of the function.", valueName: "argument"))
  var arguments: [String] = []

  @OptionGroup var scenarioOptions: ScenarioOptions
  @Flag(name: .long, help: "Log every engine call to standard error.")
  var trace = false
  @OptionGroup var recordOptions: RecordOptions
  @Option("The output format.")
  var format = ResultFormat.text
  @OptionGroup(title: "Engines") var engineOptions: EngineOptions

  mutating func validate() throws {
    if let option = arguments.first(where: { $0.hasPrefix("--") && $0 != "--" }) {
      throw ValidationError("Unknown option '\(option)'")
    }
  }

  func run() throws {
    let scenario = try scenarioOptions.scenario()
    let engine = try engineOptions.engine(engine)
    let published = try engine.publishedFunction(function)
    let signature = try published.parsedSignature
    let values = try scenario.arguments(arguments, of: published)
    let call = SessionCall.function(function, values.map(\.description))
    let answer = try engineOptions.ask(
      call, engine, scenario, trace: trace, record: recordOptions.record)
    guard case .value(let result) = answer else { return }
    try BufferedOutput.print(
      asJSON: format == .json,
      JSON(["function": function, "signature": "\(signature)", "result": result])
    ) { output in
      if result != .void { try output.write(result.text(as: signature.result) + "\n") }
    }
  }
}

extension Engine {
  fileprivate func publishedFunction(_ name: String) throws(HostError) -> FunctionDescription {
    let functions = chain.flatMap(\.publishedFunctions)
    if let found = functions.first(where: { $0.name == name }) { return found }
    throw HostError(
      .unknownName,
      "\(description.id) publishes no function \"\(name)\"; "
        + suggestedName(for: name, among: functions.map(\.name)))
  }
}
