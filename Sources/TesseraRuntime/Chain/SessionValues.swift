import CTessera
import TesseraCatalog

// A session's parameters, values, lists and functions: as set, overridden, and given to engines.
// Precedence, lowest first: declared initial value; `defaults` of derived engines, most derived
// last; the user's setting; overrides, nearest engine last.
package final class SessionValues {
  package struct Place: Equatable {
    package let layer: Int
    package let index: Int

    package init(layer: Int, index: Int) {
      self.layer = layer
      self.index = index
    }
  }

  package let chain: [EngineDescription]
  package let memory: any InputMemory
  /// The parameter that each section or item value falls back on.
  private let fallbacks: [[Int?]]
  /// The values that fall back on each parameter.
  let dependents: [[[Int]]]
  /// For parameters that the user hasn't set.
  private let initial: [[tessera_value]]
  /// Before overrides.
  package private(set) var settings: [[tessera_value]]
  package private(set) var settingsByName: [String: Value] = [:]
  package private(set) var columns: [[ValueMemory?]]
  /// Removed since the last prepare; new columns may start with their values.
  private var removed: [[ValueMemory?]] = []
  /// Since the counts were checked.
  private var isSpliced = false
  /// Nil for a list that isn't set, and so empty.
  package private(set) var lists: [[ListMemory?]]
  package private(set) var delegates: [[DelegateFunction?]]
  let declaresDelegates: Bool
  /// Whether the host mirrors arguments or results of a delegate function.
  package var hasGeometricDelegates: Bool {
    delegates.contains { $0.contains { $0?.isGeometric == true } }
  }
  /// One for each value that measuring supplies.
  package var sizing: [SizingColumn] = []
  /// Kept for elements that are offered the same size again.
  package var keptSizes: [KeptSizes] = []
  package var isMeasuring: Bool { !sizing.isEmpty }
  /// In a worker; the host owns the columns.
  package private(set) var borrowedSizing: [(place: Place, memory: ValueMemory)] = []
  /// A layout of a batch, with its first section and item in the session.
  package typealias Part = (number: Int, section: Int, item: Int)
  /// The layout whose values engines get; nil outside of a batch.
  package private(set) var part: Part?
  /// With a value for each layout of the running batch.
  package private(set) var partParameters: [PartParameter] = []
  var overrides = Overrides()
  /// With space for every type.
  package let zero: ValueMemory

  /// Throws `.cannotLoad` for a default that is invalid or that no base declares.
  package init(
    chain: [EngineDescription], memory: any InputMemory = ProcessInput()
  ) throws(HostError) {
    self.chain = chain
    self.memory = memory
    declaresDelegates = chain.contains { !$0.delegateFunctions.isEmpty }
    let fallbacks = chain.map { engine in
      engine.values.map { $0.fallback.flatMap { engine.parameterIndex($0) } }
    }
    self.fallbacks = fallbacks
    dependents = zip(chain, fallbacks).map { engine, fallbacks in
      engine.parameters.indices.map { parameter in
        fallbacks.indices.filter { fallbacks[$0] == parameter }
      }
    }
    zero = try ValueMemory.copy(
      .constant(.rect(.zero)), as: .rect, choices: [], name: "", memory: ProcessInput())
    var initial = chain.map { engine in
      engine.parameters.map { $0.initial.raw(as: $0.type, choices: $0.choices) ?? tessera_value() }
    }
    for (layer, engine) in chain.enumerated().reversed() {
      for preset in engine.defaults {
        guard let place = Self.parameter(preset.name, in: chain, from: layer + 1) else {
          throw HostError(
            .unfitBase,
            "\(engine.id) gives its base \(engine.base ?? "") the parameter \(preset.name), which "
              + "the base does not declare")
        }
        let declared = chain[place.layer].parameters[place.index]
        if let problem = declared.problem(with: preset.value) {
          throw HostError(
            .unfitBase,
            "\(engine.id) gives its base the parameter \(preset.name), which \(problem)")
        }
        initial[place.layer][place.index] =
          preset.value.raw(as: declared.type, choices: declared.choices) ?? tessera_value()
      }
    }
    self.initial = initial
    settings = initial
    columns = chain.map { Array(repeating: nil, count: $0.values.count) }
    lists = chain.map { Array(repeating: nil, count: $0.lists.count) }
    delegates = chain.map { Array(repeating: nil, count: $0.delegateFunctions.count) }
  }

  /// In the first engine from `layer` on that declares it.
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

  package func setParameter(_ name: String, to value: Value?) throws(HostError) {
    let (place, declared) = try settable(name)
    if let value, let problem = declared.problem(with: value) { throw .invalidValue(name, problem) }
    settingsByName[name] = value
    settings[place.layer][place.index] =
      value?.raw(as: declared.type, choices: declared.choices) ?? initial[place.layer][place.index]
  }

  /// `use` then sets parameters for a layout of a batch.
  package func withParameters<Result>(
    ofParts parameters: [PartParameter], _ body: () throws(HostError) -> Result
  ) throws(HostError) -> Result {
    guard !parameters.isEmpty else { return try body() }
    let usual = settings
    partParameters = parameters
    defer { (partParameters, settings) = ([], usual) }
    return try body()
  }

  /// Nil restores the session's values.
  package func use(_ part: Part?) {
    name(part)
    guard let part else { return }
    for parameter in partParameters {
      settings[parameter.place.layer][parameter.place.index] = parameter.values[part.number]
    }
  }

  /// The layout for which the program's functions are called.
  package func name(_ part: Part?) { self.part = part }

  /// Also returns what is wrong, by layout.
  package func partParameter(
    _ name: String, _ given: [Value]
  ) throws(HostError) -> (parameter: PartParameter, problems: [Int: HostError]) {
    let (place, declared) = try settable(name)
    var problems: [Int: HostError] = [:]
    let usual = settings[place.layer][place.index]
    var values = Array(repeating: usual, count: given.count)
    for (number, value) in given.enumerated() {
      if let problem = declared.problem(with: value) {
        problems[number] = .invalidValue(name, problem)
      } else {
        values[number] = value.raw(as: declared.type, choices: declared.choices) ?? usual
      }
    }
    return (PartParameter(place: place, values: values), problems)
  }

  package func settable(
    _ name: String
  ) throws(HostError) -> (place: Place, declared: ParameterDescription) {
    guard let place = Self.parameter(name, in: chain, from: 0) else {
      throw unknown("parameter", name, chain.flatMap { $0.parameters.map(\.name) })
    }
    if let owner = owner(of: name, declaredBy: place.layer) {
      throw HostError(.reservedParameter, "\(name) cannot be set: \(owner) sets it itself")
    }
    return (place, chain[place.layer].parameters[place.index])
  }

  /// Including all values that fall back on it.
  package func isInAdjust(parameter name: String) -> Bool {
    guard let place = Self.parameter(name, in: chain, from: 0) else { return false }
    let engine = chain[place.layer]
    return engine.parameters[place.index].isInAdjust
      && dependents[place.layer][place.index].allSatisfy { engine.values[$0].isInAdjust }
  }

  package func isInAdjust(value name: String, _ scope: ValueDescription.Scope) -> Bool {
    for engine in chain {
      if let index = engine.valueIndex(name, scope) { return engine.values[index].isInAdjust }
    }
    return false
  }

  /// The derived engine that keeps users from setting a base's parameter.
  private func owner(of name: String, declaredBy layer: Int) -> String? {
    chain[..<layer].first { engine in
      engine.defaults.contains { $0.name == name && $0.isOwned }
    }?.id
  }

  /// `kept` of the previous values precede the column.
  package func setValues(
    _ name: String, _ scope: ValueDescription.Scope, _ column: ValueColumn, keeping kept: Int = 0,
    _ sections: SectionStarts
  ) throws(HostError) {
    let what = scope.noun
    let (layer, index) = try valuePlace(name, scope, column)
    let declared = chain[layer].values[index]
    let count = scope == .section ? sections.counts.count : sections.total
    let last = columns[layer][index] ?? (removed.isEmpty ? nil : removed[layer][index])
    let known = last?.count ?? 0
    guard kept == 0 || 0...known ~= kept else {
      throw HostError(
        .wrongCount,
        "\(name) is set from \(what) \(kept) on, and it had \(known) values before; expected at "
          + "most \(known)")
    }
    if column.count.map({ $0 != count - kept }) ?? (kept > 0) {
      throw .wrongCount(of: name, column.count, from: kept, of: count, what)
    }
    columns[layer][index] = try ValueMemory.copy(
      column, as: declared.type, choices: declared.choices, name: name, memory: memory, over: last,
      keeping: kept
    ) { index in scope == .section ? " of section \(index)" : sections.place(ofItem: index) }
  }

  /// For item values that were set last; the faulty places hold other values.
  package func note(_ found: [ValueMemory.Fault], of name: String) {
    for (layer, engine) in chain.enumerated() {
      guard let index = engine.valueIndex(name, .item) else { continue }
      columns[layer][index]?.note(found)
      return
    }
  }

  package var faults: [(name: String, faults: [ValueMemory.Fault])] {
    zip(chain, columns).flatMap { engine, columns in
      zip(engine.values, columns).compactMap { value, column in
        guard let column, !column.faults.isEmpty else { return nil }
        return (value.name, column.faults)
      }
    }
  }

  // A query covers all items; in a batch, a fault fails only its layout.
  package func checkFaults(_ sections: SectionStarts) throws(HostError) {
    guard part == nil, let (name, found) = faults.first, let fault = found.first else { return }
    throw .invalidValue("\(name)\(sections.place(ofItem: fault.item))", fault.problem)
  }

  private func valuePlace(
    _ name: String, _ scope: ValueDescription.Scope, _ column: ValueColumn
  ) throws(HostError) -> (layer: Int, index: Int) {
    guard let layer = chain.firstIndex(where: { $0.valueIndex(name, scope) != nil }),
      let index = chain[layer].valueIndex(name, scope)
    else {
      throw unknown(
        "\(scope.noun) value", name,
        chain.flatMap { $0.values.filter { $0.scope == scope }.map(\.name) })
    }
    let declared = chain[layer].values[index]
    guard column.isValid(for: declared.type) else {
      throw .wrongType(name, is: column.type, expected: declared.type)
    }
    return (layer, index)
  }

  /// `checkCounts` checks the number later.
  package func spliceValues(
    _ name: String, _ scope: ValueDescription.Scope, at place: Int, removing removed: Int,
    inserting column: ValueColumn
  ) throws(HostError) {
    let (layer, index) = try valuePlace(name, scope, column)
    let declared = chain[layer].values[index]
    let known = columns[layer][index] ?? (self.removed.isEmpty ? nil : self.removed[layer][index])
    let count = known?.count ?? 0
    guard column.count != nil, known.map({ $0.column.stride > 0 }) ?? true else {
      throw HostError(
        .wrongCount,
        "\(name) is spliced with one value for all \(scope.noun)s; give each \(scope.noun) a value "
          + "of its own, or set one value again")
    }
    guard place >= 0, removed >= 0, place <= count, removed <= count - place else {
      throw HostError(
        .wrongCount,
        "\(name) is to lose \(counted(removed, "value")) from \(scope.noun) \(place) on, and it "
          + "has \(counted(count, "value")); give a place and a number within them")
    }
    let text = { (index: Int) in " at index \(index)" }
    if let known {
      columns[layer][index] = try known.replacing(
        place, removed, by: column, choices: declared.choices, name: name, where: text)
    } else {
      columns[layer][index] = try ValueMemory.copy(
        column, as: declared.type, choices: declared.choices, name: name, memory: memory,
        place: text)
    }
    isSpliced = true
  }

  package func checkCounts(_ sections: SectionStarts) throws(HostError) {
    guard isSpliced else { return }
    for (layer, engine) in chain.enumerated() {
      for (index, value) in engine.values.enumerated() {
        guard let column = columns[layer][index], column.column.stride > 0 else { continue }
        let wanted = value.scope == .section ? sections.counts.count : sections.total
        guard column.count == wanted else {
          throw .wrongCount(of: value.name, column.count, from: 0, of: wanted, value.scope.noun)
        }
      }
    }
    isSpliced = false
  }

  /// Returns whether the records changed.
  package func setList(_ name: String, to records: RecordList?) throws(HostError) -> Bool {
    let place = try list(named: name)
    let declared = chain[place.layer].lists[place.index]
    let memory = try records.map { records throws(HostError) in
      try ListMemory(records, of: declared, memory: self.memory)
    }
    let last = lists[place.layer][place.index]
    let isSame =
      memory?.count ?? 0 == 0 ? last?.count ?? 0 == 0 : memory!.isEqual(to: last, declared)
    if !isSame { lists[place.layer][place.index] = memory }
    return !isSame
  }

  package func declaredList(_ name: String) throws(HostError) -> ListDescription {
    let place = try list(named: name)
    return chain[place.layer].lists[place.index]
  }

  private func list(named name: String) throws(HostError) -> Place {
    for (layer, engine) in chain.enumerated() {
      if let index = engine.listIndex(name) { return Place(layer: layer, index: index) }
    }
    throw unknown("list", name, chain.flatMap { $0.lists.map(\.name) })
  }

  /// For a column of other engines; false unless declared alike.
  package func adopt(_ column: ValueMemory, _ value: ValueDescription) -> Bool {
    adopt(column, value, to: &columns)
  }

  private func adopt(
    _ column: ValueMemory, _ value: ValueDescription, to columns: inout [[ValueMemory?]]
  ) -> Bool {
    for (layer, engine) in chain.enumerated() {
      guard let index = engine.valueIndex(value.name, value.scope) else { continue }
      let declared = engine.values[index]
      guard declared.type == value.type, declared.choices == value.choices else { return false }
      columns[layer][index] = column
      return true
    }
    return false
  }

  package func adopt(_ records: ListMemory, _ list: ListDescription) -> Bool {
    guard let place = try? self.list(named: list.name),
      chain[place.layer].lists[place.index].columns == list.columns
    else { return false }
    lists[place.layer][place.index] = records
    return true
  }

  package convenience init(_ other: SessionValues, as data: EngineInput) throws(HostError) {
    try self.init(chain: other.chain, memory: other.memory)
    (settings, columns, lists) = (data.settings, data.columns, data.lists)
    (borrowedSizing, delegates) = (data.sizing, other.delegates)
  }

  /// From a session in another process, which `delegates` call.
  package func adopt(_ data: EngineInput, delegates: [[DelegateFunction]]) {
    settings = data.settings
    columns = data.columns
    lists = data.lists
    borrowedSizing = data.sizing
    self.delegates = zip(delegates, data.delegates).map { functions, isSet in
      zip(functions, isSet).map { $1 ? $0 : nil }
    }
  }

  /// Also forgets the measured sizes.
  package func removeValues() {
    forgetSizes()
    if removed.isEmpty { removed = columns }
    for layer in columns.indices {
      for index in columns[layer].indices {
        if let column = columns[layer][index] { removed[layer][index] = column }
        columns[layer][index] = nil
      }
    }
  }

  package func forgetSizes() { (sizing, keptSizes) = ([], []) }

  /// Call after a prepare has read all values.
  package func prepared() {
    if !removed.isEmpty { removed = [] }
    for layer in columns { for column in layer { column?.prepared() } }
    for column in sizing { column.prepared() }
  }

  /// Indexes count the items of all sections; after an error, nothing has moved.
  package func moveItem(_ from: Int, to: Int, of sections: SectionStarts) throws(HostError) {
    try checkCounts(sections)
    var moved = columns
    for (layer, engine) in chain.enumerated() {
      for (index, value) in engine.values.enumerated() where value.scope == .item {
        moved[layer][index] = try columns[layer][index]?.moving(from, to: to)
      }
    }
    columns = moved
    for column in sizing where column.kind == nil { column.move(from, to: to) }
  }

  package func setDelegate(_ name: String, _ function: DelegateFunction?) throws(HostError) {
    for layer in chain.indices {
      guard let index = chain[layer].delegateFunctions.firstIndex(where: { $0.name == name })
      else { continue }
      let declared = try chain[layer].delegateFunctions[index].parsedSignature
      guard function == nil || function?.signature == declared else {
        throw HostError(
          .invalidValue,
          "\(name) has the signature \(function?.signature.description ?? ""); expected "
            + "\(declared)")
      }
      delegates[layer][index] = function
      return
    }
    throw unknown("delegate function", name, chain.flatMap { $0.delegateFunctions.map(\.name) })
  }

  /// The first error since the last call.
  package func takeDelegateError() -> HostError? {
    for functions in delegates where !functions.isEmpty {
      for function in functions { if let error = function?.takeError() { return error } }
    }
    return nil
  }

  package func fill(_ layers: [ChainedEngine]) {
    for (number, layer) in layers.enumerated() {
      if overrides.parameters.isEmpty {
        _ = layer.parameters.update(fromContentsOf: settings[number])
      } else {
        for index in layer.parameters.indices {
          refreshParameter(Place(layer: number, index: index), layer)
        }
      }
      for index in layer.columns.indices {
        refreshColumn(Place(layer: number, index: index), layer)
      }
      for index in layer.lists.indices { refreshList(Place(layer: number, index: index), layer) }
      for index in layer.functions.indices {
        refreshFunction(Place(layer: number, index: index), layer)
      }
    }
  }

  private func unknown(_ what: String, _ name: String, _ known: [String]) -> HostError {
    .unknownName(name, what, of: chain[0].id, known: known)
  }
}

extension SessionValues {
  func refreshFunction(_ place: Place, _ layer: ChainedEngine) {
    if let function = delegates[place.layer][place.index], function.isGeometric {
      function.mirrorWidth = { [weak state = layer.output.state] in state?.mirrorWidth }
    }
    layer.functions[place.index] =
      nearest(overrides.functions, place)?.given ?? delegates[place.layer][place.index]?.function
      ?? tessera_function()
  }

  package func refreshParameter(_ place: Place, _ layer: ChainedEngine) {
    layer.parameters[place.index] =
      nearest(overrides.parameters, place)?.given ?? settings[place.layer][place.index]
  }

  /// Nearest to the declaring engine.
  private func nearest<Given>(_ overrides: [Override<Given>], _ place: Place) -> Override<Given>? {
    overrides.lazy.filter { $0.place == place }.max { $0.by < $1.by }
  }

  // The first of: an override; measured sizes or the user's values, unless the fallback parameter
  // is overridden; the fallback parameter; zero.
  package func refreshColumn(_ place: Place, _ layer: ChainedEngine) {
    guard !overrides.isEmpty || !sizing.isEmpty || !borrowedSizing.isEmpty else {
      layer.columns[place.index] = usualColumn(place, layer.parameters.baseAddress)
      return
    }
    let fallback = fallbacks[place.layer][place.index]
    let fallbackOwner = fallback.flatMap {
      nearest(overrides.parameters, Place(layer: place.layer, index: $0))?.by
    }
    // Among overrides of the values or their fallback, the nearest engine wins.
    if let given = nearest(overrides.columns, place), given.by >= fallbackOwner ?? given.by {
      layer.columns[place.index] = given.given.column
      return
    }
    let measured =
      sizing.first { $0.place == place }?.column
      ?? borrowedSizing.first { $0.place == place }?.memory.column
    if let fallback, fallbackOwner != nil {
      layer.columns[place.index] = tessera_column(
        data: layer.parameters.baseAddress.map { $0 + fallback }, stride: 0)
    } else {
      layer.columns[place.index] = measured ?? usualColumn(place, layer.parameters.baseAddress)
    }
  }

  /// Without measuring and overrides: the user's values, or the fallback parameter.
  private func usualColumn(
    _ place: Place, _ parameters: UnsafePointer<tessera_value>?
  ) -> tessera_column {
    if let memory = columns[place.layer][place.index] { return shifted(memory.column, at: place) }
    guard let fallback = fallbacks[place.layer][place.index] else {
      return tessera_column(data: zero.column.data, stride: 0)
    }
    return tessera_column(data: parameters.map { $0 + fallback }, stride: 0)
  }

  package func withUsualColumn<Result>(
    _ place: Place, _ body: (tessera_column) -> Result
  ) -> Result {
    settings[place.layer].withUnsafeBufferPointer { body(usualColumn(place, $0.baseAddress)) }
  }

  package func refreshList(_ place: Place, _ layer: ChainedEngine) {
    let nearest = nearest(overrides.lists, place)
    let set = lists[place.layer][place.index]
    let columns = nearest?.given.columns.map(\.column) ?? set?.columns.map(\.column)
    let start = layer.lists[place.index].columns - UnsafePointer(layer.listColumns.baseAddress!)
    for column in chain[place.layer].lists[place.index].columns.indices {
      layer.listColumns[start + column] = columns?[column] ?? tessera_column()
    }
    layer.lists[place.index].count = UInt64(nearest?.given.count ?? set?.count ?? 0)
  }
}

extension SessionValues {
  /// From the part's first section or item on.
  package func shifted(_ column: tessera_column, at place: Place) -> tessera_column {
    guard column.stride > 0, let part else { return column }
    let scope = chain[place.layer].values[place.index].scope
    let start = scope == .section ? part.section : part.item
    return tessera_column(
      data: column.data.map { $0 + start * Int(column.stride) }, stride: column.stride)
  }
}

extension SessionValues {
  /// Returns a sentence for each setting that these engines don't declare.
  package func adoptSettings(of old: SessionValues, kinds: [KindDescription]) -> [String] {
    var dropped: [String] = []
    for (name, value) in old.settingsByName.sorted(by: { $0.key < $1.key }) {
      do throws(HostError) { try setParameter(name, to: value) } catch {
        dropped.append(error.message)
      }
    }
    for (layer, engine) in old.chain.enumerated() {
      for (index, value) in engine.values.enumerated() {
        guard let column = old.columns[layer][index] else { continue }
        if !adopt(column, value, to: &columns) {
          dropped.append("\(value.name) is set, but no longer declared or declared differently")
        }
      }
      if !old.removed.isEmpty {
        if removed.isEmpty { removed = columns.map { $0.map { _ in nil } } }
        for (index, value) in engine.values.enumerated() {
          // Not settings: values that new ones may start with.
          if let column = old.removed[layer][index] { _ = adopt(column, value, to: &removed) }
        }
      }
      for (index, list) in engine.lists.enumerated() {
        guard let records = old.lists[layer][index] else { continue }
        if !adopt(records, list) {
          dropped.append("\(list.name) is set, but no longer declared or declared differently")
        }
      }
      for (index, declared) in engine.delegateFunctions.enumerated() {
        guard let function = old.delegates[layer][index] else { continue }
        do throws(HostError) { try setDelegate(declared.name, function) } catch {
          dropped.append(error.message)
        }
      }
    }
    // The number of spliced values may not match before the next query.
    isSpliced = old.isSpliced
    keptSizes = old.sizes(kinds: kinds)
    let measured = chain.first { !$0.measured.isEmpty }?.measured.map(\.kind) ?? []
    keptSizes.removeAll { sizes in
      guard !measured.contains(sizes.kind) else { return false }
      dropped.append("sizes of \(sizes.kind ?? "items") were measured, but are no longer used")
      return true
    }
    return dropped
  }

  package func sizes(kinds: [KindDescription]) -> [KeptSizes] {
    let own = sizing.map { column in
      KeptSizes(column, kind: column.kind.map { kinds[Int($0)].name })
    }
    return own + keptSizes.filter { kept in !own.contains { $0.kind == kept.kind } }
  }
}

extension ValueDescription.Scope {
  var noun: String { self == .section ? "section" : "item" }
}

extension EngineDescription {
  package func parameterIndex(_ name: String) -> Int? { parameters.firstIndex { $0.name == name } }

  package func listIndex(_ name: String) -> Int? { lists.firstIndex { $0.name == name } }

  package func valueIndex(_ name: String, _ scope: ValueDescription.Scope) -> Int? {
    values.firstIndex { $0.name == name && $0.scope == scope }
  }
}

extension HostError {
  /// `found` is nil for one value for all.
  fileprivate static func wrongCount(
    of name: String, _ found: Int?, from first: Int, of count: Int, _ noun: String
  ) -> HostError {
    let values = found.map { "\($0) values" } ?? "one value"
    return HostError(
      .wrongCount,
      first == 0
        ? "\(name) has \(values) for \(count) \(noun)s; give one value, or \(count)"
        : "\(name) has \(values) for the \(noun)s from \(first) on; give \(max(0, count - first))")
  }
}
