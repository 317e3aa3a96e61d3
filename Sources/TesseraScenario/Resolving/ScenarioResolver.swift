/// Evaluates a complete scenario for one engine.
struct ScenarioResolver {
  let scenario: Scenario
  let vocabulary: Vocabulary
  let sections: [Scenario.Section]
  private(set) var environment = ExpressionEnvironment()
  private(set) var result = ResolvedScenario()

  init(_ scenario: Scenario, _ vocabulary: Vocabulary) throws(HostError) {
    self.scenario = scenario
    self.vocabulary = vocabulary
    switch scenario.content {
    case .sections(let sections): self.sections = sections
    case .table(let table): sections = table.itemCounts.map { Scenario.Section(items: $0) }
    case nil: sections = []
    }
    environment.width = scenario.bounds?.width ?? 0
    environment.height = scenario.bounds?.height ?? 0
    environment.scale = scenario.scale ?? 1
    environment.sections = Double(sections.count)
    result.itemCounts = sections.map(\.items)
    try checkCounts()
  }

  mutating func resolve() throws(HostError) -> ResolvedScenario {
    try checkDelegate()
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

  private func checkDelegate() throws(HostError) {
    guard let (name, setting) = scenario.delegate.min(by: { $0.key < $1.key }) else { return }
    let known = vocabulary.chain.flatMap(\.delegateFunctions).map(\.name)
    if known.contains(name) {
      throw HostError(
        .invalidInput,
        "\(setting.source): this host answers no delegate functions yet; leave \(name) out")
    }
    throw HostError(
      .invalidInput,
      "\(setting.source): \(vocabulary.engine) declares no delegate function \(quoted(name)); "
        + hint(name, among: known))
  }
}
