import CTessera

/// What the user of a session has set, and what each engine of the chain is given for it.
struct SessionValues {
  private struct Place: Hashable {
    let layer: Int
    let index: Int
  }

  private let chain: [EngineDescription]
  /// What each parameter of each engine is where the user sets nothing.
  private let initial: [[Value]]
  private var parameters: [Place: Value] = [:]
  private var columns: [Place: ValueMemory] = [:]
  /// One value of every type that is all zero bytes.
  private let zero: ValueMemory

  /// - Throws: `.cannotLoad` for a default that no base takes.
  init(chain: [EngineDescription]) throws(HostError) {
    self.chain = chain
    zero = try ValueMemory(.constant(.rect(.zero)), choices: [], name: "")
    var initial = chain.map { $0.parameters.map(\.initial) }
    for (layer, engine) in chain.enumerated().reversed() {
      for preset in engine.defaults {
        let bases = chain.indices.dropFirst(layer + 1)
        guard
          let base = bases.first(where: { chain[$0].parameterIndex(preset.name) != nil }),
          let index = chain[base].parameterIndex(preset.name)
        else {
          throw HostError(
            .cannotLoad,
            "\(engine.id) gives its base \(engine.base ?? "") the parameter \(preset.name), which "
              + "that does not have")
        }
        if let problem = chain[base].parameters[index].problem(with: preset.value) {
          throw HostError(
            .cannotLoad, "\(engine.id) gives its base the parameter \(preset.name), which \(problem)")
        }
        initial[base][index] = preset.value
      }
    }
    self.initial = initial
  }

  /// Sets a parameter of the most derived engine that declares it, or forgets what was set.
  mutating func setParameter(_ name: String, to value: Value?) throws(HostError) {
    guard let layer = chain.firstIndex(where: { $0.parameterIndex(name) != nil }),
      let index = chain[layer].parameterIndex(name)
    else {
      throw unknown("parameter", name, chain.flatMap { $0.parameters.map(\.name) })
    }
    if let owner = chain[..<layer].first(where: { engine in
      engine.defaults.contains { $0.name == name && $0.isOwned }
    }) {
      throw HostError(.invalidInput, "\(name) cannot be set: \(owner.id) decides it itself")
    }
    if let value, let problem = chain[layer].parameters[index].problem(with: value) {
      throw HostError(.invalidInput, "\(name) \(problem)")
    }
    parameters[Place(layer: layer, index: index)] = value
  }

  /// Sets the values of all sections or all items.
  mutating func setValues(
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
    columns[Place(layer: layer, index: index)] = try ValueMemory(
      column, choices: declared.choices, name: name)
  }

  /// Forgets all section and item values.
  mutating func forgetValues() { columns.removeAll() }

  /// Writes what each engine is given now.
  func fill(_ layers: [Layer]) {
    for (number, layer) in layers.enumerated() {
      let description = chain[number]
      for (index, parameter) in description.parameters.enumerated() {
        let value = parameters[Place(layer: number, index: index)] ?? initial[number][index]
        layer.parameters[index] = value.raw(choices: parameter.choices) ?? tessera_value()
      }
      for (index, value) in description.values.enumerated() {
        if let memory = columns[Place(layer: number, index: index)] {
          layer.columns[index] = memory.column
        } else if let fallback = value.fallback,
          let parameter = description.parameterIndex(fallback)
        {
          layer.columns[index] = tessera_column(
            data: layer.parameters.baseAddress.map { $0 + parameter }, stride: 0)
        } else {
          layer.columns[index] = tessera_column(data: zero.column.data, stride: 0)
        }
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
