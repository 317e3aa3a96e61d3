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
      input.parameters[name] = try Formula(
        node, type: parameter.type, choices: parameter.choices, scope: .layout
      ).value(in: environment)
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
      _ = try vocabulary.delegateFunction(name, for: node).formula(node)
    }
    if let measure = scenario.measure { _ = try Formula(measure: measure) }
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
    guard
      let (value, shared, nodes) = try declaration(
        of: name, .section, scenario.sectionValues, \.values)
    else { return .numbers([]) }
    var values: [Value] = []
    for (section, node) in nodes.enumerated() {
      let formula = try formula(shared, node, value)
      values.append(try formula.value(in: environment(section)))
    }
    if let constant = values.first, values.allSatisfy({ $0 == constant }) {
      return .constant(constant)
    }
    return ValueColumn(values, type: value.type)
  }

  /// The value of a name, its formula for all sections, and the node of each section.
  private mutating func declaration(
    of name: String, _ scope: ValueDescription.Scope, _ whole: [String: JSONNode],
    _ part: (Scenario.Section) -> [String: JSONNode]
  ) throws(HostError) -> (ValueDescription, Formula?, [JSONNode?])? {
    let nodes = sections.map { part($0)[name] }
    guard let first = whole[name] ?? nodes.lazy.compactMap(\.self).first else { return nil }
    let value = try vocabulary.value(name, scope, for: first)
    return (value, whole[name] == nil ? nil : try compile(first, value), nodes)
  }

  private mutating func formula(
    _ shared: Formula?, _ node: JSONNode?, _ value: ValueDescription
  ) throws(HostError) -> Formula {
    if let shared { return shared }
    if let node { return try compile(node, value) }
    guard let fallback = vocabulary.fallback(for: value, parameters: input.parameters) else {
      throw HostError(.invalidScenario, "\(value.name) has no fallback; give it for every section")
    }
    return Formula(fallback)
  }

  private mutating func compile(
    _ node: JSONNode, _ value: ValueDescription
  ) throws(HostError) -> Formula {
    let isOfItems = value.scope == .item
    let formula = try Formula(
      node, type: value.type, choices: value.choices, scope: isOfItems ? .item : .section,
      table: isOfItems ? table : nil)
    usedColumns.formUnion(formula.columns)
    return formula
  }

  private func environment(_ section: Int) -> ExpressionEnvironment {
    var environment = environment
    environment.section = Double(section)
    environment.items = Double(sections[section].items)
    return environment
  }
}

// Values of items.
extension ScenarioResolver {
  private mutating func itemColumn(_ name: String) throws(HostError) -> ValueColumn {
    guard
      let (value, shared, nodes) = try declaration(
        of: name, .item, scenario.itemValues, \.itemValues)
    else { return .numbers([]) }
    // Nil for a list.
    var formulas: [Formula?] = []
    for (section, node) in nodes.enumerated() {
      if shared == nil, let node, try hasList(node, value, section) {
        formulas.append(nil)
        continue
      }
      let formula = try formula(shared, node, value)
      formulas.append(
        formula.scope == .item ? formula : Formula(try formula.value(in: environment(section))))
    }
    let filled = zip(formulas, input.counts).filter { $1 > 0 }.map { $0.0?.constant }
    if let constant = filled.first ?? nil, filled.allSatisfy({ $0 == constant }) {
      return .constant(constant)
    }
    var builder = try value.builder(count: input.counts.total)
    var environment = environment
    for (section, count) in input.counts.enumerated() {
      environment.section = Double(section)
      environment.items = Double(count)
      if let constant = formulas[section]?.constant {
        builder.append(constant, count: count)
      } else if let formula = formulas[section] {
        try append(formula, count: count, in: environment, to: &builder)
      } else if let node = nodes[section] {
        try append(node, value, in: environment, to: &builder)
      }
      environment.index += Double(count)
    }
    return builder.column
  }

  /// Whether a section has a value for each of its items.
  private func hasList(
    _ node: JSONNode, _ value: ValueDescription, _ section: Int
  ) throws(HostError) -> Bool {
    guard case .list(let entries) = node.value, node.isList(of: value.type) else { return false }
    let count = sections[section].items
    guard entries.count == count else {
      throw HostError(
        .wrongCount,
        "\(node.source) has \(counted(entries.count, "entry", "entries")) for "
          + "\(counted(count, "item")); give one value, or \(count)")
    }
    return true
  }

  private func append(
    _ formula: Formula, count: Int, in start: ExpressionEnvironment,
    to builder: inout ColumnBuilder
  ) throws(HostError) {
    var evaluators = formula.evaluators(blockLength: ExpressionEvaluator.blockLength)
    for first in stride(from: 0, to: count, by: ExpressionEvaluator.blockLength) {
      let length = min(ExpressionEvaluator.blockLength, count - first)
      var environment = start
      environment.item += Double(first)
      environment.index += Double(first)
      func at(_ row: Int) -> ExpressionEnvironment {
        var environment = environment
        environment.item += Double(row)
        return environment
      }
      for index in evaluators.indices {
        guard let row = evaluators[index].evaluate(environment, count: length) else { continue }
        throw formula.notFinite(evaluators[index], row: row, in: at(row))
      }
      if let row = builder.append(rows: length, { evaluators[$1][$0] }) {
        let place = "for item \(at(row).item.shortText) of section \(start.section.shortText)"
        throw formula.unfit(evaluators[0][row], " \(place)")
      }
    }
  }

  private func append(
    _ node: JSONNode, _ value: ValueDescription, in start: ExpressionEnvironment,
    to builder: inout ColumnBuilder
  ) throws(HostError) {
    guard case .list(let entries) = node.value else { return }
    var environment = start
    for (index, entry) in entries.enumerated()
    where !appendNumbers(entry, value.type, to: &builder) {
      let formula = try Formula(
        JSONNode(entry, source: "\(node.source)[\(index)]"), type: value.type,
        choices: value.choices, scope: .item)
      environment.item = Double(index)
      environment.index = start.index + Double(index)
      builder.append(try formula.value(in: environment))
    }
  }

  /// Fast path: numbers only.
  private func appendNumbers(
    _ entry: JSON, _ type: ValueType, to builder: inout ColumnBuilder
  ) -> Bool {
    guard type.component == .double else { return false }
    var parts = [entry]
    if type.isVector {
      guard case .list(let list) = entry else { return false }
      parts = list
    }
    guard parts.count == type.width,
      parts.allSatisfy({ if case .number = $0 { true } else { false } })
    else { return false }
    return builder.append(rows: 1, { _, part in parts[part].double ?? 0 }) == nil
  }
}

extension ValueDescription {
  /// For different values of many items.
  func builder(count: Int) throws(HostError) -> ColumnBuilder {
    guard count <= ValueColumn.limit else {
      throw HostError(
        .tooManyItems,
        "\(name) differs among \(count) items; give at most 100 million items, or one value for all"
      )
    }
    try CountedMemory.require(count, size: type.stride)
    return ColumnBuilder(type: type, count: count)
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
