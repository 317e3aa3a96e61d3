/// Everything that a session is given, as plain data in which every default is filled in.
///
/// A scenario resolves to it, a recording is its calls, and the conformance suite examines engines
/// with it. The viewport settings are its properties: `setup.bounds`.
@dynamicMemberLookup
public struct SessionSetup: Hashable, Sendable {
  /// The viewport settings.
  public var viewport = Viewport()
  /// The values of parameters by name; the others keep their initial values.
  public var parameters: [String: Value] = [:]
  /// The records of lists by name; the others are empty.
  public var lists: [String: RecordList] = [:]
  /// The item count of each section.
  public var counts: [Int]
  /// Section values by name.
  public var sectionValues: [String: ValueColumn] = [:]
  /// Item values by name, for the items of all sections in order.
  public var itemValues: [String: ValueColumn] = [:]
  /// Answers of delegate functions by name, as a scenario has them.
  public var delegate: [String: JSONNode] = [:]
  /// The size of each item for engines that measure items, as a scenario has it.
  public var measure: JSONNode?

  /// The default setup, of one section of 20 items or of sections with other item counts.
  public init(counts: [Int] = [Scenario.defaultItemCount]) { self.counts = counts }

  /// The number of items in all sections.
  public var itemCount: Int { counts.reduce(0, +) }

  /// A viewport setting.
  public subscript<Item>(dynamicMember path: WritableKeyPath<Viewport, Item>) -> Item {
    get { viewport[keyPath: path] }
    set { viewport[keyPath: path] = newValue }
  }

  /// Gives a session the setup.
  ///
  /// Throws `.invalidInput` for what the engine does not take.
  ///
  /// - Parameter resetting: Whether the parameters, lists, answers and measures of an earlier setup that
  ///   this one leaves out are removed; they stay by default.
  public func apply(to session: Session, resetting: Bool = false) throws(HostError) {
    if resetting {
      let known = Vocabulary(session.engine.chain).settableParameters
      for name in known.sorted() where parameters[name] == nil {
        try session.resetParameter(name)
      }
      for list in session.engine.chain.flatMap(\.lists) where lists[list.name] == nil {
        try session.setList(list.name, to: nil)
      }
      for function in session.engine.chain.flatMap(\.delegateFunctions) {
        try session.setDelegate(function.name, nil)
      }
      session.measure = nil
    }
    for call in calls { try call.set(on: session) }
  }

  /// Gives a session only the values of sections and items.
  public func applyValues(to session: Session) throws(HostError) {
    for call in valueCalls { try call.set(on: session) }
  }

  /// The setup as calls to a session.
  public var calls: [SessionCall] {
    surroundingCalls + [.offset(viewport.offset)] + parameterCalls + listCalls
      + [.sections(counts)] + valueCalls + answerCalls
  }

  /// The calls that set the viewport settings other than the scroll offset.
  var surroundingCalls: [SessionCall] {
    [
      .bounds(viewport.bounds), .contentInsets(viewport.contentInsets),
      .safeAreaInsets(viewport.safeAreaInsets), .layoutMargins(viewport.layoutMargins),
      .scale(viewport.scale), .direction(viewport.direction),
    ]
  }

  var parameterCalls: [SessionCall] {
    parameters.sorted { $0.key < $1.key }.map { .parameter($0.key, $0.value) }
  }

  var listCalls: [SessionCall] {
    lists.sorted { $0.key < $1.key }.map { .list($0.key, $0.value) }
  }

  var valueCalls: [SessionCall] {
    sectionValues.sorted { $0.key < $1.key }.map { .sectionValues($0.key, $0.value) }
      + itemValues.sorted { $0.key < $1.key }.map { .itemValues($0.key, $0.value) }
  }

  /// The calls that set the answers to an engine's questions.
  var answerCalls: [SessionCall] {
    delegate.sorted { $0.key < $1.key }.map { .delegate($0.key, $0.value) }
      + (measure.map { [.measure($0)] } ?? [])
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
  ) throws(HostError) -> (setup: SessionSetup, notes: [String]) {
    try resolved(for: Vocabulary(chain))
  }

  /// The same, with the names of the engines that were collected before.
  func resolved(
    for vocabulary: Vocabulary
  ) throws(HostError) -> (setup: SessionSetup, notes: [String]) {
    var resolver = try ScenarioResolver(self, vocabulary)
    return try resolver.resolve()
  }

  /// Gives a session everything that the scenario says, as `SessionSetup.apply(to:)`.
  ///
  /// Returns notes for the user. Throws as `resolved(for:)` and as the session's setters.
  @discardableResult
  public func apply(to session: Session) throws(HostError) -> [String] {
    let (setup, notes) = try resolved(for: session.engine.chain)
    try setup.apply(to: session)
    return notes
  }
}
