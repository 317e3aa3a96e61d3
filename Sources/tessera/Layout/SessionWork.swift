import TesseraHost
import TesseraScenario

/// A question to an engine: a session filled from a scenario, and asked.
struct SessionWork {
  let engine: Engine
  let scenario: Scenario
  /// Whether each call into the engine is told.
  let trace: Bool
  let engineOptions: EngineOptions

  /// Asks; an engine that hangs ends the command.
  func run<Answer>(
    _ question: (Session) throws(HostError) -> Answer
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
    for note in try scenario.apply(to: session) { Diagnostics.say(note) }
    let (answer, warnings) = try watched { () throws(HostError) in
      let answer = try question(session)
      let warnings = session.warnings
      try session.close()
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
