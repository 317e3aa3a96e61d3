/// A change of the data evaluated for one engine, ready to be applied.
public struct ResolvedUpdate: Sendable {
  /// What a session is to be filled with before the change.
  public let before: Scenario
  /// What is laid out after the change.
  public let after: Scenario
  /// What a person should hear of the scenario after the change.
  public var notes: [String] { values.notes }
  let batch: UpdateBatch
  let values: ResolvedScenario
  /// The parameters that the change sets to something else.
  let parameters: [String: Value]
}

extension UpdateScript {
  /// Evaluates the script for an engine and its bases, the engine first.
  ///
  /// What the scenario after the change leaves out is as before it. Throws `.invalidInput`, naming
  /// the key, as `Scenario.resolved(for:)`, and for operations that cannot be.
  ///
  /// - Parameter options: What wins over both scenarios.
  public func resolved(
    for chain: [EngineDescription], options: Scenario = Scenario()
  ) throws(HostError) -> ResolvedUpdate {
    let old = options.over(before).over(.defaults)
    let new = options.over(after.over(before)).over(.defaults)
    let parameters = try old.resolved(for: chain).parameters
    let values = try new.resolved(for: chain)
    return ResolvedUpdate(
      before: old, after: new, batch: try batch(from: old.itemCounts, to: new.itemCounts),
      values: values, parameters: values.parameters.filter { parameters[$0.key] != $0.value })
  }
}

extension ResolvedUpdate {
  /// Applies the change to a session that `before` has filled.
  ///
  /// Throws what the engine refuses, and what is wrong with its own values.
  ///
  /// - Complexity: O(*n*) for the elements before and after.
  public func apply(to session: Session) throws(HostError) -> LayoutAnimation {
    try session.update(batch) { session throws(HostError) in
      after.applySurroundings(to: session)
      for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
        try session.setParameter(name, to: value)
      }
      try values.supply(session)
    }
  }
}
