// How a session is given the input that a scenario resolves to.

extension Session {
  /// Sets one field of the input.
  ///
  /// Throws what the session's setters throw, and `.invalidInput` for an answer that does not fit its
  /// engine.
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
      let declared = try Vocabulary(engine.chain).delegateFunction(name, for: answer)
      let function = try CompiledFunction(declared, answer)
      try setDelegate(name, try function.delegate(environment, itemCounts: itemCounts))
    case .measure(nil): measure = nil
    case .measure(let size?):
      measure = try CompiledValue(measure: size).measure(environment, itemCounts: itemCounts)
    }
  }

  /// The variables that the answers of delegate functions may use.
  private var environment: ExpressionEnvironment {
    ExpressionEnvironment(viewport, sections: itemCounts.count)
  }
}

extension LayoutInput {
  /// Gives a session the input.
  ///
  /// Throws `.invalidInput` for what the engine does not take.
  ///
  /// - Parameter resetting: Whether the parameters, lists, answers and measures of an earlier input that
  ///   this one leaves out are removed; they stay by default.
  public func apply(to session: Session, resetting: Bool = false) throws(HostError) {
    if resetting {
      let known = Vocabulary(session.engine.chain).settableParameters
      for name in known.sorted() where parameters[name] == nil { try session.resetParameter(name) }
      for list in session.engine.chain.flatMap(\.lists) where lists[list.name] == nil {
        try session.setList(list.name, to: nil)
      }
      for function in session.engine.chain.flatMap(\.delegateFunctions) {
        try session.setDelegate(function.name, nil)
      }
      session.measure = nil
    }
    for change in changes() { try session.set(change) }
  }

  /// Gives a session only the values of sections and items.
  public func applyValues(to session: Session) throws(HostError) {
    for change in changes(of: [.sectionValues, .itemValues]) { try session.set(change) }
  }
}

extension Scenario {
  /// Evaluates the scenario for an engine and its bases, the engine first.
  ///
  /// Also returns notes for the user: the columns of a table that the engine has no item value for.
  /// Throws `.invalidInput`, naming the key or option: a name that the engine does not have, a value of
  /// the wrong type or length, an expression that is malformed or whose result is not finite. O(n) in
  /// items if a value differs from item to item, of which there can be 100 million, else O(sections).
  public func resolved(
    for chain: [EngineDescription]
  ) throws(HostError) -> (input: LayoutInput, notes: [String]) {
    try resolved(for: Vocabulary(chain))
  }

  /// The same, with the names of the engines that were collected before.
  func resolved(
    for vocabulary: Vocabulary
  ) throws(HostError) -> (input: LayoutInput, notes: [String]) {
    var resolver = try ScenarioResolver(self, vocabulary)
    return try resolver.resolve()
  }

  /// Gives a session everything that the scenario says, as `LayoutInput.apply(to:)`.
  ///
  /// Returns notes for the user. Throws as `resolved(for:)` and as the session's setters.
  @discardableResult
  public func apply(to session: Session) throws(HostError) -> [String] {
    let (input, notes) = try resolved(for: session.engine.chain)
    try input.apply(to: session)
    return notes
  }
}
