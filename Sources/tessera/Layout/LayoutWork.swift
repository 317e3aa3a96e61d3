import TesseraHost
import TesseraScenario

/// The work of one `layout` command: a session filled from a scenario, and asked.
struct LayoutWork {
  let engine: Engine
  let scenario: Scenario
  /// Whether only what the viewport meets is asked for.
  let visible: Bool
  /// Whether each call into the engine is told.
  let trace: Bool
  let engineOptions: EngineOptions

  /// Lays out; an engine that hangs ends the command.
  func run() throws -> FinishedLayout {
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
    for note in try scenario.apply(to: session) { Diagnostics.say(note) }
    let layout = try watched { () throws(HostError) in try finish(session) }
    progress.erase()
    for warning in session.warnings { Diagnostics.say("\(name): \(warning)") }
    return layout
  }

  private func finish(_ session: Session) throws(HostError) -> FinishedLayout {
    let rect = visible ? session.visibleRect : scenario.rect
    let contentSize = try session.contentSize()
    let elements =
      if let rect { try session.elements(in: rect) } else { try session.elements() }
    return FinishedLayout(
      engine: engine.description, scenario: scenario, viewport: session.visibleRect,
      rect: rect, contentSize: contentSize, elements: elements)
  }

  private func watched<Result>(
    _ work: () throws(HostError) -> Result
  ) throws(HostError) -> Result {
    try engineOptions.watchdog.guarding(engineOptions.hanging(engine.description.id), work)
  }
}
