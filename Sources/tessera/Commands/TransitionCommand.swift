import ArgumentParser
import TesseraCommand
import TesseraHost
import TesseraScenario

struct TransitionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "transition",
    abstract: "Prints or draws the transition from one engine's layout to another's.",
    discussion: """
      Both engines lay out the same items. A parameter, value or delegate function that only one of \
      them declares is set only for that one.

      EXAMPLES
        tessera transition flow cover-flow --bounds 320x480 -o transition.html
        tessera transition flow flow --to-set itemSize=100x100 -o larger.svg
        tessera transition table grid --items 12 --progress 0.5 --format csv
      """)

  @Argument(
    help: ArgumentHelp("The first engine, named as in other commands.", valueName: "a"),
    completion: .engine)
  var first: String
  @Argument(
    help: ArgumentHelp("The second engine.", valueName: "b"), completion: .engine)
  var second: String

  @OptionGroup var scenarioOptions: ScenarioOptions

  @Option("Set a parameter of the second engine only.", "name=value", name: .customLong("to-set"))
  var secondParameters: [String] = []

  @Option(
    "The scroll offset of the second layout (default: as in the first).", "x,y",
    name: .customLong("to-offset"))
  var secondOffset: String?

  @Flag(name: .long, help: "Log every engine call to standard error.")
  var trace = false
  @OptionGroup var animationOptions: AnimationOptions
  @OptionGroup(title: "Engines") var engineOptions: EngineOptions

  func run() throws {
    let scenario = try scenarioOptions.scenario()
    guard scenario.rect == nil else {
      throw HostError(
        .invalidScenario, "the scenario has a rect, but a transition moves all elements; remove it")
    }
    let (before, after) = (try engineOptions.engine(first), try engineOptions.engine(second))
    var changed = Scenario()
    changed.parameters = try settings("--to-set", secondParameters)
    changed.offset = try secondOffset.map { try $0.vectorJSON.point(named: "to-offset") }
    let start = scenario.shared(for: before.chain, with: after.chain)
    let end = changed.over(scenario.shared(for: after.chain, with: before.chain))
    let animation = LayoutAnimation(
      from: try moment(of: before, start), to: try moment(of: after, end))
    try animationOptions.write(
      FinishedAnimation(
        engine: (
          "\(before.description.name) → \(after.description.name)",
          "\(before.description.id) → \(after.description.id)"
        ), scenario: end, animation: animation,
        writer: TrackWriter(
          from: before.description.id, to: after.description.id, animation: animation)))
  }

  private func moment(of engine: Engine, _ scenario: Scenario) throws -> LayoutMoment {
    try engineOptions.run(engine, scenario, trace: trace) { (driver) throws(HostError) in
      let session = driver.session
      let elements = try session.elements()
      return LayoutMoment(
        elements: elements, contentSize: try session.contentSize(), offset: session.offset)
    }
  }
}
