/// Evaluates a complete scenario for one engine.
struct ScenarioResolver {
  let scenario: Scenario
  let vocabulary: Vocabulary
  let sections: [Scenario.Section]
  let environment: ExpressionEnvironment
  private(set) var result = ResolvedScenario()

  init(_ scenario: Scenario, _ vocabulary: Vocabulary) throws(HostError) {
    self.scenario = scenario
    self.vocabulary = vocabulary
    switch scenario.content {
    case .sections(let sections): self.sections = sections
    case .table(let table): sections = table.itemCounts.map { Scenario.Section(items: $0) }
    case nil: sections = []
    }
    environment = ExpressionEnvironment(scenario)
    result.environment = environment
    result.itemCounts = sections.map(\.items)
    try checkCounts()
  }

  mutating func resolve() throws(HostError) -> ResolvedScenario {
    for (name, setting) in scenario.parameters.sorted(by: { $0.key < $1.key }) {
      let parameter = try vocabulary.parameter(name, for: setting)
      let compiled = try CompiledValue(
        setting.node, type: parameter.type, choices: parameter.choices, scope: .layout)
      result.parameters[name] = try compiled.value(in: environment)
    }
    for name in names(scenario.sectionValues, \.values) {
      result.sectionColumns[name] = try sectionColumn(name)
    }
    if case .table(let table) = scenario.content {
      let bound = try table.bound(to: vocabulary.allItemValues)
      result.itemColumns = bound.columns
      result.notes = bound.notes
    }
    for name in names(scenario.itemValues, \.itemValues) {
      result.itemColumns[name] = try itemColumn(name)
    }
    for (name, setting) in scenario.delegate.sorted(by: { $0.key < $1.key }) {
      let function = try vocabulary.delegateFunction(name, for: setting)
      result.functions.append(try CompiledFunction(function, setting.node))
    }
    result.measure = try scenario.measure.map { setting throws(HostError) in
      try CompiledMeasure(setting)
    }
    return result
  }

  private func checkCounts() throws(HostError) {
    var total = 0
    for (section, count) in result.itemCounts.enumerated() {
      guard count >= 0, count <= 1 << 53 else {
        throw HostError(
          .invalidInput,
          "section \(section) has \(count) items; expected a whole number from 0 to \(1 << 53)")
      }
      total += count
      guard total <= 1 << 53 else {
        throw HostError(
          .invalidInput, "the sections have more than \(1 << 53) items together; give fewer")
      }
    }
  }
}

extension ScenarioResolver {
  /// The names that any section or the whole scenario gives a value, in order.
  func names(
    _ whole: [String: Setting], _ part: (Scenario.Section) -> [String: Setting]
  ) -> [String] {
    var names = Set(whole.keys)
    for section in sections { names.formUnion(part(section).keys) }
    return names.sorted()
  }

  func sectionColumn(_ name: String) throws(HostError) -> ValueColumn {
    let settings = sections.map { scenario.sectionValues[name] ?? $0.values[name] }
    guard let first = scenario.sectionValues[name] ?? settings.lazy.compactMap({ $0 }).first else {
      return .numbers([])
    }
    let value = try vocabulary.value(name, .section, for: first)
    let shared = try scenario.sectionValues[name].map { setting throws(HostError) in
      try compile(setting, value)
    }
    var values: [Value] = []
    for (section, setting) in settings.enumerated() {
      if let shared {
        values.append(try shared.value(in: environment(section)))
      } else if let setting {
        values.append(try compile(setting, value).value(in: environment(section)))
      } else {
        values.append(try standIn(for: value))
      }
    }
    if let constant = values.first, values.allSatisfy({ $0 == constant }) {
      return .constant(constant)
    }
    var builder = ColumnBuilder(value.type, capacity: values.count)
    for value in values { builder.append(value) }
    return builder.column
  }

  func itemColumn(_ name: String) throws(HostError) -> ValueColumn {
    let settings = sections.map { scenario.itemValues[name] ?? $0.itemValues[name] }
    guard let first = scenario.itemValues[name] ?? settings.lazy.compactMap({ $0 }).first else {
      return .numbers([])
    }
    let value = try vocabulary.value(name, .item, for: first)
    let column = ItemColumn(
      name: name, value: value, itemCounts: result.itemCounts, environment: environment)
    let shared = try scenario.itemValues[name].map { setting throws(HostError) in
      try compile(setting, value)
    }
    var sources: [ItemColumn.Source] = []
    for (section, setting) in settings.enumerated() {
      if let compiled = shared {
        sources.append(try source(compiled, section))
      } else if let setting {
        sources.append(try source(setting, value, section))
      } else {
        sources.append(.value(try standIn(for: value)))
      }
    }
    return try column.column(sources)
  }

  private func compile(
    _ setting: Setting, _ value: ValueDescription
  ) throws(HostError) -> CompiledValue {
    try CompiledValue(
      setting.node, type: value.type, choices: value.choices,
      scope: value.scope == .item ? .item : .section)
  }

  private func source(
    _ compiled: CompiledValue, _ section: Int
  ) throws(HostError) -> ItemColumn.Source {
    guard compiled.scope < .item else { return .expressions(compiled) }
    return .value(try compiled.value(in: environment(section)))
  }

  /// What a section says of its items: a list with one entry for each, or one value for all.
  private func source(
    _ setting: Setting, _ value: ValueDescription, _ section: Int
  ) throws(HostError) -> ItemColumn.Source {
    guard case .array(let entries) = setting.value, isList(entries, of: value.type) else {
      return try source(try compile(setting, value), section)
    }
    let count = sections[section].items
    guard entries.count == count else {
      throw HostError(
        .invalidInput,
        "\(setting.source) has \(counted(entries.count, "entry", "entries")) for "
          + "\(counted(count, "item")); give one value, or \(count)")
    }
    return .list(setting.node, entries)
  }

  /// Whether a list has one entry an item: any list for a plain type, one of lists for a vector.
  private func isList(_ entries: [JSONValue], of type: ValueType) -> Bool {
    guard !type.components.isEmpty else { return true }
    guard let first = entries.first else { return true }
    if case .array = first { return true }
    return false
  }

  private func environment(_ section: Int) -> ExpressionEnvironment {
    var environment = environment
    environment.section = Double(section)
    environment.items = Double(sections[section].items)
    return environment
  }

  private func standIn(for value: ValueDescription) throws(HostError) -> Value {
    if let found = vocabulary.standIn(for: value, parameters: result.parameters) { return found }
    throw HostError(
      .invalidInput,
      "\(value.name) falls back on nothing; give it for every section")
  }
}
