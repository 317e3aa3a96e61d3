/// A scenario evaluated for one engine: every value has its type, every column its values.
public struct ResolvedScenario: Sendable {
  /// The values of the parameters that the scenario sets, by name.
  public internal(set) var parameters: [String: Value] = [:]
  /// How many items each section has.
  public internal(set) var itemCounts: [Int] = []
  /// A value for each section, by name.
  public internal(set) var sectionColumns: [String: ValueColumn] = [:]
  /// A value for each item of all sections in order, by name.
  public internal(set) var itemColumns: [String: ValueColumn] = [:]
  /// What answers delegate functions.
  var functions: [CompiledFunction] = []
  /// What items measure.
  var measure: CompiledMeasure?
  /// The variables of the whole layout.
  var environment = ExpressionEnvironment()
  /// What a person should hear: columns of a table that the engine has no item value for.
  public internal(set) var notes: [String] = []
}

extension Scenario {
  /// Evaluates the scenario for an engine and its bases, the engine first.
  ///
  /// What the scenario leaves out is as in `defaults`. Throws `.invalidInput`, naming the key or
  /// option: a name that the engine does not have, a value of the wrong type or length, an
  /// expression that cannot be read or whose result is not finite. O(n) in items where a value
  /// differs from item to item, of which there can be 100 million, else O(sections).
  public func resolved(for chain: [EngineDescription]) throws(HostError) -> ResolvedScenario {
    var resolver = try ScenarioResolver(over(.defaults), Vocabulary(chain))
    return try resolver.resolve()
  }
}

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
