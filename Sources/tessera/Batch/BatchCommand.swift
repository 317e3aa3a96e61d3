import ArgumentParser
import FoundationEssentials
import Glibc
import TesseraHost
import TesseraScenario

/// `tessera batch`: lays out one scenario per line.
struct BatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch",
    abstract: "Lays out one scenario per line, and writes one result per line.",
    discussion: """
      Each line of the input is a scenario as a JSON object, of which every key may be left out, and \
      may have an id of any form. The options, and the scenario file that --scenario names, give what \
      all lines have in common; a line overrides them. Empty lines are skipped.

      The results have the order of the lines. Each is the document of tessera layout on one line, \
      with the line's id first. A line that is invalid, that the engine refuses, or in which it \
      crashes or hangs has an error instead, and costs no other line: \
      {"id":7,"error":{"line":3,"status":70,"code":"crashed","message":"..."}}. The exit status is 1 if \
      lines failed.

      EXAMPLES
        tessera batch flow albums.ndjson -o layouts.ndjson
        tessera batch flow --bounds 390x844 < albums.ndjson > layouts.ndjson
        echo '{"id": 1, "sections": [{"items": 12}]}' | tessera batch mosaic
        tessera batch mosaic albums.ndjson --jobs 8 -o layouts.ndjson
      """)

  @Argument(help: .engine, completion: .engine)
  var engine: String

  @Argument(
    help: ArgumentHelp(
      "The file with the scenarios; standard input if it is - or left out.", valueName: "file"),
    completion: .file(extensions: ["ndjson", "jsonl"]))
  var input = "-"

  @OptionGroup var scenarioOptions: ScenarioOptions

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "How many processes of the engine lay out at once (default: one per processor).",
      valueName: "n"))
  var jobs: Int?

  @Option(
    name: [.customShort("o"), .customLong("output")], parsing: .unconditional,
    help: ArgumentHelp(
      "Write to this file.",
      discussion: "The file is written completely or not at all.", valueName: "file"),
    completion: .file(extensions: ["ndjson", "jsonl"]))
  var output: String?

  @OptionGroup(title: "Engines") var engineOptions: EngineOptions

  mutating func validate() throws {
    if let jobs, !(1...256).contains(jobs) {
      throw ValidationError("--jobs is \(jobs); give a number from 1 to 256")
    }
    if input == "-", scenarioOptions.content.itemsFrom == "-" {
      throw ValidationError(
        "the lines and --items-from are both read from standard input; name a file for one")
    }
  }

  func run() throws {
    let shared = try scenarioOptions.scenario()
    let lines = try LineReader(path: input)
    // A line may crash the engine, which must not refuse it to the others.
    let engine = try engineOptions.engine(engine, refusesCrashing: false)
    let failures = try engineOptions.watchdog.guarding(
      engineOptions.hanging(engine.description.id)
    ) { () throws in
      try BufferedOutput.write(to: output) { file in
        try BatchRun(
          engine: engine, shared: shared, engineOptions: engineOptions, lines: lines,
          output: file, hidesProgress: output == nil && Terminal.showsResults
        ).run(jobs: jobs ?? ProcessInfo.processInfo.activeProcessorCount)
      }
    }
    guard let first = failures.first else { return }
    Diagnostics.say(
      "\(failures.count) of \(failures.lineCount) lines failed; the first is line \(first.line): "
        + first.message)
    throw ExitCode(1)
  }
}

/// The lines of a batch that failed.
struct BatchFailures {
  /// The first one, and its error.
  private(set) var first: (line: Int, message: String)?
  private(set) var count = 0
  /// The number of lines that did not fail, and of those that did.
  private(set) var lineCount = 0

  /// Adds the outcomes of the next lines.
  mutating func add(_ other: BatchFailures) {
    first = first ?? other.first
    count += other.count
    lineCount += other.lineCount
  }

  /// Adds a line.
  mutating func add(_ outcome: ScenarioBatch.Outcome) {
    lineCount += 1
    guard case .failure(let error) = outcome.layout else { return }
    count += 1
    first = first ?? (outcome.line, error.commandMessage)
  }
}
