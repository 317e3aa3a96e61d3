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
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "The engine to run, by id or the path of a library (default: by the recorded id)."
    ), completion: .engine)
  var engine: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("The allowed difference of numbers (default: 0).", valueName: "number"))
  var tolerance = 0.0

  @Flag(name: .long, help: "Find the fewest calls and the smallest data that still differ.")
  var shrink = false

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("The engine whose results are right, for --shrink.", valueName: "engine"),
    completion: .engine)
  var reference: String?

  @Option(
    name: [.customShort("o"), .customLong("output")], parsing: .unconditional,
    help: ArgumentHelp(
      "Where --shrink writes the recording; the file is written completely or not at all.",
      valueName: "file"),
    completion: .file(extensions: ["jsonl"]))
  var output: String?

  @Flag(name: .long, help: "Log every engine call to standard error.")
  var trace = false
  @Option(name: .long, parsing: .unconditional, help: "The output format.")
  var format = ResultFormat.text
  @OptionGroup(title: "Engines") var engineOptions: EngineOptions

  mutating func validate() throws {
    guard tolerance >= 0, tolerance.isFinite else {
      throw ValidationError("--tolerance is \(tolerance); give a number of 0 or more")
    }
    guard shrink || output == nil && reference == nil else {
      throw ValidationError("-o and --reference need --shrink")
    }
  }

  func run() throws {
    let recording = try Recording(contentsOf: file)
    let work = try ReplayWork(
      engine ?? recording.header.engine, trace: trace, engineOptions: engineOptions)
    let replay = work.replay(tolerance: tolerance)
    let difference = try work.watched { () throws(HostError) in
      try replay.difference(of: recording)
    }
    guard let difference else { return try write(work, recording, nil) }
    guard shrink else {
      try write(work, recording, difference)
      throw ExitCode(1)
    }
    let right = try referenceWork(for: recording, work)?.replay(tolerance: tolerance)
    let smallest = try work.watched { () throws(HostError) in
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
    try BufferedOutput.write(to: nil) { output in
      try output.write(
        format == .text
          ? work.text(recording, difference) : work.json(recording, difference).text + "\n")
    }
  }
}

struct ReplayWork {
  let engine: Engine
  let subject: CheckSubject
  let trace: Bool
  let engineOptions: EngineOptions

  init(_ name: String, trace: Bool, engineOptions: EngineOptions) throws {
    // A recording may crash in every trial while it shrinks.
    let host = try engineOptions.host(refusesCrashing: false)
    let hanging = engineOptions.hanging("loading \(name)")
    subject = try engineOptions.watchdog.guarding(hanging) { () throws(HostError) in
      try CheckSubject(name, host: host, hostOptions: engineOptions.arguments)
    }
    engine = try subject.engine
    (self.trace, self.engineOptions) = (trace, engineOptions)
  }

  func replay(tolerance: Double) -> Replay {
    let (engine, subject, trace) = (engine, subject, trace)
    let watchdog = engineOptions.watchdog
    return Replay(tolerance: tolerance) { () throws(HostError) in
      let session = try Session(engine)
      session.trace = { line in
        watchdog.rearm()
        if trace { Diagnostics.write("\(line)\n") }
      }
      return session
    } examine: { (suite) throws(HostError) in
      // A case has its own deadline.
      watchdog.disarm()
      defer { watchdog.rearm() }
      return try suite.verdict(on: subject)
    }
  }

  var digest: String { Recording.Header(engine).digest }

  func watched<Result>(_ work: () throws(HostError) -> Result) throws(HostError) -> Result {
    try engineOptions.watchdog.guarding(engineOptions.hanging(engine.description.id), work)
  }
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
    let engine = engine.description
    var members: [(name: String, value: JSON)] = [
      ("engine", .text(engine.id)), ("version", .text(engine.version)),
      ("calls", .integer(recording.entries.count)),
      ("isRecordedLibrary", .bool(digest == recording.header.digest)),
      ("equal", .bool(difference == nil)),
    ]
    if let difference {
      let finding = difference.finding
      let facts = JSON.object([
        ("call", .integer(difference.call)), ("text", .text(difference.text)),
        ("element", .optional(finding.element)), ("of", .optional(finding.property)),
        ("expected", .text(finding.expected)), ("found", .text(finding.found)),
      ])
      members.append(("difference", facts))
    }
    return .object(members)
  }
}
