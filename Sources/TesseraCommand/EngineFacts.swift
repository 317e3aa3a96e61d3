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
    func functions(_ functions: [Declared<FunctionDescription>]) -> [JSON] {
      functions.map {
        JSON(["name": $0.name, "signature": $0.signature, "help": $0.help, "from": $1])
      }
    }
    func values(_ values: [Declared<ValueDescription>]) -> [JSON] {
      values.map {
        JSON([
          "name": $0.name, "type": $0.type.name, "fallback": $0.fallback, "choices": $0.choices,
          "help": $0.help, "from": $1,
        ])
      }
    }
    return JSON([
      "id": description.id, "name": description.name, "version": description.version,
      "author": description.author, "license": description.license,
      "summary": description.summary, "library": engine.library, "abi": "\(engine.abi)",
      "chain": engine.chain.map { JSON(["id": $0.id, "version": $0.version]) },
      "parameters": parameters.map { parameter in
        JSON.object(
          parameter.declaration.facts(initial: initial(of: parameter)) + [
            ("from", .text(parameter.from)), ("givenBy", .optional(giver(of: parameter))),
            ("ownedBy", .optional(owner(of: parameter))),
          ])
      },
      "sectionValues": values(sectionValues), "itemValues": values(itemValues),
      "lists": lists.map { list, from in
        JSON([
          "name": list.name, "help": list.help,
          "columns": list.columns.map { JSON.object($0.facts(initial: $0.initial)) }, "from": from,
        ])
      },
      "delegateFunctions": functions(delegateFunctions),
      "functions": functions(publishedFunctions),
      "attributes": attributes.map { attribute, from in
        JSON([
          "name": attribute.name, "type": attribute.type.name, "unit": attribute.unit,
          "interpolation": attribute.interpolation.name,
          "when": attribute.isAdjusted ? "adjusted" : "prepared", "choices": attribute.choices,
          "initial": attribute.initial, "help": attribute.help, "from": from,
        ])
      },
      "kinds": kinds.map { kind, from in
        JSON([
          "name": kind.name, "category": kind.category.name, "role": kind.role.name,
          "shows": kind.shows, "from": from,
        ])
      },
      "columns": columns.names, "traits": traits.names, "laws": engine.laws.names,
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
  private func limit(_ limits: [Double]) -> JSON {
    guard limits.contains(where: \.isFinite) else { return .null }
    return type.components.isEmpty ? .number(limits[0]) : limits.json
  }
}

extension Listing {
  /// The listing as JSON.
  public var json: JSON {
    JSON([
      "engines": engines.map { entry in
        JSON([
          "id": entry.description.id, "name": entry.description.name,
          "version": entry.description.version, "library": entry.library, "abi": "\(entry.abi)",
          "base": entry.description.base, "traits": entry.description.traits.names,
          "laws": entry.description.laws.names, "shadowedBy": entry.shadowedBy,
        ])
      }, "refused": refusedJSON,
    ])
  }

  /// The refused files as JSON, with the exit status of a command for that file.
  public var refusedJSON: JSON {
    .list(
      refused.map { file, error in
        JSON([
          "file": file, "reason": error.commandMessage, "status": Int(error.kind.status),
        ])
      })
  }
}
