import TesseraHost

extension Engine {
  /// The parameters that a user can set: of one name the most derived, none that an engine owns.
  public var settableParameters: [ParameterDescription] {
    let owned = chain.flatMap { $0.defaults.filter(\.isOwned).map(\.name) }
    var known = Set(owned)
    return chain.flatMap(\.parameters).filter { known.insert($0.name).inserted }
  }

  /// The section values and item values that a user can give.
  public var settableValues: [ValueDescription] {
    var known = Set<String>()
    return chain.flatMap(\.values).filter { known.insert("\($0.scope) \($0.name)").inserted }
  }

  /// The delegate functions that a user can answer.
  public var delegateFunctions: [FunctionDescription] {
    var known = Set<String>()
    return chain.flatMap(\.delegateFunctions).filter { known.insert($0.name).inserted }
  }

  /// The functions that a user can call.
  public var publishedFunctions: [FunctionDescription] {
    var known = Set<String>()
    return chain.flatMap(\.publishedFunctions).filter { known.insert($0.name).inserted }
  }

  /// The kinds that elements may have.
  public var kinds: [KindDescription] {
    var known = Set<String>()
    return chain.flatMap(\.kinds).filter { known.insert("\($0.category) \($0.name)").inserted }
  }

  /// The columns beside the frame that any engine of the chain writes.
  public var builtInColumns: BuiltInColumns {
    chain.reduce(into: []) { $0.formUnion($1.columns.union($1.adjustedColumns)) }
  }

  /// Whether a length among the parameters is below 0, as a sample has it or as it starts.
  func hasNegativeLength(in sample: Sample) -> Bool {
    chain.flatMap(\.parameters).contains { parameter in
      let given = chain.lazy.flatMap(\.defaults).first { $0.name == parameter.name }?.value
      let value = sample.parameters[parameter.name] ?? given ?? parameter.initial
      return parameter.unit == "pt" && value.numbers.contains { $0 < 0 }
    }
  }
}
