import ArgumentParser
import TesseraCommand
import TesseraConformance
import TesseraHost
import TesseraScenario

struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Replays a recording, and reports the first result that differs.",
    discussion: """
      --record of layout, update, snap and call creates a recording, and --record of check one for \
      each failure. Elements are compared as sets. The exit status is 0 if every result is as \
      recorded, and 1 otherwise; a crash is a difference of the call in which it happens.

      --shrink writes the recording with the fewest calls, and then the smallest data, that still \
      differs. A recorded result is valid only for the calls before it. If two results differ, calls \
      can therefore be removed only if --reference names an engine whose results are right; it \
      defaults to the recorded library, if that still exists. Without one, only queries are removed.

      EXAMPLES
        tessera layout flow --items 40 --record flow.jsonl
        tessera replay flow.jsonl
        tessera replay flow.jsonl --engine ./libflow.so --tolerance 0.001
        tessera replay flow.jsonl --engine ./libflow.so --shrink -o small.jsonl
        tessera check ./libspiral.so --record failures
      """)

  @Argument(help: "A recording; - is standard input.", completion: .file(extensions: ["jsonl"]))
  var file: String

  @Option(
    "The engine to run, by id or the path of a library (default: by the recorded id).",
    completion: .engine)
  var engine: String?

  @Option("The allowed difference of numbers (default: 0).", "number")
  var tolerance = 0.0

  @Flag(name: .long, help: "Find the fewest calls and the smallest data that still differ.")
  var shrink = false

  @Option("The engine whose results are right, for --shrink.", "engine", completion: .engine)
  var reference: String?

  @Option(
    "Where --shrink writes the recording; the file is written completely or not at all.", "file",
    name: [.customShort("o"), .customLong("output")], completion: .file(extensions: ["jsonl"]))
  var output: String?

  @Flag(name: .long, help: "Log every engine call to standard error.")
  var trace = false
  @Option("The output format.")
  var format = ResultFormat.text
  @OptionGroup(title: "Engines") var engineOptions: EngineOptions

  mutating func validate() throws {
    try require(
      tolerance >= 0 && tolerance.isFinite,
      "--tolerance is \(tolerance); give a number of 0 or more")
    try require(shrink || output == nil && reference == nil, "-o and --reference need --shrink")
  }

  func run() throws {
    let recording = try Recording(contentsOf: file)
    let work = try ReplayWork(
      engine ?? recording.header.engine, trace: trace, engineOptions: engineOptions)
    let replay = work.replay(tolerance: tolerance)
    let difference = try engineOptions.watched(work.engine) { () throws(HostError) in
      try replay.difference(of: recording)
    }
    guard let difference else { return try write(work, recording, nil) }
    guard shrink else {
      try write(work, recording, difference)
      throw ExitCode(1)
    }
    let right = try referenceWork(for: recording, work)?.replay(tolerance: tolerance)
    let smallest = try engineOptions.watched(work.engine) { () throws(HostError) in
      try replay.smallest(recording, reference: right)
    }
    try BufferedOutput.write(to: output) { file in
      try (smallest ?? recording).bytes.withUnsafeBytes { try file.write($0) }
    }
    if output != nil, let smallest, let difference = try replay.difference(of: smallest) {
      try write(work, smallest, difference)
    }
    throw ExitCode(1)
  }

  /// The named engine, or the recorded library.
  private func referenceWork(for recording: Recording, _ work: ReplayWork) throws -> ReplayWork? {
    if let reference {
      return try ReplayWork(reference, trace: false, engineOptions: engineOptions)
    }
    let recorded = try? ReplayWork(
      recording.header.engine, trace: false, engineOptions: engineOptions)
    guard let recorded, recorded.digest == recording.header.digest, recorded.digest != work.digest
    else { return nil }
    return recorded
  }

  private func write(
    _ work: ReplayWork, _ recording: Recording, _ difference: Recording.Difference?
  ) throws {
    try BufferedOutput.print(asJSON: format == .json, work.json(recording, difference)) {
      try $0.write(work.text(recording, difference))
    }
  }
}

struct ReplayWork {
  let engine: Engine
  let subject: CheckSubject
  let trace: Bool
  let engineOptions: EngineOptions

  init(_ name: String, trace: Bool, engineOptions: EngineOptions) throws {
    subject = try engineOptions.subject(name)
    engine = try subject.engine
    (self.trace, self.engineOptions) = (trace, engineOptions)
  }

  func replay(tolerance: Double) -> Replay {
    Replay(tolerance: tolerance) { () throws(HostError) in
      try engineOptions.session(engine, trace: trace)
    } examine: { (suite) throws(HostError) in
      // A case has its own deadline.
      engineOptions.watchdog.disarm()
      defer { engineOptions.watchdog.rearm() }
      return try suite.verdict(on: subject)
    }
  }

  var digest: String { Recording.Header(engine).digest }
}

extension ReplayWork {
  fileprivate func text(_ recording: Recording, _ difference: Recording.Difference?) -> String {
    let engine = engine.description
    let calls = recording.entries.count
    guard let difference else {
      return "\(engine.id) \(engine.version): \(counted(calls, "call")), as recorded\n"
    }
    let finding = difference.finding
    let subject = [finding.element, finding.property].compactMap { $0 }.joined(separator: ": ")
    return """
      \(engine.id) \(engine.version) differs at call \(difference.call) of \(calls)
        call      \(difference.text)
      \(subject.isEmpty ? "" : "  of        \(subject)\n")  expected  \(finding.expected)
        found     \(finding.found)

      """
  }

  fileprivate func json(_ recording: Recording, _ difference: Recording.Difference?) -> JSON {
    var members: [(name: String, value: JSON)] = [
      ("engine", .text(engine.description.id)), ("version", .text(engine.description.version)),
      ("calls", .integer(recording.entries.count)),
      ("isRecordedLibrary", .bool(digest == recording.header.digest)),
      ("equal", .bool(difference == nil)),
    ]
    if let difference {
      let finding = difference.finding
      let facts = JSON([
        "call": difference.call, "text": difference.text, "element": finding.element,
        "of": finding.property, "expected": finding.expected, "found": finding.found,
      ])
      members.append(("difference", facts))
    }
    return .object(members)
  }
}
