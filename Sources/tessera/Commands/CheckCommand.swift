import ArgumentParser
import Synchronization
import TesseraCommand
import TesseraConformance
import TesseraDrawing
import TesseraGeometry
import TesseraHost
import TesseraScenario

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Tests engines against the contract.",
    discussion: """
      Each case tests one rule. A failure reports the rule, the smallest input found that breaks it, \
      the expected and the actual result, and a command that repeats the case. Random inputs are the \
      same in every run unless --seed changes. The exit status is 1 if any case failed or crashed.

      Results appear as they come, in the order of the catalogue. Of several cases that fail for the \
      same reason, such as a crash in one call, only the first is shown in full. If a layout of 20 \
      items with default values crashes or hangs, cases that need a layout are skipped.

      With several engines, JSON is an array of reports, JUnit has a suite for each engine, and the \
      names of TAP begin with the engine.

      EXAMPLES
        tessera check ./libspiral.so
        tessera check --fail-fast ./libspiral.so ./libwaves.so
        tessera check flow --level thorough
        tessera check flow --filter query --filter 'counts-*' --format tap
        tessera check flow --format junit -o report.xml
        tessera check --list
      """)

  @Argument(
    help: ArgumentHelp(
      "An engine's id, the last part of one, or the path of a library; may be repeated.",
      valueName: "engine"), completion: .engine)
  var engines: [String] = []

  @OptionGroup(title: "Cases") var caseOptions: CaseOptions

  @Option("The output format.")
  var format = ReportFormat.text

  @Option(
    "Write the report to this file; the file is written completely or not at all.", "file",
    name: [.customShort("o"), .customLong("output")], completion: .file())
  var output: String?

  @Flag(name: .long, help: "Treat warnings as failures.")
  var strict = false

  @Flag(name: .long, help: "Skip all further cases after the first failure.")
  var failFast = false

  @Option(
    "Draw the expected and the actual layout of each failure, if it has them, in this folder.",
    "dir", completion: .directory)
  var pictures: String?

  @Option(
    "Save each failure as a recording in this folder, for `tessera replay`.", "dir",
    completion: .directory)
  var record: String?

  @OptionGroup(title: "Stored layouts") var goldenOptions: GoldenOptions
  @OptionGroup(title: "Engines") var engineOptions: EngineOptions

  mutating func validate() throws {
    try require(
      !engines.isEmpty || caseOptions.list, "give an engine or a library, or --list for all cases")
    if goldenOptions.golden == nil, let pattern = caseOptions.goldenPatterns.first {
      throw ValidationError("--filter \(pattern) needs --golden with the folder of stored layouts")
    }
    let single = [
      ("--pictures", pictures), ("--record", record),
      ("--record-golden", goldenOptions.recordGolden),
    ]
    if engines.count > 1, let option = single.first(where: { $0.1 != nil })?.0 {
      throw ValidationError("\(option) takes one engine; found \(engines.count)")
    }
  }

  func run() throws {
    guard !caseOptions.list else { return try caseOptions.writeList(as: format, to: output) }
    let subjects = try engines.map(subject)
    if let first = subjects.first, try goldenOptions.record(first) { return }
    let suites = try subjects.map(suite)
    let stream = ReportStream(isLive: format == .text && output == nil, count: subjects.count)
    var reports: [ConformanceReport] = []
    for suite in suites {
      let isOver = failFast && reports.contains(where: isFailed)
      let report = try stream.report(
        isOver ? suite.skipped(because: "another engine failed") : suite
      ) {
        isOver ? [] : try goldenOptions.results(suite.subject, caseOptions.goldenPatterns)
      }
      reports.append(report)
      if let pictures { try report.writePictures(to: pictures) }
      if let record { try report.writeRecordings(of: suite.subject, to: record) }
    }
    let failed = reports.filter(isFailed)
    try stream.end(total(reports, failed))
    if !stream.isLive {
      try BufferedOutput.write(to: output) { file in
        try file.write(format.text(reports, total(reports, failed)))
      }
    }
    guard failed.isEmpty else { throw ExitCode(1) }
  }

  /// A library that can't be loaded gets a report; any other file is an error.
  private func subject(_ engine: String) throws -> CheckSubject {
    let subject = try engineOptions.subject(engine)
    if case .failure(let error) = subject.loading, !subject.isLibrary { throw error }
    return subject
  }

  private func suite(_ subject: CheckSubject) throws -> ConformanceSuite {
    var options = ConformanceSuite.Options()
    options.level = caseOptions.level
    options.filters = caseOptions.filter
    options.seed = caseOptions.seed
    options.jobs = caseOptions.jobs
    (options.stopsAtFailure, options.stopsAtWarning) = (failFast, failFast && strict)
    if let sample = caseOptions.sample {
      options.sample = try LayoutInput(json: sample, for: subject.engine.chain)
    }
    return try ConformanceSuite(subject, options)
  }

  private func isFailed(_ report: ConformanceReport) -> Bool {
    strict ? !report.isStrictlyPassed : !report.isPassed
  }

  private func total(_ reports: [ConformanceReport], _ failed: [ConformanceReport]) -> String? {
    guard reports.count > 1 else { return nil }
    let skipped = reports.count { $0.isSkipped }
    let counts = [
      (reports.count - failed.count - skipped, "passed"), (failed.count, "failed"),
      (skipped, "skipped"),
    ]
    let names = failed.isEmpty ? "" : ": \(failed.map(\.subject).joined(separator: ", "))"
    return "\(reports.count) engines, "
      + counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ") + names
  }
}

extension EngineOptions {
  /// An engine under test, which may crash in every case.
  func subject(_ name: String) throws -> CheckSubject {
    let host = try host(refusesCrashing: false)
    return try watchdog.guarding(hanging("loading \(name)")) { () throws(HostError) in
      try CheckSubject(name, host: host, hostOptions: arguments)
    }
  }
}

enum ReportFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json, junit, tap

  func text(_ reports: [ConformanceReport], _ total: String?) -> String {
    switch self {
    case .text:
      reports.map { report in
        (total == nil ? "" : ReportStream.heading(report.subject))
          + report.text(listsPassed: true)
      }.joined(separator: "\n") + (total.map { "\n\($0.visible)\n" } ?? "")
    case .json: reports.json
    case .junit: reports.junit
    case .tap: reports.tap
    }
  }
}

final class ReportStream: Sendable {
  let isLive: Bool
  private let count: Int
  private let failure = Mutex<(any Error)?>(nil)
  private let isFirst = Mutex(true)

  init(isLive: Bool, count: Int) { (self.isLive, self.count) = (isLive, count) }

  static func heading(_ name: String) -> String { "checking \(name.visible)\n" }

  func report(
    _ suite: ConformanceSuite, adding more: () throws -> [CaseResult]
  ) throws -> ConformanceReport {
    let progress = ProgressLine("checking \(suite.subject.name.visible)")
    defer { progress.erase() }
    nonisolated(unsafe) let writer = TextReportWriter(isColoured: Terminal.isColoured)
    let isFirst = isFirst.withLock { isFirst in
      defer { isFirst = false }
      return isFirst
    }
    if count > 1 { write((isFirst ? "" : "\n") + Self.heading(suite.subject.name)) }
    // One thread at a time.
    let report = try suite.run { done, total, _ in
      progress.update(Double(done) / Double(max(1, total)))
    } reporting: { result in
      guard self.isLive else { return true }
      let text = writer.text(for: result)
      if !text.isEmpty { progress.erase() }
      return self.write(text)
    }
    progress.erase()
    if let failure = failure.withLock(\.self) { throw failure }
    let added = try more()
    if isLive { write(added.map(writer.text(for:)).joined()) }
    let whole = report.adding(added)
    if isLive { write(writer.end(whole)) }
    if let failure = failure.withLock(\.self) { throw failure }
    return whole
  }

  func end(_ total: String?) throws {
    if let total { write("\n\(total.visible)\n") }
    if let failure = failure.withLock(\.self) { throw failure }
  }

  /// False on failure.
  @discardableResult
  private func write(_ text: String) -> Bool {
    guard isLive else { return true }
    return failure.withLock { failure in
      guard failure == nil else { return false }
      do {
        if !text.isEmpty { try BufferedOutput.write(to: nil) { try $0.write(text) } }
      } catch { failure = error }
      return failure == nil
    }
  }
}

struct CaseOptions: ParsableArguments {
  @Option("How much to test: quick takes seconds, thorough takes minutes.")
  var level = CaseLevel.standard

  @Option(
    "Run only these cases: an id, a category, or a pattern with *; may be repeated.", "pattern")
  var filter: [String] = []

  static var filters: Completions {
    let categories = CaseCategory.allCases.map { Completions.Word(text: $0.rawValue) }
    let cases = Catalogue.cases.map { Completions.Word(text: $0.id, help: $0.rule) }
    return Completions(kind: .words(categories + cases))
  }

  @Flag(
    name: .long,
    help: "List the cases and their rules, as JSON with --format json, without running them.")
  var list = false

  @Option("Random seed.", "n")
  var seed: UInt64 = 1

  @Option("How many cases to run at once (default: one per processor).", "n")
  var jobs: Int?

  @Option("Test only this input: a scenario in JSON, as printed with a failure.", "json")
  var sample: String?

  var goldenPatterns: [String] { filter.filter(Goldens.isMeant) }

  mutating func validate() throws {
    if let jobs, !(1...256).contains(jobs) {
      throw ValidationError("--jobs is \(jobs); give a number from 1 to 256")
    }
  }
}

extension CaseLevel: ExpressibleByArgument {}

struct GoldenOptions: ParsableArguments {
  @Option(
    "Compare with the layouts stored in this folder.", "dir",
    more: """
      Each subfolder is a case: scenario.json is the input, expected.json the layout as \
      `tessera layout --format json` prints it, and tolerance.txt, which is optional, the allowed \
      difference of numbers in points.
      """, completion: .directory)
  var golden: String?

  @Option(
    "Store the layout of each scenario.json in this folder, and report changes; run no cases.",
    "dir", completion: .directory)
  var recordGolden: String?

  mutating func validate() throws {
    try require(golden == nil || recordGolden == nil, "give --golden or --record-golden, not both")
  }

  /// Returns whether `--record-golden` is given.
  func record(_ subject: CheckSubject) throws -> Bool {
    guard let recordGolden else { return false }
    let lines = try Goldens(folder: recordGolden).record(subject)
    try BufferedOutput.write(to: nil) { try $0.write(lines.joined(separator: "\n") + "\n") }
    return true
  }

  /// Empty without `--golden`.
  func results(_ subject: CheckSubject, _ patterns: [String]) throws -> [CaseResult] {
    guard let golden else { return [] }
    return try Goldens(folder: golden, remedy: "store it with --record-golden \(golden)")
      .compare(subject, matching: patterns)
  }
}

extension CaseOptions {
  func writeList(as format: ReportFormat, to path: String?) throws {
    let cases = try Catalogue.cases(upTo: .thorough, matching: filter)
    try BufferedOutput.write(to: path) { output in
      guard format != .json else {
        return try output.write(JSON.list(cases.map(\.json)).text + "\n")
      }
      let rows = cases.map { [$0.id, $0.level.rawValue, $0.rule] }
      try TextTable(["CASE", "LEVEL", "RULE"], rows: rows).write(to: output)
    }
  }
}

extension ConformanceCase {
  /// `skippedIf` is null if the case applies to every engine.
  fileprivate var json: JSON {
    JSON([
      "id": id, "category": category.rawValue, "level": level.rawValue, "rule": rule, "why": why,
      "remedy": remedy, "skippedIf": needs.reason.isEmpty ? String?.none : needs.reason,
    ])
  }
}

extension ConformanceReport {
  /// Writes CASE-expected.svg and CASE-found.svg.
  fileprivate func writePictures(to folder: String) throws {
    try BufferedOutput.createFolder(folder)
    for result in results {
      guard let pictures = result.verdict.finding?.pictures else { continue }
      for (name, image) in [("expected", pictures.expected), ("found", pictures.found)] {
        let path = "\(folder)/\(result.examined.id)-\(name).svg"
        try BufferedOutput.write(to: path) { file in
          try draw(image, result).writeSVG { bytes throws in try file.write(bytes) }
        }
      }
    }
  }

  private func draw(_ image: LayoutImage, _ result: CaseResult) -> Picture<[Element]> {
    var picture = Picture(
      engineName: engine?.name ?? subject, engineID: result.examined.id,
      contentSize: image.contentSize, viewport: image.viewport, elements: image.elements)
    picture.attributeNames = image.attributeNames
    picture.scale = result.verdict.finding?.sample?.scale ?? 1
    return picture
  }

  /// Writes CASE.jsonl: a layout of the smallest input, and the case.
  fileprivate func writeRecordings(of subject: CheckSubject, to folder: String) throws {
    let header =
      (try? subject.engine).map { Recording.Header($0) }
      ?? Recording.Header(engine: subject.name, version: "", library: subject.name)
    try BufferedOutput.createFolder(folder)
    let known = Set(try Catalogue.cases(upTo: .thorough, matching: []).map(\.id))
    for result in results where known.contains(result.examined.id) {
      switch result.verdict {
      case .failed(let finding), .crashed(let finding):
        let recorder = SessionRecorder(header)
        if let sample = finding.sample {
          let calls = sample.changes().map(SessionCall.set)
          for call in calls + [.contentSize, .elements(in: nil), .close] { recorder.note(call) }
        }
        recorder.noteRule(SuiteCall(result, level: level, seed: finding.seed))
        try BufferedOutput.write(to: "\(folder)/\(result.examined.id).jsonl") { file in
          try recorder.bytes.withUnsafeBytes { try file.write($0) }
        }
      case .passed, .warning, .skipped: break
      }
    }
  }
}
