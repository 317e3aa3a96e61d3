import CTessera
import TesseraCatalog

package struct DescriptionReader {
  /// Bytes of an entry, with room for later versions of the contract.
  package static let strideLimit = 4096
  /// Struct sizes in 1.0, the smallest that a library can have.
  private static let floors = (
    engine: 264, parameter: 144, value: 40, list: 32, function: 32, attribute: 80, kind: 24,
    setting: 56
  )

  package let pointer: UnsafePointer<tessera_engine>
  package let engine: tessera_engine
  package let id: String
  package let abilities: EngineAbilities

  package static func read(
    _ pointer: UnsafePointer<tessera_engine>
  ) throws(HostError) -> (table: tessera_engine, description: EngineDescription) {
    let table = try table(at: pointer)
    let id = try UntrustedText.copy(table.id, "an engine's id")
    let abilities: EngineAbilities
    do throws(HostError) {
      abilities = try EngineAbilities(of: pointer, table: table)
    } catch {
      throw error.caused(by: id)
    }
    let reader = DescriptionReader(pointer: pointer, engine: table, id: id, abilities: abilities)
    let description = try reader.description()
    try description.check()
    return (table, description)
  }

  /// A library with a wrong `struct_size` may have less.
  private static func table(
    at pointer: UnsafePointer<tessera_engine>
  ) throws(HostError) -> tessera_engine {
    let found = UnsafeRawPointer(pointer).load(as: UInt32.self)
    guard found >= floors.engine else {
      throw HostError(
        .invalidArray,
        "an engine's struct_size is \(found); expected at least \(floors.engine); set it to "
          + "sizeof(tessera_engine)")
    }
    return load(at: pointer, size: Int(found))
  }

  /// Members beyond `size`, the library's struct size, are zero.
  package static func load<Struct>(at pointer: UnsafeRawPointer, size: Int) -> Struct {
    withUnsafeTemporaryAllocation(byteCount: MemoryLayout<Struct>.size, alignment: 16) { copy in
      copy.initializeMemory(as: UInt8.self, repeating: 0)
      copy.copyMemory(from: UnsafeRawBufferPointer(start: pointer, count: min(size, copy.count)))
      return copy.load(as: Struct.self)
    }
  }

  /// A later version may give it a meaning.
  private func checkZero(_ bits: UInt32, _ member: String) throws(HostError) {
    guard bits == 0 else { throw HostError.unknownBits(member, bits).caused(by: id) }
  }

  private func description() throws(HostError) -> EngineDescription {
    try checkZero(engine.reserved, "reserved of tessera_engine")
    let parameters = try parameters(
      try entries(
        engine.parameters, count: engine.parameter_count, stride: engine.parameter_size,
        floor: Self.floors.parameter, "parameters"), "a parameter")
    return EngineDescription(
      id: id,
      name: try text(engine.name, "name"),
      version: try text(engine.version, "version"),
      author: try text(engine.author, "author"),
      license: try text(engine.license, "license"),
      summary: try text(engine.summary, "summary"),
      base: try UntrustedText.copyIfPresent(engine.base, "\(id): base"),
      baseVersion: try UntrustedText.copyIfPresent(engine.base_version, "\(id): base_version"),
      traits: EngineTraits(rawValue: engine.traits),
      laws: EngineLaws(rawValue: engine.laws),
      columns: BuiltInColumns(rawValue: engine.columns),
      adjustedColumns: BuiltInColumns(rawValue: engine.adjusted_columns),
      abilities: abilities,
      parameters: parameters,
      values: try values(parameters: parameters),
      lists: try lists(),
      functions: try functions(),
      attributes: try attributes(),
      kinds: try kinds(),
      defaults: try defaults(),
      measured: try measured())
  }

  private func text(_ pointer: UnsafePointer<CChar>?, _ field: String) throws(HostError) -> String {
    try UntrustedText.copy(pointer, "\(id): \(field)")
  }

  private func entries<Entry>(
    _ array: UnsafePointer<Entry>?, count: UInt32, stride: UInt32, floor: Int, _ what: String
  ) throws(HostError) -> [Entry] {
    guard count > 0 else { return [] }
    guard let array else {
      throw HostError(.invalidArray, "\(count) \(what) are declared at a null pointer", engine: id)
    }
    guard stride >= floor, stride <= Self.strideLimit, stride % 8 == 0,
      count <= EngineDescription.entryLimit
    else {
      throw HostError(
        .invalidArray,
        "\(count) \(what) of \(stride) bytes each are declared; expected at most "
          + "\(EngineDescription.entryLimit), of \(floor) to \(Self.strideLimit) bytes, "
          + "a multiple of 8", engine: id)
    }
    var result: [Entry] = []
    for index in 0..<Int(count) {
      let entry = UnsafeRawPointer(array) + index * Int(stride)
      // Entries start with their name. A null name would load as a nil `Entry?` and end the loop.
      guard entry.load(as: UInt.self) != 0 else {
        throw HostError(
          .invalidText,
          "the name of \(what) \(index) is null; expected a string", engine: id)
      }
      result.append(Self.load(at: entry, size: Int(stride)))
    }
    return result
  }

  private func type(_ raw: tessera_type, of name: String) throws(HostError) -> ValueType {
    guard let type = ValueType(code: raw) else {
      throw HostError(
        .unknownType,
        "\(name) has the type \(raw); expected one of 1 to "
          + "\(ValueType.declarable.count) (tessera_type)", engine: id)
    }
    return type
  }

  private func choices(
    _ names: UnsafePointer<UnsafePointer<CChar>>?, count: UInt32, type: ValueType, of owner: String
  ) throws(HostError) -> [String] {
    guard type == .choice else {
      guard names == nil, count == 0 else {
        throw HostError(
          .invalidChoices,
          "\(owner) is of type \(type.name) and has \(count) choices; only an enum has choices",
          engine: id)
      }
      return []
    }
    guard let names, count > 0, count <= EngineDescription.entryLimit else {
      throw HostError(
        .invalidChoices, "the enum \(owner) has \(count) choices; declare at least one", engine: id)
    }
    var result: [String] = []
    for index in 0..<Int(count) {
      result.append(try UntrustedText.copy(names[index], "\(id): choice \(index) of \(owner)"))
    }
    return result
  }

  private func initial(
    _ raw: tessera_value, type: ValueType, choices: [String], of name: String
  ) throws(HostError) -> Value {
    guard let value = Value(raw, type: type, choices: choices) else {
      throw HostError(
        .invalidDefault,
        "the initial value of \(name) is not a valid \(type.name); declare a valid one", engine: id)
    }
    return value
  }

  private func parameters(
    _ raw: [tessera_parameter], _ what: String
  ) throws(HostError) -> [ParameterDescription] {
    return try raw.map { entry throws(HostError) in
      let name = try text(entry.name, "\(what)'s name")
      let type = try type(entry.type, of: name)
      try checkZero(entry.flags & ~Self.flags, "flags of \(name)")
      try checkZero(entry.reserved, "reserved of \(name)")
      let choices = try choices(entry.choices, count: entry.choice_count, type: type, of: name)
      let limits = Self.limits(minimum: entry.minimum, maximum: entry.maximum, type: type)
      return ParameterDescription(
        name: name, help: try text(entry.help, "the help of \(name)"),
        unit: try UntrustedText.copyIfPresent(entry.unit, "\(id): the unit of \(name)"),
        type: type, choices: choices,
        initial: try initial(entry.initial, type: type, choices: choices, of: name),
        minimum: limits.map(\.0), maximum: limits.map(\.1),
        isHint: entry.flags & TESSERA_FLAG_HINT != 0,
        isInAdjust: entry.flags & TESSERA_FLAG_IN_ADJUST != 0)
    }
  }

  private static let flags = UInt32(TESSERA_FLAG_HINT | TESSERA_FLAG_IN_ADJUST)

  // Equal limits and the extreme integers mean unlimited. `checkLimits` rejects min > max.
  private static func limits(
    minimum: tessera_value, maximum: tessera_value, type: ValueType
  ) -> [(Double, Double)] {
    guard type.isOrdered,
      let low = Value(minimum, type: type, choices: []),
      let high = Value(maximum, type: type, choices: [])
    else { return [] }
    return zip(low.numbers, high.numbers).map { low, high in
      guard low != high else { return (-.infinity, .infinity) }
      guard type.isWhole else { return (low, high) }
      return (low <= -0x1p63 ? -.infinity : low, high >= 0x1p63 ? .infinity : high)
    }
  }

  private func values(parameters: [ParameterDescription]) throws(HostError) -> [ValueDescription] {
    let raw = try entries(
      engine.values, count: engine.value_count, stride: engine.value_size,
      floor: Self.floors.value, "values")
    return try raw.map { entry throws(HostError) in
      let name = try text(entry.name, "a value's name")
      let type = try type(entry.type, of: name)
      try checkZero(entry.flags & ~Self.flags, "flags of \(name)")
      try checkZero(entry.reserved, "reserved of \(name)")
      let fallback = try UntrustedText.copyIfPresent(
        entry.fallback, "\(id): the fallback of \(name)")
      guard let scope = ValueDescription.Scope(rawValue: entry.scope) else {
        throw HostError(
          .unknownType, "the value \(name) has the scope \(entry.scope); expected 0 or 1",
          engine: id)
      }
      let parameter = parameters.first { $0.name == fallback }
      return ValueDescription(
        name: name, help: try text(entry.help, "the help of \(name)"), type: type,
        scope: scope, fallback: fallback, choices: parameter?.choices ?? [],
        isHint: entry.flags & TESSERA_FLAG_HINT != 0,
        isInAdjust: entry.flags & TESSERA_FLAG_IN_ADJUST != 0)
    }
  }

  private func lists() throws(HostError) -> [ListDescription] {
    let raw = try entries(
      engine.lists, count: engine.list_count, stride: engine.list_size, floor: Self.floors.list,
      "lists")
    // Lists may share columns: limit their number before copying.
    let count = raw.reduce(0) { $0 + Int($1.column_count) }
    guard count <= EngineDescription.entryLimit else {
      throw HostError(
        .invalidArray,
        "its lists have \(count) columns; expected at most \(EngineDescription.entryLimit) "
          + "together", engine: id)
    }
    return try raw.map { entry throws(HostError) in
      let name = try text(entry.name, "a list's name")
      let columns = try entries(
        entry.columns, count: entry.column_count, stride: entry.column_size,
        floor: Self.floors.parameter, "columns of the list \(name)")
      return ListDescription(
        name: name, help: try text(entry.help, "the help of \(name)"),
        columns: try parameters(columns, "a column of the list \(name)"))
    }
  }

  private func functions() throws(HostError) -> [FunctionDescription] {
    let raw = try entries(
      engine.functions, count: engine.function_count, stride: engine.function_size,
      floor: Self.floors.function, "functions")
    return try raw.map { entry throws(HostError) in
      let name = try text(entry.name, "a function's name")
      return FunctionDescription(
        name: name, signature: try text(entry.signature, "the signature of \(name)"),
        help: try text(entry.help, "the help of \(name)"), isPublished: entry.published != nil)
    }
  }

  private func attributes() throws(HostError) -> [AttributeDescription] {
    let raw = try entries(
      engine.attributes, count: engine.attribute_count, stride: engine.attribute_size,
      floor: Self.floors.attribute, "attributes")
    return try raw.map { entry throws(HostError) in
      let name = try text(entry.name, "an attribute's name")
      let type = try type(entry.type, of: name)
      let choices = try choices(entry.choices, count: entry.choice_count, type: type, of: name)
      guard
        let interpolation = AttributeDescription.Interpolation(rawValue: entry.interpolation),
        entry.when <= TESSERA_WHEN_ADJUSTED
      else {
        throw HostError(
          .unknownType,
          "the attribute \(name) has interpolation \(entry.interpolation) and when "
            + "\(entry.when); expected 0 to 2, and 0 or 1", engine: id)
      }
      return AttributeDescription(
        name: name, help: try text(entry.help, "the help of \(name)"),
        unit: try UntrustedText.copyIfPresent(entry.unit, "\(id): the unit of \(name)"),
        type: type, choices: choices, interpolation: interpolation,
        isAdjusted: entry.when == TESSERA_WHEN_ADJUSTED,
        initial: try initial(entry.initial, type: type, choices: choices, of: name))
    }
  }

  private func measured() throws(HostError) -> [MeasuredDescription] {
    let table: tessera_sizing? = engine.extensionTable(TESSERA_EXT_SIZING, of: pointer)
    guard let table else { return [] }
    guard table.measured_count <= EngineDescription.entryLimit else {
      throw HostError(
        .invalidExtension,
        "its table for tessera.sizing/1 measures \(table.measured_count) values; expected at most "
          + "\(EngineDescription.entryLimit)", engine: id)
    }
    var result: [MeasuredDescription] = []
    for index in 0..<Int(table.measured_count) {
      let entry = table.measured + index
      result.append(
        MeasuredDescription(
          value: try text(entry.pointee.value, "the value measured"),
          kind: try UntrustedText.copyIfPresent(entry.pointee.kind, "\(id): the kind measured")))
    }
    return result
  }

  private func kinds() throws(HostError) -> [KindDescription] {
    let raw = try entries(
      engine.kinds, count: engine.kind_count, stride: engine.kind_size, floor: Self.floors.kind,
      "kinds")
    return try raw.map { entry throws(HostError) in
      let name = try text(entry.name, "a kind's name")
      guard let category = ElementCategory(rawValue: entry.category), category != .cell else {
        throw HostError(
          .unknownType,
          "the kind \(name) has the category \(entry.category); expected 1 (supplementary) "
            + "or 2 (decoration)", engine: id)
      }
      guard let role = KindDescription.Role(rawValue: entry.role) else {
        throw HostError(
          .unknownType,
          "the kind \(name) has the role \(entry.role); expected 0 to "
            + "\(KindDescription.Role.allCases.count - 1) (tessera_role)", engine: id)
      }
      return KindDescription(
        name: name, category: category, role: role,
        shows: try UntrustedText.copyIfPresent(entry.shows, "\(id): what \(name) shows"))
    }
  }

  private func defaults() throws(HostError) -> [DefaultDescription] {
    let raw = try entries(
      engine.defaults, count: engine.default_count, stride: engine.default_size,
      floor: Self.floors.setting, "defaults")
    return try raw.map { entry throws(HostError) in
      let name = try text(entry.name, "a default's name")
      let type = try type(entry.type, of: name)
      try checkZero(entry.owned & ~1, "owned of the default \(name)")
      let value: Value
      if type == .choice {
        value = .choice(try text(entry.choice, "the choice of the default \(name)"))
      } else {
        guard entry.choice == nil else {
          throw HostError(
            .invalidChoices,
            "the default \(name) is of type \(type.name) and has a choice; only an enum has one",
            engine: id)
        }
        value = try initial(entry.value, type: type, choices: [], of: name)
      }
      return DefaultDescription(name: name, value: value, isOwned: entry.owned == 1)
    }
  }
}
