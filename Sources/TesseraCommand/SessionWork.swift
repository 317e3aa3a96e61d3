import ArgumentParser
import TesseraHost
import TesseraScenario

/// Runs a body with a session filled from a scenario.
public struct SessionWork {
  /// The engine.
  public let engine: Engine
  /// The input.
  public let scenario: Scenario
  /// Whether to log engine calls.
  public let trace: Bool
  /// How engines run.
  public let engineOptions: EngineOptions
  /// The file of a recording, if any.
  public var record: String?

  /// Creates work for a session.
  public init(
    engine: Engine, scenario: Scenario, trace: Bool = false, engineOptions: EngineOptions,
    record: String? = nil
  ) {
    (self.engine, self.scenario, self.trace) = (engine, scenario, trace)
    (self.engineOptions, self.record) = (engineOptions, record)
  }

  /// Runs the body; an engine that hangs ends the command.
  public func run<Result>(
    _ body: (RecordedSession) throws(HostError) -> Result
  ) throws -> Result {
    guard let record else { return try runSession(body, nil) }
    let recorder = SessionRecorder(Recording.Header(engine))
    func write() throws {
      try BufferedOutput.write(to: record) { file in
        try recorder.bytes.withUnsafeBytes { try file.write($0) }
      }
    }
    let result: Result
    do { result = try runSession(body, recorder) } catch {
      // Recordings of failures are the most useful. If writing fails too, report the first failure.
      try? write()
      throw error
    }
    try write()
    return result
  }

  private func runSession<Result>(
    _ body: (RecordedSession) throws(HostError) -> Result, _ recorder: SessionRecorder?
  ) throws -> Result {
    let name = engine.description.id
    let progress = ProgressLine(name)
    defer { progress.erase() }
    let session = try watched { () throws(HostError) in try Session(engine) }
    let (watchdog, trace) = (engineOptions.watchdog, trace)
    if trace || watchdog.seconds != nil {
      session.trace = { line in
        watchdog.rearm()
        if trace { Diagnostics.write("\(line)\n") }
      }
    }
    if trace { Diagnostics.write("sandbox: \(session.sandbox)\n") }
    if let warning = engineOptions.warning(about: session) { Diagnostics.say(warning) }
    session.progress = { fraction in
      progress.update(fraction)
      return true
    }
    let recorded = RecordedSession(session, recorder: recorder)
    Diagnostics.say(all: try recorded.fill(from: scenario))
    let (result, warnings) = try watched { () throws(HostError) in
      let result = try body(recorded)
      let warnings = session.warnings
      try recorded.close()
      return (result, warnings)
    }
    progress.erase()
    Diagnostics.say(all: warnings.map { "\(name): \($0)" })
    return result
  }

  private func watched<Result>(
    _ work: () throws(HostError) -> Result
  ) throws(HostError) -> Result {
    try engineOptions.watchdog.guarding(engineOptions.hanging(engine.description.id), work)
  }
}

/// Whether to record the session.
public struct RecordOptions: ParsableArguments {
  /// Creates options for the parser to fill.
  public init() {}

  /// The file of `--record`.
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Record every call to the layout, and its result, for `tessera replay`.", valueName: "file"),
    completion: .file(extensions: ["jsonl"]))
  public var record: String?
}

extension Recording.Header {
  /// The header of a new recording.
  public init(_ engine: Engine) {
    self.init(
      engine: engine.description.id, version: engine.description.version, library: engine.library)
  }

  /// The header of a new recording.
  public init(engine: String, version: String, library: String) {
    self.init(
      engine: engine, version: version,
      library: library.split(separator: "/").last.map(String.init) ?? library,
      digest: (try? SHA256Digest(ofFile: library))?.description ?? "", host: TesseraRelease.version)
  }
}
