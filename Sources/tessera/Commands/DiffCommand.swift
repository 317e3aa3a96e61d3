import ArgumentParser
import TesseraCommand
import TesseraHost
import TesseraScenario

struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compares two layouts: of engines, of files or of recordings.",
    discussion: """
      A file is a layout that tessera layout wrote as .json or .ndjson, or a recording, which stands \
      for its last layout. Engines lay out the scenario that the options give; what only one of two \
      engines declares is set only for that one. Elements are compared as sets. The exit status is 0 \
      if the layouts are equal, and 1 otherwise.

      EXAMPLES
        tessera diff flow mosaic --items 12
        tessera diff ./old/libspiral.so ./build/libspiral.so --items 200
        tessera layout flow --items 40 -o before.json
        tessera diff before.json flow --items 40 --tolerance 0.001
      """)

  @Argument(
    help: ArgumentHelp("A file with a layout, or an engine as in other commands.", valueName: "a"),
    completion: .file())
  var first: String
  @Argument(
    help: ArgumentHelp("The layout to compare with it.", valueName: "b"), completion: .file())
  var second: String

  @OptionGroup var scenarioOptions: ScenarioOptions

  @Option("The allowed difference of numbers (default: 0).", "number")
  var tolerance = 0.0

  @Option("The output format.")
  var format = ResultFormat.text
  @OptionGroup(title: "Engines") var engineOptions: EngineOptions

  mutating func validate() throws {
    try require(
      tolerance >= 0 && tolerance.isFinite,
      "--tolerance is \(tolerance); give a number of 0 or more")
  }

  func run() throws {
    let scenario = try scenarioOptions.scenario()
    let engines = (try engine(first), try engine(second))
    let chains = (engines.0?.chain, engines.1?.chain)
    var left = try layout(first, engines.0, scenario, with: chains.1)
    var right = try layout(second, engines.1, scenario, with: chains.0)
    // The user knows which engines are compared.
    (left.engine, right.engine) = (nil, nil)
    let differences = left.differences(from: right, tolerance: tolerance)
    try write(differences)
    if !differences.isEmpty { throw ExitCode(1) }
  }

  /// Nil for a file with a layout.
  private func engine(_ name: String) throws -> Engine? {
    let isFile = name == "-" || [".json", ".ndjson", ".jsonl"].contains { name.hasSuffix($0) }
    return isFile ? nil : try engineOptions.engine(name)
  }

  private func layout(
    _ name: String, _ engine: Engine?, _ scenario: Scenario, with other: [EngineDescription]?
  ) throws -> LayoutDocument {
    guard let engine else { return try LayoutDocument(contentsOf: name) }
    let own = other.map { scenario.shared(for: engine.chain, with: $0) } ?? scenario
    let layout = try engineOptions.layout(engine, own)
    return LayoutDocument(
      contentSize: layout.contentSize, elements: layout.elements, attributes: layout.attributes)
  }

  private func write(_ differences: [LayoutDifference]) throws {
    try BufferedOutput.print(asJSON: format == .json, json(differences)) { output in
      guard !differences.isEmpty else { return try output.write("no difference\n") }
      try TextTable(
        ["ELEMENT", "OF", "A", "B"],
        rows: differences.map { [$0.element ?? "", $0.property ?? "", $0.expected, $0.found] }
      ).write(to: output)
      try output.write("\(counted(differences.count, "difference"))\n")
    }
  }

  private func json(_ differences: [LayoutDifference]) -> JSON {
    JSON([
      "a": first, "b": second, "equal": differences.isEmpty,
      "differences": differences.map {
        JSON(["element": $0.element, "of": $0.property, "a": $0.expected, "b": $0.found])
      },
    ])
  }
}
