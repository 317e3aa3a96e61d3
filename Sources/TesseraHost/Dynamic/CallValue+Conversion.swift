import TesseraGeometry

extension CallValue {
  /// The value as one that a type can hold: a whole number exactly, an f32 rounded.
  ///
  /// Nil where the type cannot hold it, for numbers that are not finite, and between structures of
  /// different types.
  public func converted(to type: SignatureType) -> CallValue? {
    switch type {
    case .void: self == .void ? self : nil
    case .bool: truth.map(CallValue.bool)
    case .u8: unsigned(UInt8.self)
    case .i8: signed(Int8.self)
    case .u16: unsigned(UInt16.self)
    case .i16: signed(Int16.self)
    case .u32: unsigned(UInt32.self)
    case .i32: signed(Int32.self)
    case .u64: unsigned(UInt64.self)
    case .i64: signed(Int64.self)
    case .f32: single
    case .f64: double.flatMap { $0.isFinite ? .number($0) : nil }
    case .point, .size, .rect, .insets: isStructure(type) ? self : nil
    }
  }

  /// The value as one that a type can hold.
  ///
  /// - Throws: an error of `kind` that starts with `subject`, "layoutModeForItem gave", and goes on
  ///   "256 for u8; expected a whole number from 0 to 255".
  public func converted(
    to type: SignatureType, _ kind: HostError.Kind, _ subject: @autoclosure () -> String
  ) throws(HostError) -> CallValue {
    guard let value = converted(to: type) else { throw unfit(for: type, kind, subject()) }
    return value
  }

  /// The error for a value that a type cannot hold.
  func unfit(for type: SignatureType, _ kind: HostError.Kind, _ subject: String) -> HostError {
    let found = self == .void ? "nothing" : description
    return HostError(kind, "\(subject) \(found) for \(type); expected \(type.expectation)")
  }

  private var truth: Bool? {
    switch self {
    case .bool(let value): value
    case .signed(0), .unsigned(0), .number(0): false
    case .signed(1), .unsigned(1), .number(1): true
    default: nil
    }
  }

  /// A scalar as a double, rounded beyond 2^53.
  private var double: Double? {
    switch self {
    case .bool(let value): value ? 1 : 0
    case .signed(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  private var single: CallValue? {
    guard let double, double.isFinite else { return nil }
    let rounded = Float(double)
    return rounded.isFinite ? .number(Double(rounded)) : nil
  }

  private func whole<Integer: FixedWidthInteger>(_: Integer.Type) -> Integer? {
    switch self {
    case .bool(let value): value ? 1 : 0
    case .signed(let value): Integer(exactly: value)
    case .unsigned(let value): Integer(exactly: value)
    case .number(let value): Integer(exactly: value)
    default: nil
    }
  }

  private func unsigned<Integer: FixedWidthInteger>(_ type: Integer.Type) -> CallValue? {
    whole(type).map { .unsigned(UInt64($0)) }
  }

  private func signed<Integer: FixedWidthInteger>(_ type: Integer.Type) -> CallValue? {
    whole(type).map { .signed(Int64($0)) }
  }

  /// Whether this is a structure of that type with finite numbers.
  private func isStructure(_ type: SignatureType) -> Bool {
    switch (self, type) {
    case (.point(let value), .point): value.isFinite
    case (.size(let value), .size): value.isFinite
    case (.rect(let value), .rect): value.isFinite
    case (.insets(let value), .insets): value.isFinite
    default: false
    }
  }
}
