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
