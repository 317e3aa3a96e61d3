import ArgumentParser
import Foundation
import TesseraConformance
import TesseraDrawing
import TesseraGeometry
import TesseraHost
import TesseraScenario

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

/// Which cases are examined, and with what.
struct CaseOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .unconditional,
    help: "How much is examined: quick in seconds, standard, or thorough in minutes.")
  var level = CaseLevel.standard

  @Option(
    name: .long, parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Only these cases: an id, a category, or a pattern with *; may be given more than once.",
      valueName: "pattern"))
  var filter: [String] = []

  @Flag(
    name: .long,
    help: "List the cases with their rules, as JSON with --format json, and examine nothing.")
  var list = false

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("What random inputs begin with.", valueName: "n"))
  var seed: UInt64 = 1

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "How many cases are examined at once (default: one a processor).", valueName: "n"))
  var jobs: Int?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Examine only this input: a scenario in JSON, as a failure's command gives it.",
      valueName: "json"))
  var sample: String?

  mutating func validate() throws {
    if let jobs, !(1...256).contains(jobs) {
      throw ValidationError("--jobs is \(jobs); give a number from 1 to 256")
    }
  }
}

extension CaseLevel: ExpressibleByArgument {}

/// Layouts that were stored, to be compared or to be stored anew.
struct GoldenOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Compare with the layouts stored in this folder.",
      discussion: """
        Each folder in it is a case: scenario.json is what is laid out, expected.json the layout as \
        `tessera layout --format json` prints it, and tolerance.txt, where there is one, how far a \
        number may be off in points.
        """, valueName: "dir"), completion: .directory)
  var golden: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Store the layout of every scenario.json in this folder, tell what changed, and examine nothing.",
      valueName: "dir"), completion: .directory)
  var recordGolden: String?

  mutating func validate() throws {
    guard golden == nil || recordGolden == nil else {
      throw ValidationError("give --golden or --record-golden, not both")
    }
  }

  /// Stores layouts where that was asked for, and tells what changed.
  ///
  /// - Returns: Whether it was asked for.
  func record(_ subject: CheckSubject) throws -> Bool {
    guard let recordGolden else { return false }
    let lines = try Goldens(folder: recordGolden).record(subject)
    try OutputFile.write(to: nil) { try $0.write(lines.joined(separator: "\n") + "\n") }
    return true
  }

  /// What comparing with stored layouts came to, nothing where that was not asked for.
  func results(_ subject: CheckSubject) throws -> [CaseResult] {
    guard let golden else { return [] }
    return try Goldens(folder: golden).compare(subject)
  }
}

/// A run of the suite from the command line.
struct CheckWork {
  let engine: String
  let caseOptions: CaseOptions
  let engineOptions: EngineOptions

  /// The engine under test.
  ///
  /// A library that is one but cannot be loaded is a subject, whose report says why; a file that is
  /// none ends the command.
  func subject() throws -> CheckSubject {
    // An engine that is being examined may crash as often as there are cases.
    let host = try engineOptions.host(refusesCrashing: false)
    let options = engineOptions.repeated
    let subject = try engineOptions.watchdog.guarding(engineOptions.hanging("loading \(engine)")) {
      () throws(HostError) in try CheckSubject(engine, host: host, hostOptions: options)
    }
    if case .failure(let error) = subject.loading, !subject.isLibrary { throw error }
    return subject
  }

  /// Runs the suite, telling on the terminal how far it is.
  func run(_ subject: CheckSubject) throws -> ConformanceReport {
    var options = ConformanceSuite.Options()
    options.level = caseOptions.level
    options.filters = caseOptions.filter
    options.seed = caseOptions.seed
    options.jobs = caseOptions.jobs
    if let sample = caseOptions.sample {
      options.sample = try Sample(json: sample, for: subject.engine.chain)
    }
    let suite = try ConformanceSuite(subject, options)
    let progress = ProgressLine("checking \(subject.name)")
    defer { progress.erase() }
    return suite.run { progress.update(Double($0.done) / Double(max(1, $0.total))) }
  }
}

/// The catalogue, for people to read or, as JSON, for a program.
struct CaseList {
  private let options: CaseOptions

  init(_ options: CaseOptions) { self.options = options }

  /// Writes the cases that the options choose: all levels where none of them is named.
  func write(as format: ReportFormat, to path: String?) throws {
    let cases = try Catalogue.cases(upTo: .thorough, matching: options.filter)
    try OutputFile.write(to: path) { output in
      guard format != .json else {
        return try output.write(JSON.list(cases.map(\.json)).text + "\n")
      }
      let rows = cases.map { [$0.id, $0.level.rawValue, $0.rule] }
      let columns = ["CASE", "LEVEL", "RULE"].map { TextTable.Column($0) }
      try TextTable(columns, rows: rows).write(to: output)
    }
  }
}

extension ConformanceCase {
  /// The case for a program; `skippedIf` is null where it holds for every engine.
  fileprivate var json: JSON {
    .object([
      ("id", .text(id)), ("category", .text(category.rawValue)), ("level", .text(level.rawValue)),
      ("rule", .text(rule)), ("why", .text(why)), ("remedy", .text(remedy)),
      ("skippedIf", .optional(needs.reason.isEmpty ? nil : needs.reason)),
    ])
  }
}

/// The layouts of failures, drawn: what was expected beside what was found.
struct FindingPictures {
  let report: ConformanceReport
  let subject: CheckSubject

  /// Draws each finding that has pictures into CASE-expected.svg and CASE-found.svg of a folder,
  /// which is made where it is missing.
  func write(to folder: String) throws {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw CommandFailure(
        .cannotCreate, "cannot make the folder \(folder): \(error.localizedDescription)")
    }
    for result in report.results {
      guard let pictures = result.verdict.finding?.pictures else { continue }
      for (name, image) in [("expected", pictures.expected), ("found", pictures.found)] {
        let path = "\(folder)/\(result.examined.id)-\(name).svg"
        try OutputFile.write(to: path) { file in
          try draw(image, result).writeSVG { bytes throws in try file.write(bytes) }
        }
      }
    }
  }

  private func draw(_ image: LayoutImage, _ result: CaseResult) -> Picture<[Element]> {
    var picture = Picture(
      engineName: report.engine?.name ?? report.subject, engineID: result.examined.id,
      contentSize: image.contentSize, viewport: image.viewport, elements: image.elements)
    picture.attributeNames = image.attributeNames
    picture.scale = result.verdict.finding?.sample?.scale ?? 1
    return picture
  }
}

/// The failures of a report as recordings.
struct FindingRecordings {
  let report: ConformanceReport
  let subject: CheckSubject

  /// Writes CASE.jsonl into a folder, which is made where it is missing, for each case of the
  /// catalogue that failed or crashed: its smallest input, laid out, and the case itself.
  func write(to folder: String) throws {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw CommandFailure(
        .cannotCreate, "cannot make the folder \(folder): \(error.localizedDescription)")
    }
    let known = Set(try Catalogue.cases(upTo: .thorough, matching: []).map(\.id))
    for result in report.results where known.contains(result.examined.id) {
      switch result.verdict {
      case .failed(let finding), .crashed(let finding):
        let recorder = SessionRecorder(Recording.Header(subject))
        if let sample = finding.sample {
          for call in sample.calls + [.contentSize, .elements(in: nil), .close] {
            recorder.note(call)
          }
        }
        recorder.noteRule(SuiteCall(result, level: report.level, seed: finding.seed))
        try OutputFile.write(to: "\(folder)/\(result.examined.id).jsonl") { file in
          try recorder.bytes.withUnsafeBytes { try file.write($0) }
        }
      case .passed, .warning, .skipped: break
      }
    }
  }
}
