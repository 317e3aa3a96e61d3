import TesseraHost
import TesseraScenario

/// The work of one `layout` command.
struct LayoutWork {
  let work: SessionWork
  /// Whether only what the viewport meets is asked for.
  let visible: Bool

  /// Lays out; an engine that hangs ends the command.
  func run() throws -> FinishedLayout<Elements> {
    try work.run { (session) throws(HostError) in try finish(session) }
  }

  private func finish(
    _ recorded: RecordedSession
  ) throws(HostError) -> FinishedLayout<Elements> {
    let session = recorded.session
    let elements =
      if visible {
        try recorded.visibleElements()
      } else if let rect = work.scenario.rect {
        try recorded.elements(in: rect)
      } else {
        try recorded.elements()
      }
    // Both may have moved while items were measured.
    let rect = visible ? session.visibleRect : work.scenario.rect
    let contentSize = try recorded.contentSize()
    return FinishedLayout(
      subject: Subject(work.engine), scenario: work.scenario, viewport: session.visibleRect,
      rect: rect, contentSize: contentSize, elements: elements, attributes: elements.attributes,
      columns: elements.columns)
  }
}
