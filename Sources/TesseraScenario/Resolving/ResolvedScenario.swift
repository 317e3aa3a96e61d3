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
