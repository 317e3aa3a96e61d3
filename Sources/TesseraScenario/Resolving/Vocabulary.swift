/// The names that an engine and its bases take, each at the most derived engine that declares it.
struct Vocabulary {
  /// The engine itself, then its bases.
  let chain: [EngineDescription]
  let engine: String
  private let parameters: [String: ParameterDescription]
  private let sectionValues: [String: ValueDescription]
  private let itemValues: [String: ValueDescription]

  init(_ chain: [EngineDescription]) {
    self.chain = chain
    engine = chain.first?.id ?? "the engine"
    parameters = Dictionary(
      chain.flatMap(\.parameters).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    sectionValues = Dictionary(
      chain.flatMap(\.sectionValues).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    itemValues = Dictionary(
      chain.flatMap(\.itemValues).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func parameter(_ name: String, for setting: Setting) throws(HostError) -> ParameterDescription {
    if let found = parameters[name] { return found }
    throw unknown(name, "parameter", among: parameters.keys.sorted(), setting)
  }

  func value(
    _ name: String, _ scope: ValueDescription.Scope, for setting: Setting
  ) throws(HostError) -> ValueDescription {
    let values = scope == .item ? itemValues : sectionValues
    if let found = values[name] { return found }
    let noun = scope == .item ? "item value" : "section value"
    throw unknown(name, noun, among: values.keys.sorted(), setting)
  }

  func delegateFunction(
    _ name: String, for setting: Setting
  ) throws(HostError) -> FunctionDescription {
    let functions = chain.flatMap(\.delegateFunctions)
    if let found = functions.first(where: { $0.name == name }) { return found }
    throw HostError(
      .invalidInput,
      "\(setting.source): \(engine) declares no delegate function \(quoted(name)); "
        + hint(name, among: functions.map(\.name)))
  }

  /// All values that the engine takes for each item, by name.
  var allItemValues: [ValueDescription] { itemValues.values.sorted { $0.name < $1.name } }

  /// The value that stands in where none is given: the fallback parameter's, as the user set it,
  /// else as the most derived engine starts it, else as declared; without a fallback the zero.
  func standIn(
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
    _ name: String, _ noun: String, among known: [String], _ setting: Setting
  ) -> HostError {
    let others = [
      ("a parameter", parameters[name] != nil), ("a section value", sectionValues[name] != nil),
      ("an item value", itemValues[name] != nil),
    ]
    let other = others.first { $0.1 }.map { "it is \($0.0)" }
    return HostError(
      .invalidInput,
      "\(setting.source): \(engine) has no \(noun) \(quoted(name)); "
        + (other ?? hint(name, among: known)))
  }
}

extension Scenario {
  /// The scenario for one of two engines that lay out the same: without parameters, values and
  /// answers that only the other one takes.
  ///
  /// What neither takes stays, so that it is told. Both are chains, the engine itself first.
  public func shared(
    for chain: [EngineDescription], with other: [EngineDescription]
  ) -> Scenario {
    let own = chain.names
    let others = other.names
    func kept(
      _ settings: [String: Setting], _ names: KeyPath<EngineNames, Set<String>>
    ) -> [String: Setting] {
      settings.filter {
        own[keyPath: names].contains($0.key) || !others[keyPath: names].contains($0.key)
      }
    }
    var result = self
    result.parameters = kept(parameters, \.parameters)
    result.sectionValues = kept(sectionValues, \.sectionValues)
    result.itemValues = kept(itemValues, \.itemValues)
    result.delegate = kept(delegate, \.functions)
    if case .sections(let sections) = content {
      result.content = .sections(
        sections.map {
          Section(
            items: $0.items, values: kept($0.values, \.sectionValues),
            itemValues: kept($0.itemValues, \.itemValues))
        })
    }
    return result
  }
}

/// All names that an engine takes, its bases' included.
private struct EngineNames {
  var parameters: Set<String> = []
  var sectionValues: Set<String> = []
  var itemValues: Set<String> = []
  var functions: Set<String> = []
}

extension [EngineDescription] {
  fileprivate var names: EngineNames {
    var names = EngineNames()
    var owned: Set<String> = []
    for engine in self {
      names.parameters.formUnion(engine.parameters.map(\.name).filter { !owned.contains($0) })
      owned.formUnion(engine.defaults.filter(\.isOwned).map(\.name))
      names.sectionValues.formUnion(engine.sectionValues.map(\.name))
      names.itemValues.formUnion(engine.itemValues.map(\.name))
      names.functions.formUnion(engine.delegateFunctions.map(\.name))
    }
    return names
  }
}
