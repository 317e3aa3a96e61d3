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
