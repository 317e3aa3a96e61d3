import ArgumentParser
import TesseraConformance
import TesseraDrawing
import TesseraGeometry
import TesseraHost
import TesseraScenario

/// `tessera check`: the conformance suite.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Tests an engine against the contract.",
    discussion: """
      Each case tests one rule. A failure reports the rule, the smallest input found that breaks it, \
      the expected and the actual result, and a command that repeats the case. Random inputs are the \
      same in every run unless --seed changes. The exit status is 1 if any case failed or crashed.

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

  @Option(name: .long, parsing: .unconditional, help: "The output format.")
  var format = ReportFormat.text

  @Option(
    name: [.customShort("o"), .customLong("output")], parsing: .unconditional,
    help: ArgumentHelp(
      "Write the report to this file; the file is written completely or not at all.",
      valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(name: .long, help: "Treat warnings as failures.")
  var strict = false

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Draw the expected and the actual layout of each failure, if it has them, in this folder.",
      valueName: "dir"), completion: .directory)
  var pictures: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Save each failure as a recording in this folder, for `tessera replay`.",
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

/// The cases to run, and their inputs.
struct CaseOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .unconditional,
    help: "How much to test: quick takes seconds, thorough takes minutes.")
  var level = CaseLevel.standard

  @Option(
    name: .long, parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Run only these cases: an id, a category, or a pattern with *; may be repeated.",
      valueName: "pattern"))
  var filter: [String] = []

  @Flag(
    name: .long,
    help: "List the cases and their rules, as JSON with --format json, without running them.")
  var list = false

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Random seed.", valueName: "n"))
  var seed: UInt64 = 1

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "How many cases to run at once (default: one per processor).", valueName: "n"))
  var jobs: Int?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Test only this input: a scenario in JSON, as printed with a failure.",
      valueName: "json"))
  var sample: String?

  mutating func validate() throws {
    if let jobs, !(1...256).contains(jobs) {
      throw ValidationError("--jobs is \(jobs); give a number from 1 to 256")
    }
  }
}

extension CaseLevel: ExpressibleByArgument {}

/// Stored layouts, to be compared or recorded.
struct GoldenOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Compare with the layouts stored in this folder.",
      discussion: """
        Each subfolder is a case: scenario.json is the input, expected.json the layout as \
        `tessera layout --format json` prints it, and tolerance.txt, which is optional, the allowed \
        difference of numbers in points.
        """, valueName: "dir"), completion: .directory)
  var golden: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Store the layout of each scenario.json in this folder, and report changes; run no cases.",
      valueName: "dir"), completion: .directory)
  var recordGolden: String?

  mutating func validate() throws {
    guard golden == nil || recordGolden == nil else {
      throw ValidationError("give --golden or --record-golden, not both")
    }
  }

  /// Stores layouts if `--record-golden` is given, and reports what changed.
  ///
  /// - Returns: Whether it is given.
  func record(_ subject: CheckSubject) throws -> Bool {
    guard let recordGolden else { return false }
    let lines = try Goldens(folder: recordGolden).record(subject)
    try OutputFile.write(to: nil) { try $0.write(lines.joined(separator: "\n") + "\n") }
    return true
  }

  /// The results of comparing with stored layouts; empty if `--golden` is not given.
  func results(_ subject: CheckSubject) throws -> [CaseResult] {
    guard let golden else { return [] }
    return try Goldens(folder: golden, remedy: "store it with --record-golden \(golden)")
      .compare(subject)
  }
}

/// A run of the suite from the command line.
struct CheckWork {
  let engine: String
  let caseOptions: CaseOptions
  let engineOptions: EngineOptions

  /// The engine under test.
  ///
  /// An engine library that cannot be loaded is a subject whose report says why; any other file is an
  /// error.
  func subject() throws -> CheckSubject {
    // An engine under test may crash in every case.
    let host = try engineOptions.host(refusesCrashing: false)
    let options = engineOptions.repeated
    let subject = try engineOptions.watchdog.guarding(engineOptions.hanging("loading \(engine)")) {
      () throws(HostError) in try CheckSubject(engine, host: host, hostOptions: options)
    }
    if case .failure(let error) = subject.loading, !subject.isLibrary { throw error }
    return subject
  }

  /// Runs the suite, and shows its progress on the terminal.
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

/// The catalogue of cases, as a table or as JSON.
struct CaseList {
  private let options: CaseOptions

  init(_ options: CaseOptions) { self.options = options }

  /// Writes the cases that match the filters, at all levels.
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
  /// The case as JSON; `skippedIf` is null if the case applies to every engine.
  fileprivate var json: JSON {
    .object([
      ("id", .text(id)), ("category", .text(category.rawValue)), ("level", .text(level.rawValue)),
      ("rule", .text(rule)), ("why", .text(why)), ("remedy", .text(remedy)),
      ("skippedIf", .optional(needs.reason.isEmpty ? nil : needs.reason)),
    ])
  }
}

/// Pictures of the expected and the actual layouts of failures.
struct FindingPictures {
  let report: ConformanceReport
  let subject: CheckSubject

  /// Draws each failure that has pictures into CASE-expected.svg and CASE-found.svg in a folder,
  /// which is created if it is missing.
  func write(to folder: String) throws {
    try OutputFile.createFolder(folder)
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

/// Recordings of the failures of a report.
struct FindingRecordings {
  let report: ConformanceReport
  let subject: CheckSubject

  /// Writes CASE.jsonl into a folder, which is created if it is missing, for each case of the
  /// catalogue that failed or crashed: a layout of its smallest input, and the case itself.
  func write(to folder: String) throws {
    try OutputFile.createFolder(folder)
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
