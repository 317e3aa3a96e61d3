import TesseraGeometry

/// A Swift type that a C function across the boundary may take or give.
///
/// The fixed-width integers, `Float`, `Double`, `Bool`, `Point`, `Size`, `Rect` and `Insets` are; no
/// type of your own can be.
public protocol CallType: BitwiseCopyable, Sendable {
  /// The word for the type in a signature.
  static var signatureType: SignatureType { get }
  /// What C left at an address that is aligned for the type.
  static func load(from address: UnsafeRawPointer) -> Self
  /// Puts the value where C expects a result: whole numbers fill 8 bytes.
  func store(to address: UnsafeMutableRawPointer)
  /// Whether the host may pass the value on: its numbers are finite.
  var isPassable: Bool { get }
  /// The value without its static type.
  var callValue: CallValue { get }
}

extension CallType {
  /// What C left at an address that is aligned for the type.
  @inlinable public static func load(from address: UnsafeRawPointer) -> Self {
    address.load(as: Self.self)
  }

  /// Puts the value where C expects a result.
  @inlinable public func store(to address: UnsafeMutableRawPointer) {
    address.storeBytes(of: self, as: Self.self)
  }
}

extension CallType where Self: FixedWidthInteger {
  /// Puts the value where C expects a result, widened to 8 bytes by its sign.
  @inlinable public func store(to address: UnsafeMutableRawPointer) {
    address.storeBytes(of: UInt64(truncatingIfNeeded: self), as: UInt64.self)
  }

  /// Always true.
  @inlinable public var isPassable: Bool { true }

  /// A signed or unsigned value.
  public var callValue: CallValue {
    Self.isSigned
      ? .signed(Int64(truncatingIfNeeded: self)) : .unsigned(UInt64(truncatingIfNeeded: self))
  }
}

extension UInt8: CallType {
  /// The word "u8".
  @inlinable public static var signatureType: SignatureType { .u8 }
}
extension Int8: CallType {
  /// The word "i8".
  @inlinable public static var signatureType: SignatureType { .i8 }
}
extension UInt16: CallType {
  /// The word "u16".
  @inlinable public static var signatureType: SignatureType { .u16 }
}
extension Int16: CallType {
  /// The word "i16".
  @inlinable public static var signatureType: SignatureType { .i16 }
}
extension UInt32: CallType {
  /// The word "u32".
  @inlinable public static var signatureType: SignatureType { .u32 }
}
extension Int32: CallType {
  /// The word "i32".
  @inlinable public static var signatureType: SignatureType { .i32 }
}
extension UInt64: CallType {
  /// The word "u64".
  @inlinable public static var signatureType: SignatureType { .u64 }
}
extension Int64: CallType {
  /// The word "i64".
  @inlinable public static var signatureType: SignatureType { .i64 }
}

extension Bool: CallType {
  /// The word "bool".
  @inlinable public static var signatureType: SignatureType { .bool }
  /// Whether the byte that C left at an address is not 0.
  @inlinable public static func load(from address: UnsafeRawPointer) -> Bool {
    address.load(as: UInt8.self) != 0
  }
  /// Puts the value where C expects a result.
  @inlinable public func store(to address: UnsafeMutableRawPointer) {
    UInt8(self ? 1 : 0).store(to: address)
  }
  /// Always true.
  @inlinable public var isPassable: Bool { true }
  /// A bool.
  public var callValue: CallValue { .bool(self) }
}

extension Float: CallType {
  /// The word "f32".
  @inlinable public static var signatureType: SignatureType { .f32 }
  /// Whether it is finite.
  @inlinable public var isPassable: Bool { isFinite }
  /// A number.
  public var callValue: CallValue { .number(Double(self)) }
}
extension Double: CallType {
  /// The word "f64".
  @inlinable public static var signatureType: SignatureType { .f64 }
  /// Whether it is finite.
  @inlinable public var isPassable: Bool { isFinite }
  /// A number.
  public var callValue: CallValue { .number(self) }
}

extension Point: CallType {
  /// The word "point".
  @inlinable public static var signatureType: SignatureType { .point }
  /// Whether it is finite.
  @inlinable public var isPassable: Bool { isFinite }
  /// A point.
  public var callValue: CallValue { .point(self) }
}
extension Size: CallType {
  /// The word "size".
  @inlinable public static var signatureType: SignatureType { .size }
  /// Whether it is finite.
  @inlinable public var isPassable: Bool { isFinite }
  /// A size.
  public var callValue: CallValue { .size(self) }
}
extension Rect: CallType {
  /// The word "rect".
  @inlinable public static var signatureType: SignatureType { .rect }
  /// Whether it is finite.
  @inlinable public var isPassable: Bool { isFinite }
  /// A rectangle.
  public var callValue: CallValue { .rect(self) }
}
extension Insets: CallType {
  /// The word "insets".
  @inlinable public static var signatureType: SignatureType { .insets }
  /// Whether it is finite.
  @inlinable public var isPassable: Bool { isFinite }
  /// Insets.
  public var callValue: CallValue { .insets(self) }
}
