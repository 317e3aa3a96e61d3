import ArgumentParser
import TesseraConformance
import TesseraHost
import TesseraScenario

/// A question to an engine: a session filled from a scenario, and asked.
struct SessionWork {
  let engine: Engine
  let scenario: Scenario
  /// Whether each call into the engine is told.
  let trace: Bool
  let engineOptions: EngineOptions
  /// The file in which the session is recorded; nil: it is not.
  var record: String?

  /// Asks; an engine that hangs ends the command.
  func run<Answer>(
    _ question: (RecordedSession) throws(HostError) -> Answer
  ) throws -> Answer {
    guard let record else { return try ask(question, nil) }
    let recorder = SessionRecorder(Recording.Header(engine))
    func write() throws {
      try OutputFile.write(to: record) { file in
        try recorder.bytes.withUnsafeBytes { try file.write($0) }
      }
    }
    let answer: Answer
    do { answer = try ask(question, recorder) } catch {
      // What led to a failure is what a recording is wanted for most; the failure is what is told.
      try? write()
      throw error
    }
    try write()
    return answer
  }

  private func ask<Answer>(
    _ question: (RecordedSession) throws(HostError) -> Answer, _ recorder: SessionRecorder?
  ) throws -> Answer {
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
    session.progress = { fraction in
      progress.update(fraction)
      return true
    }
    let recorded = RecordedSession(session, recorder: recorder)
    for note in try recorded.fill(from: scenario) { Diagnostics.say(note) }
    let (answer, warnings) = try watched { () throws(HostError) in
      let answer = try question(recorded)
      let warnings = session.warnings
      try recorded.close()
      return (answer, warnings)
    }
    progress.erase()
    for warning in warnings { Diagnostics.say("\(name): \(warning)") }
    return answer
  }

  private func watched<Result>(
    _ work: () throws(HostError) -> Result
  ) throws(HostError) -> Result {
    try engineOptions.watchdog.guarding(engineOptions.hanging(engine.description.id), work)
  }
}

/// Whether what happens is recorded.
struct RecordOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Store every call to the engine's layout, and what it was answered, for `tessera replay`.",
      discussion: "The file is written where the engine fails, too.", valueName: "file"),
    completion: .file())
  var record: String?
}

extension Recording.Header {
  /// The first line of a recording that is made now of an engine.
  init(_ engine: Engine) {
    self.init(
      engine: engine.description.id, version: engine.description.version,
      library: engine.library, host: Tessera.configuration.version)
  }

  /// The first line of a recording of what is checked, which may be no engine at all.
  init(_ subject: CheckSubject) {
    if let engine = try? subject.engine {
      self.init(engine)
    } else {
      self.init(
        engine: subject.name, version: "", library: subject.name,
        host: Tessera.configuration.version)
    }
  }

  private init(engine: String, version: String, library: String, host: String) {
    self.init(
      engine: engine, version: version,
      library: library.split(separator: "/").last.map(String.init) ?? library,
      digest: (try? SHA256Digest(ofFile: library))?.description ?? "", host: host)
  }
}
