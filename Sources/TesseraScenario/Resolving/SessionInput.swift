extension Session {
  /// Sets one field of the input; throws as the session's setters, and `.invalidInput`.
  public func set(_ change: InputChange) throws(HostError) {
    switch change {
    case .setting(let field, let value): field.set(value, in: &viewport)
    case .parameter(let name, let value?): try setParameter(name, to: value)
    case .parameter(let name, nil): try resetParameter(name)
    case .list(let name, let records): try setList(name, to: records)
    case .sections(let counts): try setSections(counts)
    case .sectionValues(let name, let column): try setSectionValues(name, column)
    case .itemValues(let name, let column): try setItemValues(name, column)
    case .delegate(let name, nil): try setDelegate(name, nil)
    case .delegate(let name, let answer?):
      let function = try Vocabulary(engine.chain).delegateFunction(name, for: answer)
      try setDelegate(name, try function.delegate(answer, environment, itemCounts: itemCounts))
    case .measure(nil): measure = nil
    case .measure(let size?):
      measure = try Formula(measure: size).measure(environment, itemCounts: itemCounts)
    }
  }

  private var environment: ExpressionEnvironment {
    ExpressionEnvironment(viewport, sections: itemCounts.count)
  }
}

extension LayoutInput {
  /// Applies the input to a session; throws `.invalidInput`.
  ///
  /// - Parameter resetting: Removes settings of an earlier input that this one omits.
  public func apply(to session: Session, resetting: Bool = false) throws(HostError) {
    try SessionDriver(session).apply(self, resetting: resetting)
  }

  /// Sets only the values of sections and items.
  public func applyValues(to session: Session) throws(HostError) {
    for change in changes(of: [.sectionValues, .itemValues]) { try session.set(change) }
  }
}

extension Scenario {
  /// Evaluates the scenario for an engine and its bases, the engine first.
  ///
  /// Returns notes on unused columns, too. Throws `.invalidInput` with the key or option. O(n) in
  /// items if values differ between items (at most 100 million), else O(sections).
  public func resolved(
    for chain: [EngineDescription]
  ) throws(HostError) -> (input: LayoutInput, notes: [String]) {
    try resolved(for: Vocabulary(chain))
  }

  func resolved(
    for vocabulary: Vocabulary
  ) throws(HostError) -> (input: LayoutInput, notes: [String]) {
    var resolver = try ScenarioResolver(self, vocabulary)
    return try resolver.resolve()
  }

  /// Applies everything, and returns notes for the user; throws as `resolved(for:)`.
  @discardableResult
  public func apply(to session: Session) throws(HostError) -> [String] {
    try SessionDriver(session).fill(from: self)
  }
}
