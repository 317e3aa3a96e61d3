import TesseraHost
import TesseraScenario

extension EngineFacts {
  /// The facts for a program.
  var json: JSON {
    let description = engine.description
    return .object([
      ("id", .text(description.id)), ("name", .text(description.name)),
      ("version", .text(description.version)), ("author", .text(description.author)),
      ("license", .text(description.license)), ("summary", .text(description.summary)),
      ("library", .text(engine.library)), ("abi", .text("\(engine.abi)")),
      (
        "chain",
        .list(
          engine.chain.map { .object([("id", .text($0.id)), ("version", .text($0.version))]) })
      ),
      ("parameters", .list(parameters.map(parameter))),
      ("sectionValues", .list(sectionValues.map(value))),
      ("itemValues", .list(itemValues.map(value))),
      ("delegateFunctions", .list(delegateFunctions.map(function))),
      ("functions", .list(publishedFunctions.map(function))),
      ("attributes", .list(attributes.map(attribute))),
      (
        "kinds",
        .list(
          kinds.map {
            .object([
              ("name", .text($0.declaration.name)),
              ("category", .text($0.declaration.category.name)), ("from", .text($0.from)),
            ])
          })
      ),
      ("columns", .list(columns.names.map(JSON.text))),
      ("traits", .list(traits.names.map(JSON.text))),
    ])
  }

  private func parameter(_ declared: Declared<ParameterDescription>) -> JSON {
    let parameter = declared.declaration
    return .object([
      ("name", .text(parameter.name)), ("type", .text(parameter.type.name)),
      ("unit", .optional(parameter.unit)), ("initial", initial(of: declared).json),
      ("minimum", parameter.limit(parameter.minimum)),
      ("maximum", parameter.limit(parameter.maximum)),
      ("choices", .list(parameter.choices.map(JSON.text))), ("help", .text(parameter.help)),
      ("from", .text(declared.from)), ("givenBy", .optional(giver(of: declared))),
      ("ownedBy", .optional(owner(of: declared))),
    ])
  }

  private func value(_ declared: Declared<ValueDescription>) -> JSON {
    let value = declared.declaration
    return .object([
      ("name", .text(value.name)), ("type", .text(value.type.name)),
      ("fallback", .optional(value.fallback)), ("choices", .list(value.choices.map(JSON.text))),
      ("help", .text(value.help)), ("from", .text(declared.from)),
    ])
  }

  private func function(_ declared: Declared<FunctionDescription>) -> JSON {
    .object([
      ("name", .text(declared.declaration.name)),
      ("signature", .text(declared.declaration.signature)),
      ("help", .text(declared.declaration.help)), ("from", .text(declared.from)),
    ])
  }

  private func attribute(_ declared: Declared<AttributeDescription>) -> JSON {
    let attribute = declared.declaration
    return .object([
      ("name", .text(attribute.name)), ("type", .text(attribute.type.name)),
      ("interpolation", .text(attribute.interpolation.name)),
      ("when", .text(attribute.isAdjusted ? "adjusted" : "prepared")),
      ("choices", .list(attribute.choices.map(JSON.text))), ("initial", attribute.initial.json),
      ("help", .text(attribute.help)), ("from", .text(declared.from)),
    ])
  }
}

extension ParameterDescription {
  /// A limit in the shape of the parameter's values; null for a side, or all of it, without one.
  fileprivate func limit(_ limits: [Double]) -> JSON {
    guard limits.contains(where: \.isFinite) else { return .null }
    let numbers = limits.map(JSON.number)
    return type.components.isEmpty ? numbers[0] : .list(numbers)
  }
}

extension Value {
  /// The value as scenario files write it.
  fileprivate var json: JSON {
    switch self {
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(Int(value))
    case .number(let value): .number(value)
    case .choice(let name): .text(name)
    case .point, .size, .rect, .insets: .list(numbers.map(JSON.number))
    }
  }
}
