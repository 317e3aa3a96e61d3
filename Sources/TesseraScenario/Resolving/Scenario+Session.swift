extension Scenario {
  /// Gives a session everything that the scenario says: surroundings, parameters, sections, values.
  ///
  /// What the scenario leaves out is as in `defaults`; parameters that an earlier scenario set stay.
  /// Returns what a person should hear. Throws as `resolved(for:)` and as the session's setters.
  @discardableResult
  public func apply(to session: Session) throws(HostError) -> [String] {
    let full = over(.defaults)
    let resolved = try full.resolved(for: session.engine.chain)
    if let bounds = full.bounds { session.bounds = bounds }
    if let offset = full.offset { session.offset = offset }
    if let contentInsets = full.contentInsets { session.contentInsets = contentInsets }
    if let safeAreaInsets = full.safeAreaInsets { session.safeAreaInsets = safeAreaInsets }
    if let layoutMargins = full.layoutMargins { session.layoutMargins = layoutMargins }
    if let scale = full.scale { session.scale = scale }
    if let direction = full.direction { session.direction = direction }
    for (name, value) in resolved.parameters.sorted(by: { $0.key < $1.key }) {
      try session.setParameter(name, to: value)
    }
    try session.setSections(resolved.itemCounts)
    for (name, column) in resolved.sectionColumns.sorted(by: { $0.key < $1.key }) {
      try session.setSectionValues(name, column)
    }
    for (name, column) in resolved.itemColumns.sorted(by: { $0.key < $1.key }) {
      try session.setItemValues(name, column)
    }
    return resolved.notes
  }
}
