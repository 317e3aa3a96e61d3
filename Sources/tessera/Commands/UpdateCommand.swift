import ArgumentParser
import TesseraCommand
import TesseraHost
import TesseraScenario

struct UpdateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "update",
    abstract: "Changes the data of a layout, and prints or draws the animation.",
    discussion: """
      A script is a JSON file such as

        {"before": {"sections": [{"items": 3}]},
         "after": {"sections": [{"items": 4}]},
         "operations": [{"insert": [0, 1]}, {"move": [0, 2], "to": [0, 0]}]}

      where before and after are scenarios; keys missing in after are taken from before. Operations \
      are insert, delete, move with to, and reload with a section and an item, and insertSection, \
      deleteSection, moveSection with to, and reloadSection with a section. Deletes, moves and \
      reloads use the numbers before the update; inserts and to use the numbers after it. Instead of \
      operations, a script can give identities from which they are computed, a list of texts per \
      section: {"before": [["a", "b"]], "after": [["b", "c"]]}.

      The values of sections and items follow them, unless the same section gives others in after. A \
      new item gets the value or expression that its section has for all items in before, or the \
      fallback if that is a list.

      EXAMPLES
        tessera update flow --script change.json -o change.html
        tessera update mosaic --script change.json --progress 0.4 -o some.svg
        tessera update table --script change.json --format json
      """)

  @Argument(help: .engine, completion: .engine)
  var engine: String

  @Option(
    "A JSON file with the data before and after, and the changes; - is standard input.", "file",
    completion: .file(extensions: ["json"]))
  var script: String

  @OptionGroup(title: "Values, before and after") var values: ValueOptions
  @OptionGroup(title: "Viewport, before and after") var viewport: ViewportOptions
  @Flag(name: .long, help: "Log every engine call to standard error.")
  var trace = false
  @OptionGroup var recordOptions: RecordOptions
  @OptionGroup var animationOptions: AnimationOptions
  @OptionGroup(title: "Engines") var engineOptions: EngineOptions

  func run() throws {
    var options = try Scenario(.object(viewport.keys.map { ($0.key, $0.value) }))
    try values.fill(&options)
    let script = try UpdateScript(contentsOf: script)
    let engine = try engineOptions.engine(engine)
    let update = try script.resolved(for: engine.chain, options: options)
    let animation = try engineOptions.run(
      engine, update.before, trace: trace, record: recordOptions.record, update.apply)
    try animationOptions.write(
      FinishedAnimation(
        engine: engine.names, scenario: update.after, animation: animation,
        writer: TrackWriter(engine: engine.description.id, animation: animation)))
  }
}
