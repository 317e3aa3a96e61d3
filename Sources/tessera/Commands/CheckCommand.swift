import ArgumentParser
import TesseraConformance
import TesseraHost

/// `tessera check`: the conformance suite.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Proves an engine against the contract.",
    discussion: """
      Every case is one rule. A failure tells the rule, the smallest input found that breaks it, what \
      was expected, what was found, and the command that examines it alone. Random inputs are the \
      same in every run; --seed gives others. The status is 1 where anything failed or crashed.

      EXAMPLES
        tessera check ./libspiral.so
        tessera check flow --level thorough
        tessera check flow --filter query --filter 'counts-*' --format tap
        tessera check flow --format junit -o report.xml
        tessera check --list
      """)

  @Argument(help: "An engine's id, the last part of one, or the path of a library.")
  var engine: String?

  @OptionGroup(title: "Cases") var caseOptions: CaseOptions

  @Option(name: .long, parsing: .unconditional, help: "How to print.")
  var format = ReportFormat.text

  @Option(
    name: [.customShort("o"), .customLong("output")], parsing: .unconditional,
    help: ArgumentHelp(
      "Write the report to this file; it appears whole or not at all.", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(name: .long, help: "A warning counts as a failure.")
  var strict = false

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Draw what was expected and what was found, where that can be drawn, in this folder.",
      valueName: "dir"), completion: .directory)
  var pictures: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Save each failure in this folder as a recording, which `tessera replay` shows again.",
      valueName: "dir"), completion: .directory)
  var record: String?

  @OptionGroup(title: "Stored layouts") var goldenOptions: GoldenOptions
  @OptionGroup(title: "Engines") var engineOptions: EngineOptions

  mutating func validate() throws {
    guard engine != nil || caseOptions.list else {
      throw ValidationError("give an engine or a library, or --list for all cases")
    }
  }

  func run() throws {
    guard let engine, !caseOptions.list else {
      return try CaseList(caseOptions).write(as: format, to: output)
    }
    let work = CheckWork(engine: engine, caseOptions: caseOptions, engineOptions: engineOptions)
    let subject = try work.subject()
    if try goldenOptions.record(subject) { return }
    let report = try work.run(subject).adding(goldenOptions.results(subject))
    if let pictures { try FindingPictures(report: report, subject: subject).write(to: pictures) }
    if let record { try FindingRecordings(report: report, subject: subject).write(to: record) }
    try OutputFile.write(to: output) { file in
      try file.write(format.text(report, isColoured: output == nil && Terminal.isColoured))
    }
    guard strict ? report.isStrictlyPassed : report.isPassed else { throw ExitCode(1) }
  }
}

/// The formats of reports.
enum ReportFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json, junit, tap

  /// A report in this format.
  func text(_ report: ConformanceReport, isColoured: Bool) -> String {
    switch self {
    case .text: TextReport(report, isColoured: isColoured).text
    case .json: JSONReport(report).text
    case .junit: JUnitReport(report).text
    case .tap: TAPReport(report).text
    }
  }
}
