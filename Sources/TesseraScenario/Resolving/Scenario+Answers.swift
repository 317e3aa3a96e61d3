extension Scenario {
  /// Gives a session only what answers its questions: delegate functions, and what items measure.
  ///
  /// The scenario's sections are those that the session has. Throws as `resolved(for:)` and as the
  /// session's setters.
  public func supplyAnswers(to session: Session) throws(HostError) {
    var resolved = ResolvedScenario()
    let full = try over(.defaults).resolved(for: session.engine.chain)
    (resolved.functions, resolved.measure) = (full.functions, full.measure)
    (resolved.environment, resolved.itemCounts) = (full.environment, full.itemCounts)
    try resolved.supply(session)
  }
}
