extension ByteWriter {
  /// A value that a signature's type can hold, as the 32 bytes that C would see.
  mutating func put(_ value: CallValue, as type: SignatureType) {
    withUnsafeTemporaryAllocation(byteCount: CallMemory.valueSize, alignment: 16) { room in
      room.initializeMemory(as: UInt8.self, repeating: 0)
      if let base = room.baseAddress { CallMemory.storeResult(value, as: type, to: base) }
      put(type.rawValue)
      put(raw: UnsafeRawBufferPointer(room))
    }
  }

  /// A value of any type, with its case.
  mutating func put(_ value: CallValue) { put(value, as: value.carrier) }
}

extension ByteReader {
  /// A value with its type; not checked to be finite.
  mutating func callValue() throws(HostError) -> CallValue {
    let raw = try uint8()
    guard let type = SignatureType(rawValue: raw) else {
      throw Self.broken("holds a value of type \(raw)")
    }
    let bytes = try self.raw(count: CallMemory.valueSize)
    return withUnsafeTemporaryAllocation(byteCount: CallMemory.valueSize, alignment: 16) { room in
      room.copyBytes(from: bytes)
      return room.baseAddress.map { CallMemory.load(type, from: $0) } ?? .void
    }
  }
}

extension CallValue {
  /// Whether values of a type cross as values of this kind.
  func isCarried(by type: SignatureType) -> Bool {
    switch type {
    case .u8, .u16, .u32, .u64: carrier == .u64
    case .i8, .i16, .i32, .i64: carrier == .i64
    case .f32, .f64: carrier == .f64
    default: carrier == type
    }
  }

  /// The widest type that holds every value of this kind.
  fileprivate var carrier: SignatureType {
    switch self {
    case .void: .void
    case .bool: .bool
    case .signed: .i64
    case .unsigned: .u64
    case .number: .f64
    case .point: .point
    case .size: .size
    case .rect: .rect
    case .insets: .insets
    }
  }
}
