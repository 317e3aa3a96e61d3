import ArgumentParser
import TesseraHost
import TesseraScenario

extension EngineOptions {
  /// Runs the body with a session filled from a scenario; an engine that hangs ends the command.
  ///
  /// - Parameters:
  ///   - trace: Whether to log engine calls.
  ///   - record: The file of a recording, if any.
  public func run<Result>(
    _ engine: Engine, _ scenario: Scenario, trace: Bool = false, record: String? = nil,
    _ body: (SessionDriver) throws(HostError) -> Result
  ) throws -> Result {
    let recorder = record.map { _ in SessionRecorder(Recording.Header(engine)) }
    func write() throws {
      guard let record, let recorder else { return }
      try BufferedOutput.write(to: record) { file in
        try recorder.bytes.withUnsafeBytes { try file.write($0) }
      }
    }
    let result: Result
    do { result = try run(engine, scenario, trace, recorder, body) } catch {
      // Recordings of failures are the most useful. If writing fails too, report the first failure.
      try? write()
      throw error
    }
    try write()
    return result
  }

  /// Performs one call of a session, as `run`.
  package func ask(
    _ call: SessionCall, _ engine: Engine, _ scenario: Scenario, trace: Bool, record: String?
  ) throws -> CallAnswer {
    try run(engine, scenario, trace: trace, record: record) { (driver) throws(HostError) in
      try driver.ask(call)
    }
  }

  private func run<Result>(
    _ engine: Engine, _ scenario: Scenario, _ trace: Bool, _ recorder: SessionRecorder?,
    _ body: (SessionDriver) throws(HostError) -> Result
  ) throws -> Result {
    let name = engine.description.id
    let progress = ProgressLine(name)
    defer { progress.erase() }
    let session = try watched(engine) { () throws(HostError) in
      try self.session(engine, trace: trace)
    }
    if trace { Diagnostics.write("sandbox: \(session.sandbox)\n") }
    if let warning = warning(about: session) { Diagnostics.say(warning) }
    session.progress = { fraction in
      progress.update(fraction)
      return true
    }
    let driver = SessionDriver(session, recorder: recorder)
    Diagnostics.say(all: try driver.fill(from: scenario))
    let (result, warnings) = try watched(engine) { () throws(HostError) in
      let result = try body(driver)
      let warnings = session.warnings
      try driver.ask(.close)
      return (result, warnings)
    }
    progress.erase()
    Diagnostics.say(all: warnings.map { "\(name): \($0)" })
    return result
  }

  /// Creates a session whose calls are logged, and watched if the engine runs in this command.
  package func session(_ engine: Engine, trace: Bool) throws(HostError) -> Session {
    let (session, watchdog) = (try Session(engine), watchdog)
    if trace || watchdog.seconds != nil {
      session.trace = { line in
        watchdog.rearm()
        if trace { Diagnostics.write("\(line)\n") }
      }
    }
    return session
  }

  package func watched<Result>(
    _ engine: Engine, _ work: () throws(HostError) -> Result
  ) throws(HostError) -> Result {
    try watchdog.guarding(hanging(engine.description.id), work)
  }
}

/// Whether to record the session.
public struct RecordOptions: ParsableArguments {
  /// Creates options for the parser to fill.
  public init() {}

  /// The file of `--record`.
  @Option(
    "Record every call to the layout, and its result, for `tessera replay`.", "file",
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
      digest: (try? SHA256Digest(ofFile: library))?.description ?? "", host: CommandProgram.version)
  }
}
