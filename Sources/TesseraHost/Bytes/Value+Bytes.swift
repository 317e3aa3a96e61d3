extension ByteWriter {
  /// A value by its type and its components.
  mutating func put(_ value: Value) {
    put(UInt8(value.type.rawValue))
    switch value {
    case .bool(let bool): put(bool)
    case .integer(let integer): put(integer)
    case .choice(let name): put(name)
    case .number, .point, .size, .rect, .insets:
      for number in value.numbers { put(number) }
    }
  }

  mutating func put(_ type: ValueType) { put(UInt8(type.rawValue)) }
}

extension ByteReader {
  mutating func valueType() throws(HostError) -> ValueType {
    let raw = try uint8()
    guard let type = ValueType(rawValue: Int32(raw)) else {
      throw Self.broken("holds a value of type \(raw); expected 1 to 8")
    }
    return type
  }

  mutating func value() throws(HostError) -> Value {
    let type = try valueType()
    switch type {
    case .bool: return .bool(try bool())
    case .integer: return .integer(try int64())
    case .choice: return .choice(try string())
    case .number, .point, .size, .rect, .insets:
      var numbers: [Double] = []
      for _ in 0..<max(1, type.components.count) { numbers.append(try double()) }
      guard let value = Value(type: type, numbers: numbers) else {
        throw Self.broken("holds a value that is no \(type.name)")
      }
      return value
    }
  }
}
