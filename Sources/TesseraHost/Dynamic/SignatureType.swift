/// A type that a C function across the boundary may take or give.
public enum SignatureType: UInt8, CaseIterable, Sendable, CustomStringConvertible {
  // The raw values are those of tessera_functions.h.
  /// Nothing: a result only.
  case void
  /// A `uint8_t` of 0 or 1.
  case bool
  case u8, i8, u16, i16, u32, i32, u64, i64
  case f32, f64
  /// Two doubles: x, y.
  case point
  /// Two doubles: width, height.
  case size
  /// Four doubles: x, y, width, height.
  case rect
  /// Four doubles: top, left, bottom, right.
  case insets

  /// The type's word in a signature.
  public var description: String {
    switch self {
    case .void: "void"
    case .bool: "bool"
    case .u8: "u8"
    case .i8: "i8"
    case .u16: "u16"
    case .i16: "i16"
    case .u32: "u32"
    case .i32: "i32"
    case .u64: "u64"
    case .i64: "i64"
    case .f32: "f32"
    case .f64: "f64"
    case .point: "point"
    case .size: "size"
    case .rect: "rect"
    case .insets: "insets"
    }
  }

  /// The names of the doubles that a structure consists of; empty for the other types.
  public var components: [String] {
    switch self {
    case .point: ["x", "y"]
    case .size: ["width", "height"]
    case .rect: ["x", "y", "width", "height"]
    case .insets: ["top", "left", "bottom", "right"]
    default: []
    }
  }

  /// What a value of the type looks like, as the end of "expected …".
  public var expectation: String {
    switch self {
    case .void: "nothing"
    case .bool: "true or false, or 1 or 0"
    case .u8: wholeNumber(UInt8.self)
    case .i8: wholeNumber(Int8.self)
    case .u16: wholeNumber(UInt16.self)
    case .i16: wholeNumber(Int16.self)
    case .u32: wholeNumber(UInt32.self)
    case .i32: wholeNumber(Int32.self)
    case .u64: wholeNumber(UInt64.self)
    case .i64: wholeNumber(Int64.self)
    case .f32: "a finite number of at most \(Float.greatestFiniteMagnitude) either side of 0"
    case .f64: "a finite number"
    case .point, .size, .rect, .insets:
      "\(components.count) finite numbers (\(components.joined(separator: ", ")))"
    }
  }

  private func wholeNumber<Integer: FixedWidthInteger>(_: Integer.Type) -> String {
    "a whole number from \(Integer.min) to \(Integer.max)"
  }
}
