extension EngineDescription: FieldCodable {
  package static let fields = Fields(
    EngineDescription.init, \.id, \.name, \.version, \.author, \.license, \.summary, \.base,
    \.baseVersion, \.traits, \.laws, \.columns, \.adjustedColumns, \.abilities, \.parameters,
    \.values, \.lists, \.functions, \.attributes, \.kinds, \.defaults, \.measured)
  package static let listLimit = Int(EngineDescription.entryLimit)

  /// Throws `.brokenContract` for malformed bytes, `.cannotLoad` for a broken rule.
  package static func read(from reader: inout ByteReader) throws(HostError) -> EngineDescription {
    let description = try fields.decode(&reader)
    guard EngineAbilities.all.isSuperset(of: description.abilities) else {
      throw ByteReader.broken("holds unknown abilities (\(description.abilities.rawValue))")
    }
    try description.check()
    return description
  }
}

private protocol Declaration: FieldCodable {}

extension Declaration {
  package static var listLimit: Int { Int(EngineDescription.entryLimit) }
}

extension ParameterDescription: Declaration {
  package static let fields = Fields(
    ParameterDescription.init, \.name, \.help, \.unit, \.type, \.choices, \.initial, \.minimum,
    \.maximum, \.isHint, \.isInAdjust)
}

extension ValueDescription: Declaration {
  package static let fields = Fields(
    ValueDescription.init, \.name, \.help, \.type, \.scope, \.fallback, \.choices, \.isHint,
    \.isInAdjust)
}

extension ListDescription: Declaration {
  package static let fields = Fields(ListDescription.init, \.name, \.help, \.columns)
}

extension FunctionDescription: Declaration {
  package static let fields = Fields(
    FunctionDescription.init, \.name, \.signature, \.help, \.isPublished)
}

extension AttributeDescription: Declaration {
  package static let fields = Fields(
    AttributeDescription.init, \.name, \.help, \.unit, \.type, \.choices, \.interpolation,
    \.isAdjusted, \.initial)
}

extension KindDescription: Declaration {
  package static let fields = Fields(KindDescription.init, \.name, \.category, \.role, \.shows)
}

extension DefaultDescription: Declaration {
  package static let fields = Fields(DefaultDescription.init, \.name, \.value, \.isOwned)
}

extension MeasuredDescription: Declaration {
  package static let fields = Fields(MeasuredDescription.init, \.value, \.kind)
}

extension EngineTraits: ByteCodable {}
extension EngineLaws: ByteCodable {}
extension BuiltInColumns: ByteCodable {}
extension EngineAbilities: ByteCodable {}
extension ValueDescription.Scope: ByteCodable {}
extension AttributeDescription.Interpolation: ByteCodable {}
extension ElementCategory: ByteCodable {}
extension KindDescription.Role: ByteCodable {}

extension ValueType: ByteCodable {
  package func write(to writer: inout ByteWriter) { writer.put(UInt8(code)) }

  package static func read(from reader: inout ByteReader) throws(HostError) -> ValueType {
    try known(try reader.read(UInt8.self)) { ValueType(code: Int32($0)) }
  }

  fileprivate static func known(
    _ byte: UInt8, _ type: (UInt8) -> ValueType?
  ) throws(HostError) -> ValueType {
    guard let type = type(byte) else {
      throw ByteReader.broken("holds a value of type \(byte); expected 1 to \(declarable.count)")
    }
    return type
  }
}

/// A type without a number in tessera.h has the highest bit set; may not be finite.
extension Value: ByteCodable {
  private static let unnumbered: UInt8 = 0x80
  // A value takes forty times as much memory once decoded.
  package static let listLimit = 8192

  package func write(to writer: inout ByteWriter) {
    writer.put(type.code > 0 ? UInt8(type.code) : Self.unnumbered | type.rawValue)
    if case .choice(let name) = self { return writer.put(name) }
    withUnsafeBytes(of: memory(as: type)) { writer.put(raw: $0.prefix(type.stride)) }
  }

  package static func read(from reader: inout ByteReader) throws(HostError) -> Value {
    let type = try ValueType.known(try reader.read(UInt8.self)) { byte in
      byte & unnumbered == 0
        ? ValueType(code: Int32(byte))
        : ValueType(rawValue: byte & ~unnumbered).flatMap { $0.code > 0 ? nil : $0 }
    }
    if type == .choice { return .choice(try reader.read()) }
    if type == .bool { return .bool(try reader.read()) }
    let memory = try reader.raw(count: type.stride)
    return memory.withUnsafeBytes { $0.baseAddress.map { load(type, from: $0) } } ?? .void
  }
}

extension HostError: ByteCodable {
  package func write(to writer: inout ByteWriter) {
    writer.put(code.rawValue)
    writer.put(engine)
    writer.put(subject)
    writer.put(sentence)
    switch remedy {
    case nil: writer.put(UInt8(0))
    case .askForPart: writer.put(UInt8(1))
    case .allowMoreTime: writer.put(UInt8(2))
    case .chooseEngine(let usable, let refused):
      writer.put(UInt8(3))
      writer.put(UInt64(usable))
      writer.put(UInt64(refused))
    case .trustLibrary(let path, let allowlist):
      writer.put(UInt8(4))
      writer.put(path)
      writer.put(allowlist)
    case .diagnoseMachine: writer.put(UInt8(5))
    case .locateWorker: writer.put(UInt8(6))
    case .allowMoreMemory: writer.put(UInt8(7))
    case .allowMoreRows: writer.put(UInt8(8))
    case .waitForRefusal(let seconds):
      writer.put(UInt8(9))
      writer.put(UInt64(seconds))
    }
  }

  package static func read(from reader: inout ByteReader) throws(HostError) -> HostError {
    let name = try reader.read(String.self)
    guard let code = Code(rawValue: name) else {
      throw ByteReader.broken("holds an error with the code \(UntrustedText.onOneLine(name))")
    }
    let engine = try reader.read(String?.self)
    let (subject, sentence) = (try reader.read(String.self), try reader.read(String.self))
    let remedy: Remedy? =
      switch try reader.read(UInt8.self) {
      case 0: nil
      case 1: .askForPart
      case 2: .allowMoreTime
      case 3:
        .chooseEngine(
          usable: Int(clamping: try reader.read(UInt64.self)),
          refused: Int(clamping: try reader.read(UInt64.self)))
      case 4:
        .trustLibrary(
          path: UntrustedText.onOneLine(try reader.read()),
          allowlist: UntrustedText.onOneLine(try reader.read()))
      case 5: .diagnoseMachine
      case 6: .locateWorker
      case 7: .allowMoreMemory
      case 8: .allowMoreRows
      case 9: .waitForRefusal(seconds: Int(clamping: try reader.read(UInt64.self)))
      case let code: throw ByteReader.broken("holds a remedy of kind \(code)")
      }
    return HostError(code, sentence, remedy, engine: engine, death: nil, subject: subject).onOneLine
  }
}
