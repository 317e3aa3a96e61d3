/// The names that an engine and its bases take, each at the most derived engine that declares it.
struct Vocabulary {
  /// The engine itself, then its bases.
  let chain: [EngineDescription]
  let engine: String
  private let parameters: [String: ParameterDescription]
  private let lists: [String: ListDescription]
  fileprivate let sectionValues: [String: ValueDescription]
  fileprivate let itemValues: [String: ValueDescription]

  init(_ chain: [EngineDescription]) {
    self.chain = chain
    engine = chain.first?.id ?? "the engine"
    parameters = Dictionary(
      chain.flatMap(\.parameters).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    lists = Dictionary(
      chain.flatMap(\.lists).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    sectionValues = Dictionary(
      chain.flatMap(\.sectionValues).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    itemValues = Dictionary(
      chain.flatMap(\.itemValues).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func parameter(_ name: String, for node: JSONNode) throws(HostError) -> ParameterDescription {
    if let found = parameters[name] { return found }
    throw unknown(name, "parameter", among: parameters.keys.sorted(), node)
  }

  func list(_ name: String, for node: JSONNode) throws(HostError) -> ListDescription {
    if let found = lists[name] { return found }
    throw unknown(name, "list", among: lists.keys.sorted(), node)
  }

  func value(
    _ name: String, _ scope: ValueDescription.Scope, for node: JSONNode
  ) throws(HostError) -> ValueDescription {
    let values = scope == .item ? itemValues : sectionValues
    if let found = values[name] { return found }
    let noun = scope == .item ? "item value" : "section value"
    throw unknown(name, noun, among: values.keys.sorted(), node)
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

  /// All values that the engine takes for each item, by name.
  var allItemValues: [ValueDescription] { itemValues.values.sorted { $0.name < $1.name } }

  /// The value of a section or item without one: that of the fallback parameter, as it is set, else as
  /// the most derived engine initializes it, else as declared; without a fallback parameter zero.
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

  private func unknown(
    _ name: String, _ noun: String, among known: [String], _ node: JSONNode
  ) -> HostError {
    let others = [
      ("a parameter", parameters[name] != nil), ("a list", lists[name] != nil),
      ("a section value", sectionValues[name] != nil), ("an item value", itemValues[name] != nil),
    ]
    let other = others.first { $0.1 }.map { "it is \($0.0)" }
    return HostError(
      .unknownName,
      "\(node.source): \(engine) has no \(noun) \(quoted(name)); "
        + (other ?? hint(name, among: known)))
  }
}

extension Scenario {
  /// The scenario for one of two engines that lay out the same items: without the parameters, values
  /// and answers that only the other engine takes.
  ///
  /// A name that neither takes stays, so that it is reported. Each chain starts with the engine itself.
  public func shared(
    for chain: [EngineDescription], with other: [EngineDescription]
  ) -> Scenario {
    let own = Vocabulary(chain)
    let others = Vocabulary(other)
    func kept(
      _ settings: [String: JSONNode], _ names: KeyPath<Vocabulary, Set<String>>
    ) -> [String: JSONNode] {
      let (own, others) = (own[keyPath: names], others[keyPath: names])
      return settings.filter { own.contains($0.key) || !others.contains($0.key) }
    }
    var result = self
    result.parameters = kept(parameters, \.settableParameters)
    result.lists = kept(lists, \.listNames)
    result.sectionValues = kept(sectionValues, \.sectionValueNames)
    result.itemValues = kept(itemValues, \.itemValueNames)
    result.delegate = kept(delegate, \.functionNames)
    if case .sections(let sections) = content {
      result.content = .sections(
        sections.map {
          Section(
            items: $0.items, values: kept($0.values, \.sectionValueNames),
            itemValues: kept($0.itemValues, \.itemValueNames))
        })
    }
    return result
  }
}

extension Vocabulary {
  /// The parameters that no engine derived from their owner keeps to itself.
  var settableParameters: Set<String> {
    var names: Set<String> = []
    var owned: Set<String> = []
    for engine in chain {
      names.formUnion(engine.parameters.map(\.name).filter { !owned.contains($0) })
      owned.formUnion(engine.defaults.filter(\.isOwned).map(\.name))
    }
    return names
  }

  fileprivate var listNames: Set<String> { Set(lists.keys) }
  fileprivate var sectionValueNames: Set<String> { Set(sectionValues.keys) }
  fileprivate var itemValueNames: Set<String> { Set(itemValues.keys) }
  fileprivate var functionNames: Set<String> { Set(chain.flatMap(\.delegateFunctions).map(\.name)) }
}
