/// The most derived engine wins.
struct Vocabulary {
  /// The engine, then its bases.
  let chain: [EngineDescription]
  let engine: String
  private let parameters: [String: ParameterDescription]
  fileprivate let lists: [String: ListDescription]
  fileprivate let sectionValues: [String: ValueDescription]
  fileprivate let itemValues: [String: ValueDescription]

  init(_ chain: [EngineDescription]) {
    self.chain = chain
    engine = chain.first?.id ?? "the engine"
    func named<Declared>(
      _ declared: (EngineDescription) -> [Declared], _ name: (Declared) -> String
    ) -> [String: Declared] {
      Dictionary(
        chain.flatMap(declared).map { (name($0), $0) }, uniquingKeysWith: { one, _ in one })
    }
    parameters = named(\.parameters, \.name)
    lists = named(\.lists, \.name)
    sectionValues = named(\.sectionValues, \.name)
    itemValues = named(\.itemValues, \.name)
  }

  func parameter(_ name: String, for node: JSONNode) throws(HostError) -> ParameterDescription {
    try find(name, "parameter", among: parameters, node)
  }

  func list(_ name: String, for node: JSONNode) throws(HostError) -> ListDescription {
    try find(name, "list", among: lists, node)
  }

  func value(
    _ name: String, _ scope: ValueDescription.Scope, for node: JSONNode
  ) throws(HostError) -> ValueDescription {
    scope == .item
      ? try find(name, "item value", among: itemValues, node)
      : try find(name, "section value", among: sectionValues, node)
  }

  func delegateFunction(
    _ name: String, for node: JSONNode
  ) throws(HostError) -> FunctionDescription {
    let functions = chain.flatMap(\.delegateFunctions)
    if let found = functions.first(where: { $0.name == name }) { return found }
    throw HostError(
      .unknownName,
      "\(node.source): \(engine) declares no delegate function \(quoted(name)); "
        + hint(name, among: functions.map(\.name)))
  }

  var allItemValues: [ValueDescription] { itemValues.values.sorted { $0.name < $1.name } }

  /// The fallback parameter's set value, else its most derived default; zero without a fallback.
  func fallback(
    for value: ValueDescription, parameters set: [String: Value]
  ) -> Value? {
    guard let name = value.fallback else {
      let zeros = Array(repeating: 0.0, count: max(1, value.type.components.count))
      return value.choices.first.map { .choice($0) } ?? Value(type: value.type, numbers: zeros)
    }
    let start = chain.lazy.flatMap(\.defaults).first { $0.name == name }
    return set[name] ?? start?.value ?? parameters[name]?.initial
  }

  private func find<Declaration>(
    _ name: String, _ noun: String, among known: [String: Declaration], _ node: JSONNode
  ) throws(HostError) -> Declaration {
    if let found = known[name] { return found }
    let others = [
      ("a parameter", parameters[name] != nil), ("a list", lists[name] != nil),
      ("a section value", sectionValues[name] != nil), ("an item value", itemValues[name] != nil),
    ]
    let other = others.first { $0.1 }.map { "it is \($0.0)" }
    throw HostError(
      .unknownName,
      "\(node.source): \(engine) has no \(noun) \(quoted(name)); "
        + (other ?? hint(name, among: known.keys.sorted())))
  }
}

extension Scenario {
  /// The scenario without names that only the other engine has; unknown names stay.
  public func shared(
    for chain: [EngineDescription], with other: [EngineDescription]
  ) -> Scenario {
    let own = Vocabulary(chain)
    let others = Vocabulary(other)
    func kept(
      _ settings: [String: JSONNode], _ names: (Vocabulary) -> some Collection<String>
    ) -> [String: JSONNode] {
      let (own, others) = (Set(names(own)), Set(names(others)))
      return settings.filter { own.contains($0.key) || !others.contains($0.key) }
    }
    var result = self
    result.parameters = kept(parameters, \.settableParameters)
    result.lists = kept(lists, \.lists.keys)
    result.sectionValues = kept(sectionValues, \.sectionValues.keys)
    result.itemValues = kept(itemValues, \.itemValues.keys)
    result.delegate = kept(delegate) { $0.chain.flatMap(\.delegateFunctions).map(\.name) }
    if case .sections(let sections) = content {
      result.content = .sections(
        sections.map {
          Section(
            items: $0.items, values: kept($0.values, \.sectionValues.keys),
            itemValues: kept($0.itemValues, \.itemValues.keys))
        })
    }
    return result
  }
}

extension Vocabulary {
  var settableParameters: Set<String> {
    var names: Set<String> = []
    var owned: Set<String> = []
    for engine in chain {
      names.formUnion(engine.parameters.map(\.name).filter { !owned.contains($0) })
      owned.formUnion(engine.defaults.filter(\.isOwned).map(\.name))
    }
    return names
  }
}
