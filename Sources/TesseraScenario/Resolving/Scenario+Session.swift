extension Scenario {
  /// Gives a session everything that the scenario says: surroundings, parameters, sections, values,
  /// answers of delegate functions, what items measure.
  ///
  /// What the scenario leaves out is as in `defaults`; parameters, answers and measures that an
  /// earlier scenario gave stay. Returns what a person should hear. Throws as `resolved(for:)` and
  /// as the session's setters.
  @discardableResult
  public func apply(to session: Session) throws(HostError) -> [String] {
    let full = over(.defaults)
    let resolved = try full.resolved(for: session.engine.chain)
    full.applySurroundings(to: session)
    if let offset = full.offset { session.offset = offset }
    for (name, value) in resolved.parameters.sorted(by: { $0.key < $1.key }) {
      try session.setParameter(name, to: value)
    }
    try session.setSections(resolved.itemCounts)
    try resolved.supply(session)
    return resolved.notes
  }

  /// Gives a session everything around the content but where it is scrolled to.
  func applySurroundings(to session: Session) {
    if let bounds { session.bounds = bounds }
    if let contentInsets { session.contentInsets = contentInsets }
    if let safeAreaInsets { session.safeAreaInsets = safeAreaInsets }
    if let layoutMargins { session.layoutMargins = layoutMargins }
    if let scale { session.scale = scale }
    if let direction { session.direction = direction }
  }
}

extension ResolvedScenario {
  /// Gives a session the values of its sections and items, and what answers its questions.
  func supply(_ session: Session) throws(HostError) {
    for (name, column) in sectionColumns.sorted(by: { $0.key < $1.key }) {
      try session.setSectionValues(name, column)
    }
    for (name, column) in itemColumns.sorted(by: { $0.key < $1.key }) {
      try session.setItemValues(name, column)
    }
    for function in functions {
      try session.setDelegate(
        function.name, try function.delegate(environment, itemCounts: itemCounts))
    }
    if let measure {
      session.measure = measure.closure(environment, itemCounts: itemCounts)
    }
  }
}
