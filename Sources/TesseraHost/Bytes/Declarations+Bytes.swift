extension ByteWriter {
  mutating func put(_ parameter: ParameterDescription) {
    put(parameter.name)
    put(parameter.help)
    put(parameter.unit)
    put(parameter.type)
    put(parameter.choices)
    put(parameter.initial)
    put(parameter.minimum)
    put(parameter.maximum)
  }

  mutating func put(_ value: ValueDescription) {
    put(value.name)
    put(value.help)
    put(value.type)
    put(value.scope.rawValue)
    put(value.fallback)
    put(value.choices)
  }

  mutating func put(_ function: FunctionDescription) {
    put(function.name)
    put(function.signature)
    put(function.help)
    put(function.isPublished)
  }

  mutating func put(_ attribute: AttributeDescription) {
    put(attribute.name)
    put(attribute.help)
    put(attribute.type)
    put(attribute.choices)
    put(attribute.interpolation.rawValue)
    put(attribute.isAdjusted)
    put(attribute.initial)
  }

  mutating func put(_ kind: KindDescription) {
    put(kind.name)
    put(kind.category.rawValue)
  }

  mutating func put(_ setting: DefaultDescription) {
    put(setting.name)
    put(setting.value)
    put(setting.isOwned)
  }

  private mutating func put(_ numbers: [Double]) {
    put(count: numbers.count)
    for number in numbers { put(number) }
  }
}

extension ByteReader {
  mutating func parameter() throws(HostError) -> ParameterDescription {
    ParameterDescription(
      name: try string(), help: try string(), unit: try optionalString(), type: try valueType(),
      choices: try strings(), initial: try value(), minimum: try numbers(),
      maximum: try numbers())
  }

  mutating func valueDescription() throws(HostError) -> ValueDescription {
    ValueDescription(
      name: try string(), help: try string(), type: try valueType(), scope: try scope(),
      fallback: try optionalString(), choices: try strings())
  }

  mutating func function() throws(HostError) -> FunctionDescription {
    FunctionDescription(
      name: try string(), signature: try string(), help: try string(), isPublished: try bool())
  }

  mutating func attribute() throws(HostError) -> AttributeDescription {
    AttributeDescription(
      name: try string(), help: try string(), type: try valueType(), choices: try strings(),
      interpolation: try interpolation(), isAdjusted: try bool(), initial: try value())
  }

  mutating func kind() throws(HostError) -> KindDescription {
    KindDescription(name: try string(), category: try category())
  }

  mutating func `default`() throws(HostError) -> DefaultDescription {
    DefaultDescription(name: try string(), value: try value(), isOwned: try bool())
  }

  private mutating func numbers() throws(HostError) -> [Double] {
    var numbers: [Double] = []
    for _ in 0..<(try count(ofAtLeast: 8)) { numbers.append(try double()) }
    return numbers
  }

  private mutating func scope() throws(HostError) -> ValueDescription.Scope {
    let raw = try uint32()
    guard let scope = ValueDescription.Scope(rawValue: raw) else {
      throw Self.broken("holds the scope \(raw); expected 0 or 1")
    }
    return scope
  }

  private mutating func interpolation() throws(HostError) -> AttributeDescription.Interpolation {
    let raw = try int32()
    guard let interpolation = AttributeDescription.Interpolation(rawValue: raw) else {
      throw Self.broken("holds the interpolation \(raw); expected 0 to 2")
    }
    return interpolation
  }

  private mutating func category() throws(HostError) -> ElementCategory {
    let raw = try int32()
    guard let category = ElementCategory(rawValue: raw) else {
      throw Self.broken("holds the category \(raw); expected 1 or 2")
    }
    return category
  }
}
