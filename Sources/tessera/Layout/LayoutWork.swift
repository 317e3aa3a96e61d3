import TesseraHost
import TesseraScenario

/// The work of one `layout` command.
struct LayoutWork {
  let work: SessionWork
  /// Whether only what the viewport meets is asked for.
  let visible: Bool

  /// Lays out; an engine that hangs ends the command.
  func run() throws -> FinishedLayout {
    try work.run { (session, _) throws(HostError) in try finish(session) }
  }

  private func finish(_ session: Session) throws(HostError) -> FinishedLayout {
    let rect = visible ? session.visibleRect : work.scenario.rect
    let contentSize = try session.contentSize()
    let elements =
      if let rect { try session.elements(in: rect) } else { try session.elements() }
    return FinishedLayout(
      engine: work.engine.description, scenario: work.scenario, viewport: session.visibleRect,
      rect: rect, contentSize: contentSize, elements: elements)
  }
}
