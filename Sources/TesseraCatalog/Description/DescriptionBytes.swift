extension ByteWriter {
  /// Writes a description without loss.
  package mutating func put(_ description: EngineDescription) {
    for text in [
      description.id, description.name, description.version, description.author,
      description.license, description.summary,
    ] {
      put(text)
    }
    put(description.base)
    put(description.baseVersion)
    put(description.traits.rawValue)
    put(description.columns.rawValue)
    put(description.adjustedColumns.rawValue)
    put(description.abilities.rawValue)
    put(description.parameters) { $0.put($1) }
    put(description.values) { $0.put($1) }
    put(description.functions) { $0.put($1) }
    put(description.attributes) { $0.put($1) }
    put(description.kinds) { $0.put($1) }
    put(description.defaults) { $0.put($1) }
  }

  /// Writes the number of descriptions, then the descriptions.
  package mutating func put(_ descriptions: [EngineDescription]) {
    put(descriptions) { $0.put($1) }
  }

  private mutating func put<Entry>(
    _ entries: [Entry], _ putEntry: (inout ByteWriter, Entry) -> Void
  ) {
    put(count: entries.count)
    for entry in entries { putEntry(&self, entry) }
  }
}

extension ByteReader {
  /// Reads a description, and checks it by the same rules as one read from a library.
  ///
  /// - Throws: `.brokenContract` if the bytes are malformed, `.cannotLoad` if the description
  ///   breaks a rule.
  package mutating func engineDescription() throws(HostError) -> EngineDescription {
    let description = EngineDescription(
      id: try string(), name: try string(), version: try string(), author: try string(),
      license: try string(), summary: try string(),
      base: try optionalString(), baseVersion: try optionalString(),
      traits: EngineTraits(rawValue: try uint32()),
      columns: BuiltInColumns(rawValue: try uint32()),
      adjustedColumns: BuiltInColumns(rawValue: try uint32()),
      abilities: try abilities(),
      parameters: try entries { (reader) throws(HostError) in try reader.parameter() },
      values: try entries { (reader) throws(HostError) in try reader.valueDescription() },
      functions: try entries { (reader) throws(HostError) in try reader.function() },
      attributes: try entries { (reader) throws(HostError) in try reader.attribute() },
      kinds: try entries { (reader) throws(HostError) in try reader.kind() },
      defaults: try entries { (reader) throws(HostError) in try reader.default() })
    try DescriptionRules(description: description).check()
    return description
  }

  /// Reads the number of descriptions, then the descriptions.
  package mutating func engineDescriptions() throws(HostError) -> [EngineDescription] {
    try entries { (reader) throws(HostError) in try reader.engineDescription() }
  }

  private mutating func abilities() throws(HostError) -> EngineAbilities {
    let abilities = EngineAbilities(rawValue: try uint32())
    guard EngineAbilities.all.isSuperset(of: abilities) else {
      throw Self.broken("holds unknown abilities (\(abilities.rawValue))")
    }
    return abilities
  }

  /// Reads a list of at most as many entries as a library may declare.
  ///
  /// The shortest entry, a kind with an empty name, has 8 bytes.
  private mutating func entries<Entry>(
    _ readEntry: (inout ByteReader) throws(HostError) -> Entry
  ) throws(HostError) -> [Entry] {
    let count = try count(ofAtLeast: 8)
    guard count <= DescriptionRules.entryLimit else {
      throw Self.broken(
        "holds \(count) declarations of one sort; expected at most \(DescriptionRules.entryLimit)")
    }
    var entries: [Entry] = []
    for _ in 0..<count { entries.append(try readEntry(&self)) }
    return entries
  }
}

extension ByteWriter {
  package mutating func put(_ parameter: ParameterDescription) {
    put(parameter.name)
    put(parameter.help)
    put(parameter.unit)
    put(parameter.type)
    put(parameter.choices)
    put(parameter.initial)
    put(parameter.minimum)
    put(parameter.maximum)
  }

  package mutating func put(_ value: ValueDescription) {
    put(value.name)
    put(value.help)
    put(value.type)
    put(value.scope.rawValue)
    put(value.fallback)
    put(value.choices)
  }

  package mutating func put(_ function: FunctionDescription) {
    put(function.name)
    put(function.signature)
    put(function.help)
    put(function.isPublished)
  }

  package mutating func put(_ attribute: AttributeDescription) {
    put(attribute.name)
    put(attribute.help)
    put(attribute.type)
    put(attribute.choices)
    put(attribute.interpolation.rawValue)
    put(attribute.isAdjusted)
    put(attribute.initial)
  }

  package mutating func put(_ kind: KindDescription) {
    put(kind.name)
    put(kind.category.rawValue)
  }

  package mutating func put(_ setting: DefaultDescription) {
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
  package mutating func parameter() throws(HostError) -> ParameterDescription {
    ParameterDescription(
      name: try string(), help: try string(), unit: try optionalString(), type: try valueType(),
      choices: try strings(), initial: try value(), minimum: try numbers(),
      maximum: try numbers())
  }

  package mutating func valueDescription() throws(HostError) -> ValueDescription {
    ValueDescription(
      name: try string(), help: try string(), type: try valueType(), scope: try scope(),
      fallback: try optionalString(), choices: try strings())
  }

  package mutating func function() throws(HostError) -> FunctionDescription {
    FunctionDescription(
      name: try string(), signature: try string(), help: try string(), isPublished: try bool())
  }

  package mutating func attribute() throws(HostError) -> AttributeDescription {
    AttributeDescription(
      name: try string(), help: try string(), type: try valueType(), choices: try strings(),
      interpolation: try interpolation(), isAdjusted: try bool(), initial: try value())
  }

  package mutating func kind() throws(HostError) -> KindDescription {
    KindDescription(name: try string(), category: try category())
  }

  package mutating func `default`() throws(HostError) -> DefaultDescription {
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

extension ByteWriter {
  /// Writes a value as its type and its components.
  package mutating func put(_ value: Value) {
    put(UInt8(value.type.rawValue))
    switch value {
    case .bool(let bool): put(bool)
    case .integer(let integer): put(integer)
    case .choice(let name): put(name)
    case .number, .point, .size, .rect, .insets:
      for number in value.numbers { put(number) }
    }
  }

  package mutating func put(_ type: ValueType) { put(UInt8(type.rawValue)) }
}

extension ByteReader {
  package mutating func valueType() throws(HostError) -> ValueType {
    let raw = try uint8()
    guard let type = ValueType(rawValue: Int32(raw)) else {
      throw Self.broken("holds a value of type \(raw); expected 1 to 8")
    }
    return type
  }

  package mutating func value() throws(HostError) -> Value {
    let type = try valueType()
    switch type {
    case .bool: return .bool(try bool())
    case .integer: return .integer(try int64())
    case .choice: return .choice(try string())
    case .number, .point, .size, .rect, .insets:
      var numbers: [Double] = []
      for _ in 0..<max(1, type.components.count) { numbers.append(try double()) }
      guard let value = Value(type: type, numbers: numbers) else {
        throw Self.broken("holds an invalid \(type.name)")
      }
      return value
    }
  }
}

extension ByteWriter {
  /// Writes an error as its kind, its fact and its remedy.
  package mutating func put(_ error: HostError) {
    put(error.kind.code)
    put(error.fact)
    switch error.remedy {
    case nil: put(UInt8(0))
    case .askForPart: put(UInt8(1))
    case .allowMoreTime: put(UInt8(2))
    case .chooseEngine(let usable, let refused):
      put(UInt8(3))
      put(UInt64(usable))
      put(UInt64(refused))
    case .trustLibrary(let path, let allowlist):
      put(UInt8(4))
      put(path)
      put(allowlist)
    case .diagnoseMachine: put(UInt8(5))
    case .locateWorker: put(UInt8(6))
    }
  }
}

extension ByteReader {
  /// Reads an error, and puts each of its texts on one line.
  package mutating func hostError() throws(HostError) -> HostError {
    let code = try uint8()
    guard let kind = HostError.Kind.allCases.first(where: { $0.code == code }) else {
      throw Self.broken("holds an error of kind \(code)")
    }
    return HostError(kind, ForeignText.onOneLine(try string()), try remedy())
  }

  private mutating func remedy() throws(HostError) -> HostError.Remedy? {
    switch try uint8() {
    case 0: return nil
    case 1: return .askForPart
    case 2: return .allowMoreTime
    case 3:
      return .chooseEngine(
        usable: Int(clamping: try uint64()), refused: Int(clamping: try uint64()))
    case 4:
      return .trustLibrary(
        path: ForeignText.onOneLine(try string()), allowlist: ForeignText.onOneLine(try string()))
    case 5: return .diagnoseMachine
    case 6: return .locateWorker
    case let code: throw Self.broken("holds a remedy of kind \(code)")
    }
  }
}

extension HostError.Kind {
  /// The number that encodes the kind.
  fileprivate var code: UInt8 {
    switch self {
    case .invalidInput: 1
    case .notFound: 2
    case .refused: 3
    case .brokenContract: 4
    case .cannotLoad: 5
    case .cancelled: 6
    case .notAllowed: 7
    case .died: 8
    case .cannotWrite: 9
    }
  }
}
