import CTessera
import TesseraCatalog

/// What the user of a session has set, what derived engines override, and so what each engine of the
/// chain is given.
///
/// Precedence, lowest first: the declared initial; `defaults` of derived engines, the most derived
/// last; the user's; overrides, where the engine nearest to the declaring one has the last word.
package final class SessionValues {
  /// A parameter or value of one engine of the chain.
  package struct Place: Equatable {
    package let layer: Int
    package let index: Int

    package init(layer: Int, index: Int) {
      self.layer = layer
      self.index = index
    }
  }

  package struct Override {
    package let place: Place
    /// The engine that overrides, by its place in the chain.
    package let by: Int
    package let value: tessera_value

    package init(place: Place, by: Int, value: tessera_value) {
      self.place = place
      self.by = by
      self.value = value
    }
  }

  package struct ColumnOverride {
    package let place: Place
    package let by: Int
    package let memory: OverrideMemory

    package init(place: Place, by: Int, memory: OverrideMemory) {
      self.place = place
      self.by = by
      self.memory = memory
    }
  }

  package let chain: [EngineDescription]
  /// Where section and item values lie.
  package let memory: any InputMemory
  /// What each parameter of each engine is where the user sets nothing.
  private let initial: [[tessera_value]]
  /// What each parameter is before overrides.
  package private(set) var settings: [[tessera_value]]
  /// What the user has set, by name.
  package private(set) var given: [String: Value] = [:]
  package private(set) var columns: [[ValueMemory?]]
  package private(set) var delegates: [[DelegateFunction?]]
  /// What measuring supplies; nil where nothing is measured.
  package var sizing: SizingColumn?
  /// The same in a worker, where the column is the host's.
  package private(set) var borrowedSizing: (place: Place, memory: ValueMemory)?
  package var overrides: [Override] = []
  package var columnOverrides: [ColumnOverride] = []
  /// One value of every type that is all zero bytes.
  package let zero: ValueMemory

  /// - Parameter memory: Where section and item values go.
  /// - Throws: `.cannotLoad` for a default that no base takes.
  package init(
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
  package static func parameter(_ name: String, in chain: [EngineDescription], from layer: Int)
    -> Place?
  {
    for number in chain.indices.dropFirst(layer) {
      if let index = chain[number].parameterIndex(name) {
        return Place(layer: number, index: index)
      }
    }
    return nil
  }

  /// Sets a parameter of the most derived engine that declares it, or forgets what was set.
  package func setParameter(_ name: String, to value: Value?) throws(HostError) {
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
  package func setValues(
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
  package func adopt(_ column: ValueMemory, _ value: ValueDescription) -> Bool {
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
  package func adopt(_ data: SuppliedValues, delegates: [[DelegateFunction]]) {
    settings = data.settings
    columns = data.columns
    borrowedSizing = data.sizing
    self.delegates = zip(delegates, data.delegates).map { functions, isGiven in
      zip(functions, isGiven).map { $1 ? $0 : nil }
    }
  }

  /// Forgets all section and item values.
  package func forgetValues() {
    for layer in columns.indices {
      for index in columns[layer].indices { columns[layer][index] = nil }
    }
  }

  /// Moves one item's values to another place among all items.
  package func moveItem(_ from: Int, to: Int, of count: Int) throws(HostError) {
    for (layer, engine) in chain.enumerated() {
      for (index, value) in engine.values.enumerated() where value.scope == .item {
        columns[layer][index] = try columns[layer][index]?.moving(from, to: to, of: count)
      }
    }
    sizing?.move(from, to: to)
  }

  /// Sets what answers a delegate function; nil takes it away.
  package func setDelegate(_ name: String, _ function: DelegateFunction?) throws(HostError) {
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
  package func takeDelegateError() -> HostError? {
    for function in delegates.joined() {
      if let error = function?.takeError() { return error }
    }
    return nil
  }

  /// Writes what each engine is given now.
  package func fill(_ layers: [Layer]) {
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
  package func parameterIndex(_ name: String) -> Int? { parameters.firstIndex { $0.name == name } }

  /// A section or item value's place in the order declared.
  package func valueIndex(_ name: String, _ scope: ValueDescription.Scope) -> Int? {
    values.firstIndex { $0.name == name && $0.scope == scope }
  }
}

/// Values that a derived engine supplies for all sections or items of a base.
///
/// Owned by the session, written by the engine.
package final class OverrideMemory {
  package let bytes: UnsafeMutableRawPointer
  package let column: tessera_column

  /// Memory for `count` values of a type, filled with what a column holds.
  package init(type: ValueType, count: Int, from source: tessera_column) {
    let stride = type.stride
    bytes = .allocate(byteCount: max(32, count * stride), alignment: 16)
    if let data = source.data {
      for index in 0..<count {
        (bytes + index * stride).copyMemory(
          from: data + index * Int(source.stride), byteCount: stride)
      }
    }
    column = tessera_column(data: bytes, stride: UInt64(stride))
  }

  deinit { bytes.deallocate() }
}

extension SessionValues {
  /// What derived engines override of one engine.
  package struct Overridden: Equatable {
    /// Parameters, sorted by their place in the order declared.
    package var parameters: [Int] = []
    /// Whether values of sections or items are overridden.
    package var hasColumns = false
  }

  /// What is overridden of an engine of the chain now.
  package func overridden(_ layer: Int) -> Overridden {
    Overridden(
      parameters: overrides.filter { $0.place.layer == layer }.map(\.place.index).sorted(),
      hasColumns: columnOverrides.contains { $0.place.layer == layer })
  }

  /// Sets a parameter of a base in the name of a derived engine.
  package func override(_ place: Place, by layer: Int, to value: tessera_value, _ layers: [Layer]) {
    overrides.removeAll { $0.place == place && $0.by == layer }
    overrides.append(Override(place: place, by: layer, value: value))
    refreshParameter(place, layers[place.layer])
    let name = chain[place.layer].parameters[place.index].name
    for (index, value) in chain[place.layer].values.enumerated() where value.fallback == name {
      refreshColumn(Place(layer: place.layer, index: index), layers[place.layer])
    }
  }

  /// Gives a derived engine memory for the values of a base.
  package func overrideColumn(
    _ place: Place, by layer: Int, count: Int, _ layers: [Layer]
  ) -> UnsafeMutableRawPointer {
    let memory = OverrideMemory(
      type: chain[place.layer].values[place.index].type, count: count,
      from: layers[place.layer].columns[place.index])
    columnOverrides.removeAll { $0.place == place && $0.by == layer }
    columnOverrides.append(ColumnOverride(place: place, by: layer, memory: memory))
    refreshColumn(place, layers[place.layer])
    return memory.bytes
  }

  /// Forgets the overrides of an engine and of its bases.
  package func clearOverrides(from layer: Int, _ layers: [Layer]) {
    guard
      overrides.contains(where: { $0.by >= layer })
        || columnOverrides.contains(where: { $0.by >= layer })
    else { return }
    overrides.removeAll { $0.by >= layer }
    columnOverrides.removeAll { $0.by >= layer }
    fill(layers)
  }

  /// Writes what a parameter is now: the override nearest to the engine, or what is set.
  package func refreshParameter(_ place: Place, _ layer: Layer) {
    var value = settings[place.layer][place.index]
    var nearest = -1
    for candidate in overrides where candidate.place == place && candidate.by > nearest {
      value = candidate.value
      nearest = candidate.by
    }
    layer.parameters[place.index] = value
  }

  /// Writes where a value is now: an override; what is measured or the user's, unless the parameter
  /// that it falls back on is overridden; that parameter; zero.
  package func refreshColumn(_ place: Place, _ layer: Layer) {
    let value = chain[place.layer].values[place.index]
    let fallback = value.fallback.flatMap { chain[place.layer].parameterIndex($0) }
    let hiding = fallback.flatMap { index in
      overrides.filter { $0.place == Place(layer: place.layer, index: index) }.map(\.by).max()
    }
    let nearest = columnOverrides.filter { $0.place == place }.max { $0.by < $1.by }
    // Of layers that override the values and what they fall back on, the nearest has the last word.
    if let nearest, nearest.by >= hiding ?? nearest.by {
      layer.columns[place.index] = nearest.memory.column
      return
    }
    let measured =
      sizing.map { ($0.place, $0.column) }
      ?? borrowedSizing.map { ($0.place, $0.memory.column) }
    if let measured, measured.0 == place, hiding == nil {
      layer.columns[place.index] = measured.1
    } else if let memory = columns[place.layer][place.index], hiding == nil {
      layer.columns[place.index] = memory.column
    } else if let fallback {
      layer.columns[place.index] = tessera_column(
        data: layer.parameters.baseAddress.map { $0 + fallback }, stride: 0)
    } else {
      layer.columns[place.index] = tessera_column(data: zero.column.data, stride: 0)
    }
  }
}

/// What a user has set, taken over for another version of the engines.
extension SessionValues {
  /// Takes over what another session's user has set, where these engines declare it too.
  ///
  /// - Returns: What could not be taken over, a sentence each.
  package func adoptSettings(of old: SessionValues) -> [String] {
    var dropped: [String] = []
    for (name, value) in old.given.sorted(by: { $0.key < $1.key }) {
      do throws(HostError) { try setParameter(name, to: value) } catch {
        dropped.append(error.message)
      }
    }
    for (layer, engine) in old.chain.enumerated() {
      for (index, value) in engine.values.enumerated() {
        guard let column = old.columns[layer][index] else { continue }
        if !adopt(column, value) {
          dropped.append("\(value.name) is given but no longer declared, or declared otherwise")
        }
      }
      for (index, declared) in engine.delegateFunctions.enumerated() {
        guard let function = old.delegates[layer][index] else { continue }
        do throws(HostError) { try setDelegate(declared.name, function) } catch {
          dropped.append(error.message)
        }
      }
    }
    return dropped
  }
}

/// What a worker's engines are given.
package struct SuppliedValues {
  package let starts: UnsafeBufferPointer<UInt64>
  package let settings: [[tessera_value]]
  package let columns: [[ValueMemory?]]
  /// Whether the host answers each delegate function.
  package let delegates: [[Bool]]
  /// The value that measuring supplies.
  package let sizing: (place: SessionValues.Place, memory: ValueMemory)?

  package init(
    starts: UnsafeBufferPointer<UInt64>, settings: [[tessera_value]], columns: [[ValueMemory?]],
    delegates: [[Bool]], sizing: (place: SessionValues.Place, memory: ValueMemory)?
  ) {
    self.starts = starts
    self.settings = settings
    self.columns = columns
    self.delegates = delegates
    self.sizing = sizing
  }
}
