struct ScenarioResolver {
  private let scenario: Scenario
  private let vocabulary: Vocabulary
  private let sections: [Scenario.Section]
  private let environment: ExpressionEnvironment
  private var input = LayoutInput()
  private var usedColumns: Set<String> = []

  init(_ scenario: Scenario, _ vocabulary: Vocabulary) throws(HostError) {
    (self.scenario, self.vocabulary) = (scenario, vocabulary)
    sections = scenario.sections
    input.viewport = scenario.viewport
    input.counts = sections.map(\.items)
    environment = ExpressionEnvironment(input.viewport, sections: sections.count)
    try checkCounts()
  }

  mutating func resolve() throws(HostError) -> (input: LayoutInput, notes: [String]) {
    for (name, node) in scenario.parameters.sorted(by: { $0.key < $1.key }) {
      let parameter = try vocabulary.parameter(name, for: node)
      let compiled = try CompiledValue(
        node, type: parameter.type, choices: parameter.choices, scope: .layout)
      input.parameters[name] = try compiled.value(in: environment)
    }
    for (name, node) in scenario.lists.sorted(by: { $0.key < $1.key }) {
      input.lists[name] = try RecordList(
        node, of: try vocabulary.list(name, for: node), in: environment)
    }
    for name in names(scenario.sectionValues, \.values) {
      input.sectionValues[name] = try sectionColumn(name)
    }
    let bound = try table?.bound(
      to: vocabulary.allItemValues,
      parameters: input.parameters.merging(
        vocabulary.chain.flatMap(\.defaults).map { ($0.name, $0.value) }
      ) { set, _ in set },
      bounds: input.viewport.bounds)
    input.itemValues = bound?.columns ?? [:]
    var notes: [String] = []
    for name in names(scenario.itemValues, \.itemValues) {
      let before = usedColumns
      input.itemValues[name] = try itemColumn(name)
      // An expression over the row replaces a value on purpose.
      guard let table, let replaced = bound?.sources[name], usedColumns == before else { continue }
      notes.append(
        "\(scenario.itemValues[name]?.source ?? name) replaces the "
          + "\(replaced.count == 1 ? "column" : "columns") \(list(replaced)) of \(table.name)")
    }
    notes += bound?.notes(using: usedColumns.union(scenario.shownColumns)) ?? []
    // Only reports mistakes early.
    for (name, node) in scenario.delegate.sorted(by: { $0.key < $1.key }) {
      _ = try CompiledFunction(try vocabulary.delegateFunction(name, for: node), node)
    }
    if let measure = scenario.measure { _ = try CompiledValue(measure: measure) }
    (input.delegate, input.measure) = (scenario.delegate, scenario.measure)
    return (input, notes)
  }

  private var table: ItemTable? {
    if case .table(let table) = scenario.content { table } else { nil }
  }

  private func checkCounts() throws(HostError) {
    var total = 0
    for (section, count) in input.counts.enumerated() {
      guard count >= 0, count <= 1 << 53 else {
        throw HostError(
          .invalidScenario,
          "section \(section) has \(count) items; expected a whole number from 0 to \(1 << 53)")
      }
      total += count
      guard total <= 1 << 53 else {
        throw HostError(
          .tooManyItems, "the sections have more than \(1 << 53) items together; give fewer")
      }
    }
  }

  private func names(
    _ whole: [String: JSONNode], _ part: (Scenario.Section) -> [String: JSONNode]
  ) -> [String] {
    var names = Set(whole.keys)
    for section in sections { names.formUnion(part(section).keys) }
    return names.sorted()
  }

  private mutating func sectionColumn(_ name: String) throws(HostError) -> ValueColumn {
    let nodes = sections.map { scenario.sectionValues[name] ?? $0.values[name] }
    guard let first = scenario.sectionValues[name] ?? nodes.lazy.compactMap({ $0 }).first else {
      return .numbers([])
    }
    let value = try vocabulary.value(name, .section, for: first)
    var shared: CompiledValue?
    if let node = scenario.sectionValues[name] { shared = try compile(node, value) }
    var values: [Value] = []
    for (section, node) in nodes.enumerated() {
      guard let node else {
        values.append(try fallback(for: value))
        continue
      }
      let compiled = if let shared { shared } else { try compile(node, value) }
      values.append(try compiled.value(in: environment(section)))
    }
    if let constant = values.first, values.allSatisfy({ $0 == constant }) {
      return .constant(constant)
    }
    return ValueColumn(values, type: value.type)
  }

  private mutating func itemColumn(_ name: String) throws(HostError) -> ValueColumn {
    let nodes = sections.map { scenario.itemValues[name] ?? $0.itemValues[name] }
    guard let first = scenario.itemValues[name] ?? nodes.lazy.compactMap({ $0 }).first else {
      return .numbers([])
    }
    let value = try vocabulary.value(name, .item, for: first)
    var shared: CompiledValue?
    if let node = scenario.itemValues[name] { shared = try compile(node, value) }
    var sources: [ItemValues.Source] = []
    for (section, node) in nodes.enumerated() {
      if let shared {
        sources.append(try source(shared, section))
      } else if let node {
        sources.append(try source(node, value, section))
      } else {
        sources.append(.value(try fallback(for: value)))
      }
    }
    return try ItemValues(
      value: value, itemCounts: input.counts, sources: sources, environment: environment
    ).column()
  }

  private mutating func compile(
    _ node: JSONNode, _ value: ValueDescription
  ) throws(HostError) -> CompiledValue {
    let isOfItems = value.scope == .item
    let compiled = try CompiledValue(
      node, type: value.type, choices: value.choices, scope: isOfItems ? .item : .section,
      table: isOfItems ? table : nil)
    usedColumns.formUnion(compiled.columns)
    return compiled
  }

  private func source(
    _ compiled: CompiledValue, _ section: Int
  ) throws(HostError) -> ItemValues.Source {
    guard compiled.scope < .item else { return .expressions(compiled) }
    return .value(try compiled.value(in: environment(section)))
  }

  private mutating func source(
    _ node: JSONNode, _ value: ValueDescription, _ section: Int
  ) throws(HostError) -> ItemValues.Source {
    guard case .list(let entries) = node.value, node.isList(of: value.type) else {
      return try source(try compile(node, value), section)
    }
    let count = sections[section].items
    guard entries.count == count else {
      throw HostError(
        .wrongCount,
        "\(node.source) has \(counted(entries.count, "entry", "entries")) for "
          + "\(counted(count, "item")); give one value, or \(count)")
    }
    return .list(node, entries)
  }

  private func environment(_ section: Int) -> ExpressionEnvironment {
    var environment = environment
    environment.section = Double(section)
    environment.items = Double(sections[section].items)
    return environment
  }

  private func fallback(for value: ValueDescription) throws(HostError) -> Value {
    if let found = vocabulary.fallback(for: value, parameters: input.parameters) { return found }
    throw HostError(.invalidScenario, "\(value.name) has no fallback; give it for every section")
  }
}

extension JSONNode {
  /// For a vector, only a list of lists.
  func isList(of type: ValueType) -> Bool {
    guard case .list(let entries) = value else { return false }
    guard !type.components.isEmpty, let first = entries.first else { return true }
    if case .list = first { return true }
    return false
  }
}
