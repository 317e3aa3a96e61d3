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
    parameters = Self.gather(chain, \.parameters, named: \.name)
    sectionValues = Self.gather(chain, \.sectionValues, named: \.name)
    itemValues = Self.gather(chain, \.itemValues, named: \.name)
    delegateFunctions = Self.gather(chain, \.delegateFunctions, named: \.name)
    publishedFunctions = Self.gather(chain, \.publishedFunctions, named: \.name)
    attributes = Self.gather(chain, \.attributes, named: \.name)
    kinds = Self.gather(chain, \.kinds, named: \.name)
  }

  /// What a parameter starts as: as declared, unless a derived engine says otherwise.
  func initial(of parameter: Declared<ParameterDescription>) -> Value {
    given(parameter).first?.setting.value ?? parameter.declaration.initial
  }

  /// The derived engine that says what a parameter of its base starts as; nil where none does.
  func giver(of parameter: Declared<ParameterDescription>) -> String? {
    given(parameter).first?.by
  }

  /// The derived engine that decides a parameter of its base by itself, so that nobody can set it.
  func owner(of parameter: Declared<ParameterDescription>) -> String? {
    given(parameter).first { $0.setting.isOwned }?.by
  }

  /// What derived engines give a parameter of a base, the most derived first.
  private func given(
    _ parameter: Declared<ParameterDescription>
  ) -> [(setting: DefaultDescription, by: String)] {
    engine.chain.prefix { $0.id != parameter.from }.flatMap { derived in
      derived.defaults.filter { $0.name == parameter.declaration.name }.map { ($0, derived.id) }
    }
  }

  /// What the whole chain promises.
  var traits: EngineTraits { engine.traits }

  /// The built-in columns that any engine of the chain writes beside the frame.
  var columns: BuiltInColumns {
    engine.chain.reduce([]) { $0.union($1.columns).union($1.adjustedColumns) }
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
