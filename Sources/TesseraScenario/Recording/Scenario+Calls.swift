extension Scenario {
  /// What `apply(to:)` does, as calls; and what a person should hear.
  ///
  /// Throws as `resolved(for:)`.
  func calls(
    for chain: [EngineDescription]
  ) throws(HostError) -> (calls: [SessionCall], notes: [String]) {
    let full = over(.defaults)
    let resolved = try full.resolved(for: chain)
    var calls = full.surroundingCalls
    if let offset = full.offset { calls.append(.offset(offset)) }
    calls += resolved.parameters.sorted { $0.key < $1.key }.map { .parameter($0.key, $0.value) }
    calls.append(.sections(resolved.itemCounts))
    return (calls + full.supplyCalls(resolved), resolved.notes)
  }

  /// What `applySurroundings(to:)` does, as calls.
  var surroundingCalls: [SessionCall] {
    var calls: [SessionCall] = []
    if let bounds { calls.append(.bounds(bounds)) }
    if let contentInsets { calls.append(.contentInsets(contentInsets)) }
    if let safeAreaInsets { calls.append(.safeAreaInsets(safeAreaInsets)) }
    if let layoutMargins { calls.append(.layoutMargins(layoutMargins)) }
    if let scale { calls.append(.scale(scale)) }
    if let direction { calls.append(.direction(direction)) }
    return calls
  }

  /// What `ResolvedScenario.supply` does, as calls; this scenario is the one that was resolved.
  func supplyCalls(_ resolved: ResolvedScenario) -> [SessionCall] {
    var calls: [SessionCall] = []
    for (name, column) in resolved.sectionColumns.sorted(by: { $0.key < $1.key }) {
      calls.append(.sectionValues(name, column))
    }
    for (name, column) in resolved.itemColumns.sorted(by: { $0.key < $1.key }) {
      calls.append(.itemValues(name, column))
    }
    for (name, setting) in delegate.sorted(by: { $0.key < $1.key }) {
      calls.append(.delegate(name, setting.value))
    }
    if let measure { calls.append(.measure(measure.value)) }
    return calls
  }
}

extension ResolvedUpdate {
  /// What `apply(to:)` does, as a call.
  var call: SessionCall {
    .update(
      batch.operations, counts: batch.after,
      changes: after.surroundingCalls
        + parameters.sorted { $0.key < $1.key }.map { .parameter($0.key, $0.value) }
        + after.supplyCalls(values))
  }
}
