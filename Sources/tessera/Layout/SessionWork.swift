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
  ///
  /// - Parameter question: Gets the session, and what knows why its expressions failed.
  func run<Answer>(
    _ question: (Session, ExpressionFailures) throws(HostError) -> Answer
  ) throws -> Answer {
    let name = engine.description.id
    let progress = ProgressLine(name)
    defer { progress.erase() }
    let session = try watched { () throws(HostError) in try Session(engine) }
    let (watchdog, trace) = (engineOptions.watchdog, trace)
    session.trace = { line in
      watchdog.rearm()
      if trace { Diagnostics.write("\(line)\n") }
    }
    session.progress = { fraction in
      progress.update(fraction)
      return true
    }
    let failures = ExpressionFailures()
    for note in try scenario.apply(to: session, failures: failures) { Diagnostics.say(note) }
    let answer = try watched { () throws(HostError) in
      try failures.telling { () throws(HostError) in try question(session, failures) }
    }
    progress.erase()
    for warning in session.warnings { Diagnostics.say("\(name): \(warning)") }
    return answer
  }

  private func watched<Result>(
    _ work: () throws(HostError) -> Result
  ) throws(HostError) -> Result {
    try engineOptions.watchdog.guarding(engineOptions.hanging(engine.description.id), work)
  }
}
