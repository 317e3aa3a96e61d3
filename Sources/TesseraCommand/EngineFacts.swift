import TesseraHost
import TesseraScenario

/// Declarations of an engine and its bases; the most derived engine wins.
public struct EngineFacts {
  /// A declaration, and the id of its engine.
  public typealias Declared<Declaration> = (declaration: Declaration, from: String)

  /// The engine.
  public let engine: Engine
  /// The parameters.
  public let parameters: [Declared<ParameterDescription>]
  /// The section values.
  public let sectionValues: [Declared<ValueDescription>]
  /// The item values.
  public let itemValues: [Declared<ValueDescription>]
  /// The lists.
  public let lists: [Declared<ListDescription>]
  /// The delegate functions.
  public let delegateFunctions: [Declared<FunctionDescription>]
  /// The published functions.
  public let publishedFunctions: [Declared<FunctionDescription>]
  /// The attributes.
  public let attributes: [Declared<AttributeDescription>]
  /// The kinds.
  public let kinds: [Declared<KindDescription>]

  /// Collects the facts of an engine and its bases.
  public init(_ engine: Engine) {
    self.engine = engine
    let chain = engine.chain
    parameters = Self.gather(chain, \.parameters, named: \.name)
    sectionValues = Self.gather(chain, \.sectionValues, named: \.name)
    itemValues = Self.gather(chain, \.itemValues, named: \.name)
    lists = Self.gather(chain, \.lists, named: \.name)
    delegateFunctions = Self.gather(chain, \.delegateFunctions, named: \.name)
    publishedFunctions = Self.gather(chain, \.publishedFunctions, named: \.name)
    attributes = Self.gather(chain, \.attributes, named: \.name)
    kinds = Self.gather(chain, \.kinds, named: \.name)
  }

  /// The default of a parameter, as the most derived engine sets it.
  public func initial(of parameter: Declared<ParameterDescription>) -> Value {
    given(parameter).first?.setting.value ?? parameter.declaration.initial
  }

  /// The derived engine that sets a parameter's default, if any.
  public func giver(of parameter: Declared<ParameterDescription>) -> String? {
    given(parameter).first?.by
  }

  /// The derived engine that overrides a parameter, so users can't set it, if any.
  public func owner(of parameter: Declared<ParameterDescription>) -> String? {
    given(parameter).first { $0.setting.isOwned }?.by
  }

  /// Most derived first.
  private func given(
    _ parameter: Declared<ParameterDescription>
  ) -> [(setting: DefaultDescription, by: String)] {
    engine.chain.prefix { $0.id != parameter.from }.flatMap { derived in
      derived.defaults.filter { $0.name == parameter.declaration.name }.map { ($0, derived.id) }
    }
  }

  /// The traits of the whole chain.
  public var traits: EngineTraits { engine.traits }

  /// The built-in columns of the whole chain.
  public var columns: BuiltInColumns {
    engine.chain.reduce([]) { $0.union($1.columns).union($1.adjustedColumns) }
  }

  private static func gather<Declaration>(
    _ chain: [EngineDescription], _ declarations: (EngineDescription) -> [Declaration],
    named name: (Declaration) -> String
  ) -> [Declared<Declaration>] {
    var seen: Set<String> = []
    return chain.flatMap { engine in
      declarations(engine).filter { seen.insert(name($0)).inserted }
        .map { ($0, engine.id) }
    }
  }
}

extension EngineFacts {
  /// The facts as JSON.
  public var json: JSON {
    let description = engine.description
    return .object([
      ("id", .text(description.id)), ("name", .text(description.name)),
      ("version", .text(description.version)), ("author", .text(description.author)),
      ("license", .text(description.license)), ("summary", .text(description.summary)),
      ("library", .text(engine.library)), ("abi", .text("\(engine.abi)")),
      (
        "chain",
        .list(engine.chain.map { .object([("id", .text($0.id)), ("version", .text($0.version))]) })
      ),
      ("parameters", .list(parameters.map(parameter))),
      ("sectionValues", .list(sectionValues.map { value($0, from: $1) })),
      ("itemValues", .list(itemValues.map { value($0, from: $1) })),
      ("lists", .list(lists.map { list($0, from: $1) })),
      ("delegateFunctions", .list(delegateFunctions.map { function($0, from: $1) })),
      ("functions", .list(publishedFunctions.map { function($0, from: $1) })),
      ("attributes", .list(attributes.map { attribute($0, from: $1) })),
      ("kinds", .list(kinds.map { kind($0, from: $1) })),
      ("columns", .list(columns.names.map(JSON.text))),
      ("traits", .list(traits.names.map(JSON.text))),
      ("laws", .list(engine.laws.names.map(JSON.text))),
    ])
  }

  private func parameter(_ declared: Declared<ParameterDescription>) -> JSON {
    .object(
      declared.declaration.facts(initial: initial(of: declared)) + [
        ("from", .text(declared.from)), ("givenBy", .optional(giver(of: declared))),
        ("ownedBy", .optional(owner(of: declared))),
      ])
  }

  private func list(_ list: ListDescription, from: String) -> JSON {
    .object([
      ("name", .text(list.name)), ("help", .text(list.help)),
      ("columns", .list(list.columns.map { .object($0.facts(initial: $0.initial)) })),
      ("from", .text(from)),
    ])
  }

  private func value(_ value: ValueDescription, from: String) -> JSON {
    .object([
      ("name", .text(value.name)), ("type", .text(value.type.name)),
      ("fallback", .optional(value.fallback)), ("choices", .list(value.choices.map(JSON.text))),
      ("help", .text(value.help)), ("from", .text(from)),
    ])
  }

  private func function(_ function: FunctionDescription, from: String) -> JSON {
    .object([
      ("name", .text(function.name)), ("signature", .text(function.signature)),
      ("help", .text(function.help)), ("from", .text(from)),
    ])
  }

  private func kind(_ kind: KindDescription, from: String) -> JSON {
    .object([
      ("name", .text(kind.name)), ("category", .text(kind.category.name)),
      ("role", .text(kind.role.name)), ("shows", .optional(kind.shows)), ("from", .text(from)),
    ])
  }

  private func attribute(_ attribute: AttributeDescription, from: String) -> JSON {
    .object([
      ("name", .text(attribute.name)), ("type", .text(attribute.type.name)),
      ("unit", .optional(attribute.unit)),
      ("interpolation", .text(attribute.interpolation.name)),
      ("when", .text(attribute.isAdjusted ? "adjusted" : "prepared")),
      ("choices", .list(attribute.choices.map(JSON.text))), ("initial", JSON(attribute.initial)),
      ("help", .text(attribute.help)), ("from", .text(from)),
    ])
  }
}

extension ParameterDescription {
  fileprivate func facts(initial: Value) -> [(name: String, value: JSON)] {
    [
      ("name", .text(name)), ("type", .text(type.name)), ("unit", .optional(unit)),
      ("initial", JSON(initial)), ("minimum", limit(minimum)), ("maximum", limit(maximum)),
      ("choices", .list(choices.map(JSON.text))), ("help", .text(help)),
    ]
  }

  /// Null if unlimited.
  fileprivate func limit(_ limits: [Double]) -> JSON {
    guard limits.contains(where: \.isFinite) else { return .null }
    let numbers = limits.map(JSON.number)
    return type.components.isEmpty ? numbers[0] : .list(numbers)
  }
}

extension Listing.Entry {
  fileprivate var json: JSON {
    .object([
      ("id", .text(description.id)), ("name", .text(description.name)),
      ("version", .text(description.version)), ("library", .text(library)),
      ("abi", .text("\(abi)")), ("base", .optional(description.base)),
      ("traits", .list(description.traits.names.map(JSON.text))),
      ("laws", .list(description.laws.names.map(JSON.text))),
      ("shadowedBy", .optional(shadowedBy)),
    ])
  }
}

extension Listing {
  /// The listing as JSON.
  public var json: JSON {
    .object([("engines", .list(engines.map(\.json))), ("refused", refusedJSON)])
  }

  /// The refused files as JSON, with the exit status of a command for that file.
  public var refusedJSON: JSON {
    .list(
      refused.map { file, error in
        .object([
          ("file", .text(file)), ("reason", .text(error.commandMessage)),
          ("status", .integer(Int(error.kind.status))),
        ])
      })
  }
}
