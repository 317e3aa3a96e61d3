import TesseraConformance
import TesseraHost
import TesseraScenario

/// Makes the calls of a recording to sessions of one engine.
struct ReplayWork {
  let engine: Engine
  let subject: CheckSubject
  let trace: Bool
  let engineOptions: EngineOptions

  /// - Parameter name: The engine as the command line names it.
  init(_ name: String, trace: Bool, engineOptions: EngineOptions) throws {
    // What is shrunk crashes as often as it is tried.
    let host = try engineOptions.host(refusesCrashing: false)
    let hanging = engineOptions.hanging("loading \(name)")
    subject = try engineOptions.watchdog.guarding(hanging) { () throws(HostError) in
      try CheckSubject(name, host: host, hostOptions: engineOptions.repeated)
    }
    engine = try subject.engine
    (self.trace, self.engineOptions) = (trace, engineOptions)
  }

  /// The calls to this engine.
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
      // A case has a deadline of its own, of several calls.
      watchdog.disarm()
      defer { watchdog.rearm() }
      return try suite.verdict(on: subject)
    }
  }

  /// The digest of the engine's library, as recordings have it.
  var digest: String { Recording.Header(engine).digest }

  /// Works; an engine that hangs inside the command ends it.
  func watched<Result>(_ work: () throws(HostError) -> Result) throws(HostError) -> Result {
    try engineOptions.watchdog.guarding(engineOptions.hanging(engine.description.id), work)
  }
}
