import CTessera

/// What the user of a session has set, what derived engines override, and so what each engine of the
/// chain is given.
///
/// Precedence, lowest first: the declared initial; `defaults` of derived engines, the most derived
/// last; the user's; overrides, where the engine nearest to the declaring one has the last word.
final class SessionValues {
  /// A parameter or value of one engine of the chain.
  struct Place: Equatable {
    let layer: Int
    let index: Int
  }

  struct Override {
    let place: Place
    /// The engine that overrides, by its place in the chain.
    let by: Int
    let value: tessera_value
  }

  struct ColumnOverride {
    let place: Place
    let by: Int
    let memory: OverrideMemory
  }

  let chain: [EngineDescription]
  /// Where section and item values lie.
  let memory: any InputMemory
  /// What each parameter of each engine is where the user sets nothing.
  private let initial: [[tessera_value]]
  /// What each parameter is before overrides.
  private(set) var settings: [[tessera_value]]
  /// What the user has set, by name.
  private(set) var given: [String: Value] = [:]
  private(set) var columns: [[ValueMemory?]]
  private(set) var delegates: [[DelegateFunction?]]
  /// What measuring supplies; nil where nothing is measured.
  var sizing: SizingColumn?
  /// The same in a worker, where the column is the host's.
  private(set) var borrowedSizing: (place: Place, memory: ValueMemory)?
  var overrides: [Override] = []
  var columnOverrides: [ColumnOverride] = []
  /// One value of every type that is all zero bytes.
  let zero: ValueMemory

  /// - Parameter memory: Where section and item values go.
  /// - Throws: `.cannotLoad` for a default that no base takes.
  init(
    chain: [EngineDescription], memory: any InputMemory = ProcessInput()
  ) throws(HostError) {
    self.chain = chain
    self.memory = memory
    zero = try ValueMemory(
      .constant(.rect(.zero)), choices: [], name: "", memory: ProcessInput())
    var initial = chain.map { engine in
      engine.parameters.map { $0.initial.raw(choices: $0.choices) ?? tessera_value() }
    }
    for (layer, engine) in chain.enumerated().reversed() {
      for preset in engine.defaults {
        guard let place = Self.parameter(preset.name, in: chain, from: layer + 1) else {
          throw HostError(
            .cannotLoad,
            "\(engine.id) gives its base \(engine.base ?? "") the parameter \(preset.name), which "
              + "that does not have")
        }
        let declared = chain[place.layer].parameters[place.index]
        if let problem = declared.problem(with: preset.value) {
          throw HostError(
            .cannotLoad,
            "\(engine.id) gives its base the parameter \(preset.name), which \(problem)")
        }
        initial[place.layer][place.index] =
          preset.value.raw(choices: declared.choices) ?? tessera_value()
      }
    }
    self.initial = initial
    settings = initial
    columns = chain.map { Array(repeating: nil, count: $0.values.count) }
    delegates = chain.map { Array(repeating: nil, count: $0.delegateFunctions.count) }
  }

  /// The nearest engine of the chain, from a place on, that declares a parameter.
  static func parameter(_ name: String, in chain: [EngineDescription], from layer: Int) -> Place? {
    for number in chain.indices.dropFirst(layer) {
      if let index = chain[number].parameterIndex(name) {
        return Place(layer: number, index: index)
      }
    }
    return nil
  }

  /// Sets a parameter of the most derived engine that declares it, or forgets what was set.
  func setParameter(_ name: String, to value: Value?) throws(HostError) {
    guard let place = Self.parameter(name, in: chain, from: 0) else {
      throw unknown("parameter", name, chain.flatMap { $0.parameters.map(\.name) })
    }
    if let owner = owner(of: name, declaredBy: place.layer) {
      throw HostError(.invalidInput, "\(name) cannot be set: \(owner) decides it itself")
    }
    let declared = chain[place.layer].parameters[place.index]
    if let value, let problem = declared.problem(with: value) {
      throw HostError(.invalidInput, "\(name) \(problem)")
    }
    given[name] = value
    settings[place.layer][place.index] =
      value?.raw(choices: declared.choices) ?? initial[place.layer][place.index]
  }

  /// The derived engine that keeps a base's parameter to itself.
  private func owner(of name: String, declaredBy layer: Int) -> String? {
    chain[..<layer].first { engine in
      engine.defaults.contains { $0.name == name && $0.isOwned }
    }?.id
  }

  /// Sets the values of all sections or all items.
  func setValues(
    _ name: String, _ scope: ValueDescription.Scope, _ column: ValueColumn, count: Int
  ) throws(HostError) {
    let what = scope == .section ? "section" : "item"
    guard let layer = chain.firstIndex(where: { $0.valueIndex(name, scope) != nil }),
      let index = chain[layer].valueIndex(name, scope)
    else {
      throw unknown(
        "\(what) value", name,
        chain.flatMap { $0.values.filter { $0.scope == scope }.map(\.name) })
    }
    let declared = chain[layer].values[index]
    guard declared.type == column.type else {
      throw HostError(
        .invalidInput,
        "\(name) is given as \(column.type.name); expected values of type \(declared.type.name)")
    }
    if let given = column.count, given != count {
      throw HostError(
        .invalidInput,
        "\(name) has \(given) values for \(count) \(what)s; give one value, or \(count)")
    }
    columns[layer][index] = try ValueMemory(
      column, choices: declared.choices, name: name, memory: memory)
  }

  /// Takes a column that was given for a value of other engines.
  ///
  /// - Returns: Whether these engines declare one like it.
  func adopt(_ column: ValueMemory, _ value: ValueDescription) -> Bool {
    for (layer, engine) in chain.enumerated() {
      guard let index = engine.valueIndex(value.name, value.scope) else { continue }
      let declared = engine.values[index]
      guard declared.type == value.type, declared.choices == value.choices else { return false }
      columns[layer][index] = column
      return true
    }
    return false
  }

  /// Takes what a session in another process holds.
  ///
  /// - Parameter delegates: The functions that answer for that session, of which some hold.
  func adopt(_ data: SuppliedData, delegates: [[DelegateFunction]]) {
    settings = data.settings
    columns = data.columns
    borrowedSizing = data.sizing
    self.delegates = zip(delegates, data.delegates).map { functions, isGiven in
      zip(functions, isGiven).map { $1 ? $0 : nil }
    }
  }

  /// Forgets all section and item values.
  func forgetValues() {
    for layer in columns.indices {
      for index in columns[layer].indices { columns[layer][index] = nil }
    }
  }

  /// Moves one item's values to another place among all items.
  func moveItem(_ from: Int, to: Int, of count: Int) throws(HostError) {
    for (layer, engine) in chain.enumerated() {
      for (index, value) in engine.values.enumerated() where value.scope == .item {
        columns[layer][index] = try columns[layer][index]?.moving(from, to: to, of: count)
      }
    }
    sizing?.move(from, to: to)
  }

  /// Sets what answers a delegate function; nil takes it away.
  func setDelegate(_ name: String, _ function: DelegateFunction?) throws(HostError) {
    for layer in chain.indices {
      guard let index = chain[layer].delegateFunctions.firstIndex(where: { $0.name == name })
      else { continue }
      let declared = try chain[layer].delegateFunctions[index].parsedSignature
      guard function == nil || function?.signature == declared else {
        throw HostError(
          .invalidInput,
          "\(name) is given as \(function?.signature.description ?? ""); expected \(declared)")
      }
      delegates[layer][index] = function
      return
    }
    throw unknown(
      "delegate function", name, chain.flatMap { $0.delegateFunctions.map(\.name) })
  }

  /// The error of a delegate function that failed since this was last asked.
  func takeDelegateError() -> HostError? {
    for function in delegates.joined() {
      if let error = function?.takeError() { return error }
    }
    return nil
  }

  /// Writes what each engine is given now.
  func fill(_ layers: [Layer]) {
    for (number, layer) in layers.enumerated() {
      for index in layer.parameters.indices {
        refreshParameter(Place(layer: number, index: index), layer)
      }
      for index in layer.columns.indices {
        refreshColumn(Place(layer: number, index: index), layer)
      }
      for index in layer.functions.indices {
        layer.functions[index] = delegates[number][index]?.function ?? tessera_function()
      }
    }
  }

  private func unknown(_ what: String, _ name: String, _ known: [String]) -> HostError {
    HostError(
      .invalidInput,
      "\(chain[0].id) has no \(what) \"\(name)\"; \(Suggestion.sentence(for: name, among: known))")
  }
}

extension EngineDescription {
  /// A parameter's place in the order declared.
  func parameterIndex(_ name: String) -> Int? { parameters.firstIndex { $0.name == name } }

  /// A section or item value's place in the order declared.
  func valueIndex(_ name: String, _ scope: ValueDescription.Scope) -> Int? {
    values.firstIndex { $0.name == name && $0.scope == scope }
  }
}
