import TesseraHost

/// What an engine and the engines that it is derived from declare together.
///
/// The nearest declaration of a name counts, as it does when the engine runs.
struct EngineFacts {
  /// Something declared, and the id of the engine that declares it.
  struct Declared<Declaration> {
    let declaration: Declaration
    let from: String
  }

  let engine: Engine
  let parameters: [Declared<ParameterDescription>]
  let sectionValues: [Declared<ValueDescription>]
  let itemValues: [Declared<ValueDescription>]
  let delegateFunctions: [Declared<FunctionDescription>]
  let publishedFunctions: [Declared<FunctionDescription>]
  let attributes: [Declared<AttributeDescription>]
  let kinds: [Declared<KindDescription>]

  init(_ engine: Engine) {
    self.engine = engine
    let chain = engine.chain
    parameters = Self.gather(chain, \.parameters, named: \.name).filter { declared in
      // What a derived engine keeps for itself is not for the user to set.
      !chain.prefix { $0.id != declared.from }.contains { derived in
        derived.defaults.contains { $0.name == declared.declaration.name && $0.isOwned }
      }
    }
    sectionValues = Self.gather(chain, \.sectionValues, named: \.name)
    itemValues = Self.gather(chain, \.itemValues, named: \.name)
    delegateFunctions = Self.gather(chain, \.delegateFunctions, named: \.name)
    publishedFunctions = Self.gather(chain, \.publishedFunctions, named: \.name)
    attributes = Self.gather(chain, \.attributes, named: \.name)
    kinds = Self.gather(chain, \.kinds, named: \.name)
  }

  /// What a parameter starts as: as declared, unless a derived engine says otherwise.
  func initial(of parameter: Declared<ParameterDescription>) -> Value {
    for derived in engine.chain.prefix(while: { $0.id != parameter.from }) {
      if let setting = derived.defaults.first(where: { $0.name == parameter.declaration.name }) {
        return setting.value
      }
    }
    return parameter.declaration.initial
  }

  private static func gather<Declaration>(
    _ chain: [EngineDescription], _ declarations: (EngineDescription) -> [Declaration],
    named name: (Declaration) -> String
  ) -> [Declared<Declaration>] {
    var seen: Set<String> = []
    return chain.flatMap { engine in
      declarations(engine).filter { seen.insert(name($0)).inserted }
        .map { Declared(declaration: $0, from: engine.id) }
    }
  }
}
