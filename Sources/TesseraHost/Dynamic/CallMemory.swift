import TesseraGeometry

/// Values of a type known only at run time, where C has or wants them.
enum CallMemory {
  /// The most bytes that a value takes, a whole number widened included.
  static let valueSize = 32

  /// What C left at an address.
  ///
  /// Nothing is checked: numbers may not be finite, a bool other than 0 is true.
  static func load(_ type: SignatureType, from address: UnsafeRawPointer) -> CallValue {
    switch type {
    case .void: .void
    case .bool: Bool.load(from: address).callValue
    case .u8: UInt8.load(from: address).callValue
    case .i8: Int8.load(from: address).callValue
    case .u16: UInt16.load(from: address).callValue
    case .i16: Int16.load(from: address).callValue
    case .u32: UInt32.load(from: address).callValue
    case .i32: Int32.load(from: address).callValue
    case .u64: UInt64.load(from: address).callValue
    case .i64: Int64.load(from: address).callValue
    case .f32: Float.load(from: address).callValue
    case .f64: Double.load(from: address).callValue
    case .point: Point.load(from: address).callValue
    case .size: Size.load(from: address).callValue
    case .rect: Rect.load(from: address).callValue
    case .insets: Insets.load(from: address).callValue
    }
  }

  /// Puts an argument, already converted to its type, where C reads it: in the type's own width.
  static func storeArgument(
    _ value: CallValue, as type: SignatureType, to address: UnsafeMutableRawPointer
  ) {
    switch (value, type) {
    case (.unsigned(let value), .u8):
      address.storeBytes(of: UInt8(truncatingIfNeeded: value), as: UInt8.self)
    case (.unsigned(let value), .u16):
      address.storeBytes(of: UInt16(truncatingIfNeeded: value), as: UInt16.self)
    case (.unsigned(let value), .u32):
      address.storeBytes(of: UInt32(truncatingIfNeeded: value), as: UInt32.self)
    case (.signed(let value), .i8):
      address.storeBytes(of: Int8(truncatingIfNeeded: value), as: Int8.self)
    case (.signed(let value), .i16):
      address.storeBytes(of: Int16(truncatingIfNeeded: value), as: Int16.self)
    case (.signed(let value), .i32):
      address.storeBytes(of: Int32(truncatingIfNeeded: value), as: Int32.self)
    case (.bool(let value), _): address.storeBytes(of: value ? 1 : 0, as: UInt8.self)
    default: storeResult(value, as: type, to: address)
    }
  }

  /// Puts a result, already converted to its type, where libffi takes it: whole numbers widened.
  static func storeResult(
    _ value: CallValue, as type: SignatureType, to address: UnsafeMutableRawPointer
  ) {
    switch value {
    case .void: break
    case .bool(let value): value.store(to: address)
    case .signed(let value): value.store(to: address)
    case .unsigned(let value): value.store(to: address)
    case .number(let value):
      if type == .f32 { Float(value).store(to: address) } else { value.store(to: address) }
    case .point(let value): value.store(to: address)
    case .size(let value): value.store(to: address)
    case .rect(let value): value.store(to: address)
    case .insets(let value): value.store(to: address)
    }
  }

  /// Puts the zero of a type where libffi takes a result.
  static func storeZero(_ type: SignatureType, to address: UnsafeMutableRawPointer) {
    switch type {
    case .void: break
    case .point, .size: Point.zero.store(to: address)
    case .rect, .insets: Insets.zero.store(to: address)
    default: UInt64(0).store(to: address)
    }
  }
}
