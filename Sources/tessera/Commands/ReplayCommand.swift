import ArgumentParser
import TesseraHost
import TesseraScenario

/// `tessera replay`: a recorded session against a library.
struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Makes the calls of a recording again, and shows the first other answer.",
    discussion: """
      --record of layout, update, snap and call makes recordings, and so does --record of check for \
      each failure. Elements are compared as sets. The status is 0 where every answer is as it was \
      recorded, and 1 where one is not; a crash is the difference of the call that it came with.

      --shrink writes the recording with the fewest calls, and then the smallest data, that still \
      differ. An answer is only true for the calls before it: where the difference is between two \
      answers, calls can go only if --reference names an engine whose answers are right, by itself \
      the recorded library where it is still there. Without one only questions go.

      EXAMPLES
        tessera layout flow --items 40 --record flow.jsonl
        tessera replay flow.jsonl
        tessera replay flow.jsonl --engine ./libflow.so --tolerance 0.001
        tessera replay flow.jsonl --engine ./libflow.so --shrink -o small.jsonl
        tessera check ./libspiral.so --record failures
      """)

  @Argument(help: "A recording; - is standard input.", completion: .file())
  var file: String

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "The engine to ask, by id or the path of a library (default: the one of the recording's id)."
    ))
  var engine: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("How far a number may be off (default: 0).", valueName: "number"))
  var tolerance = 0.0

  @Flag(name: .long, help: "Find the fewest calls and the smallest data that still differ.")
  var shrink = false

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("The engine whose answers are right, for --shrink.", valueName: "engine"))
  var reference: String?

  @Option(
    name: [.customShort("o"), .customLong("output")], parsing: .unconditional,
    help: ArgumentHelp(
      "Where --shrink writes the recording; it appears whole or not at all.", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(name: .long, help: "Tell each call into the engine on standard error.")
  var trace = false
  @Option(name: .long, parsing: .unconditional, help: "How to print.")
  var format = AnswerFormat.text
  @OptionGroup(title: "Engines") var engineOptions: EngineOptions

  mutating func validate() throws {
    guard tolerance >= 0, tolerance.isFinite else {
      throw ValidationError("--tolerance is \(tolerance); give a number of 0 or more")
    }
    guard shrink || output == nil && reference == nil else {
      throw ValidationError("-o and --reference go with --shrink")
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
    guard let difference else {
      return try write(ReplayReport(recording, work, nil))
    }
    guard shrink else {
      try write(ReplayReport(recording, work, difference))
      throw ExitCode(1)
    }
    let right = try referenceWork(for: recording, work)?.replay(tolerance: tolerance)
    let smallest = try work.watched { () throws(HostError) in
      try RecordingShrinker().smallest(recording, replay, reference: right)
    }
    try OutputFile.write(to: output) { file in
      try (smallest ?? recording).bytes.withUnsafeBytes { try file.write($0) }
    }
    if output != nil, let smallest, let difference = try replay.difference(of: smallest) {
      try write(ReplayReport(smallest, work, difference))
    }
    throw ExitCode(1)
  }

  /// The engine whose answers are right: the one that is named, or the library that was recorded.
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

  private func write(_ report: ReplayReport) throws {
    try OutputFile.write(to: nil) { output in
      try output.write(format == .text ? report.text : report.json.text + "\n")
    }
  }
}
