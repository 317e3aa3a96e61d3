import CTesseraSystem
import TesseraCatalog
import TesseraGeometry

/// How C passes the arguments and the result of one signature, computed once.
package final class CallInterface: @unchecked Sendable {  // immutable after init
  package let signature: Signature
  package let pointer: OpaquePointer
  /// The types of the arguments; the memory is valid as long as this object.
  package let types: UnsafeBufferPointer<SignatureType>

  /// Prepares calls of a signature.
  ///
  /// - Throws: `.refused` if libffi cannot call the signature.
  package init(_ signature: Signature) throws(HostError) {
    let numbers = signature.arguments.map(\.rawValue)
    guard
      let pointer = tessera_call_interface_create(
        signature.result.rawValue, numbers, UInt32(numbers.count))
    else {
      throw HostError(
        .refused,
        "functions of the signature \(signature) cannot be called on this system; "
          + "declare another signature")
    }
    let types = UnsafeMutableBufferPointer<SignatureType>.allocate(capacity: numbers.count)
    _ = types.initialize(from: signature.arguments)
    self.signature = signature
    self.pointer = pointer
    self.types = UnsafeBufferPointer(types)
  }

  deinit {
    tessera_call_interface_destroy(pointer)
    types.deallocate()
  }
}

/// A Swift type that a C function across the boundary can take or return.
///
/// The fixed-width integers, `Float`, `Double`, `Bool`, `Point`, `Size`, `Rect` and `Insets`
/// conform; do not conform types of your own.
public protocol CallType: BitwiseCopyable, Sendable {
  /// The type's name in a signature.
  static var signatureType: SignatureType { get }
  /// Reads a value that C wrote, from an address aligned for the type.
  static func load(from address: UnsafeRawPointer) -> Self
  /// Writes the value where C expects a result; integers fill 8 bytes.
  func store(to address: UnsafeMutableRawPointer)
  /// Whether all numbers of the value are finite, so that the host may pass it to C.
  var isPassable: Bool { get }
  /// The value as a `CallValue`.
  var callValue: CallValue { get }
}

extension CallType {
  /// Reads a value that C wrote, from an address aligned for the type.
  @inlinable public static func load(from address: UnsafeRawPointer) -> Self {
    address.load(as: Self.self)
  }

  /// Writes the value where C expects a result.
  @inlinable public func store(to address: UnsafeMutableRawPointer) {
    address.storeBytes(of: self, as: Self.self)
  }
}

extension CallType where Self: FixedWidthInteger {
  /// Writes the value where C expects a result, sign- or zero-extended to 8 bytes.
  @inlinable public func store(to address: UnsafeMutableRawPointer) {
    address.storeBytes(of: UInt64(truncatingIfNeeded: self), as: UInt64.self)
  }

  /// Always true.
  @inlinable public var isPassable: Bool { true }

  /// The value as `.signed` or `.unsigned`.
  public var callValue: CallValue {
    Self.isSigned
      ? .signed(Int64(truncatingIfNeeded: self)) : .unsigned(UInt64(truncatingIfNeeded: self))
  }
}

extension UInt8: CallType {
  /// The type `u8`.
  @inlinable public static var signatureType: SignatureType { .u8 }
}
extension Int8: CallType {
  /// The type `i8`.
  @inlinable public static var signatureType: SignatureType { .i8 }
}
extension UInt16: CallType {
  /// The type `u16`.
  @inlinable public static var signatureType: SignatureType { .u16 }
}
extension Int16: CallType {
  /// The type `i16`.
  @inlinable public static var signatureType: SignatureType { .i16 }
}
extension UInt32: CallType {
  /// The type `u32`.
  @inlinable public static var signatureType: SignatureType { .u32 }
}
extension Int32: CallType {
  /// The type `i32`.
  @inlinable public static var signatureType: SignatureType { .i32 }
}
extension UInt64: CallType {
  /// The type `u64`.
  @inlinable public static var signatureType: SignatureType { .u64 }
}
extension Int64: CallType {
  /// The type `i64`.
  @inlinable public static var signatureType: SignatureType { .i64 }
}

extension Bool: CallType {
  /// The type `bool`.
  @inlinable public static var signatureType: SignatureType { .bool }
  /// Reads a byte that C wrote; every value but 0 is true.
  @inlinable public static func load(from address: UnsafeRawPointer) -> Bool {
    address.load(as: UInt8.self) != 0
  }
  /// Writes the value where C expects a result.
  @inlinable public func store(to address: UnsafeMutableRawPointer) {
    UInt8(self ? 1 : 0).store(to: address)
  }
  /// Always true.
  @inlinable public var isPassable: Bool { true }
  /// The value as `.bool`.
  public var callValue: CallValue { .bool(self) }
}

extension Float: CallType {
  /// The type `f32`.
  @inlinable public static var signatureType: SignatureType { .f32 }
  /// Whether the value is finite.
  @inlinable public var isPassable: Bool { isFinite }
  /// The value as `.number`.
  public var callValue: CallValue { .number(Double(self)) }
}
extension Double: CallType {
  /// The type `f64`.
  @inlinable public static var signatureType: SignatureType { .f64 }
  /// Whether the value is finite.
  @inlinable public var isPassable: Bool { isFinite }
  /// The value as `.number`.
  public var callValue: CallValue { .number(self) }
}

extension Point: CallType {
  /// The type `point`.
  @inlinable public static var signatureType: SignatureType { .point }
  /// Whether the value is finite.
  @inlinable public var isPassable: Bool { isFinite }
  /// The value as `.point`.
  public var callValue: CallValue { .point(self) }
}
extension Size: CallType {
  /// The type `size`.
  @inlinable public static var signatureType: SignatureType { .size }
  /// Whether the value is finite.
  @inlinable public var isPassable: Bool { isFinite }
  /// The value as `.size`.
  public var callValue: CallValue { .size(self) }
}
extension Rect: CallType {
  /// The type `rect`.
  @inlinable public static var signatureType: SignatureType { .rect }
  /// Whether the value is finite.
  @inlinable public var isPassable: Bool { isFinite }
  /// The value as `.rect`.
  public var callValue: CallValue { .rect(self) }
}
extension Insets: CallType {
  /// The type `insets`.
  @inlinable public static var signatureType: SignatureType { .insets }
  /// Whether the value is finite.
  @inlinable public var isPassable: Bool { isFinite }
  /// The value as `.insets`.
  public var callValue: CallValue { .insets(self) }
}

/// Reads and writes values of a type known only at run time, in the memory layout of C.
package enum CallMemory {
  /// The maximum size of a value in bytes, including widened integers.
  package static let valueSize = 32

  /// Reads a value that C wrote.
  ///
  /// The value is not checked: numbers may not be finite, and every bool but 0 is true.
  package static func load(_ type: SignatureType, from address: UnsafeRawPointer) -> CallValue {
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

  /// Writes an argument, already converted to its type, with the type's own width.
  package static func storeArgument(
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

  /// Writes a result, already converted to its type, as libffi expects it: integers widened.
  package static func storeResult(
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

  /// Writes the zero of a type as libffi expects a result.
  package static func storeZero(_ type: SignatureType, to address: UnsafeMutableRawPointer) {
    switch type {
    case .void: break
    case .point, .size: Point.zero.store(to: address)
    case .rect, .insets: Insets.zero.store(to: address)
    default: UInt64(0).store(to: address)
    }
  }
}

/// The arguments that C passed to a delegate function, indexed from 0.
///
/// A view that allocates nothing. It is valid only during the call; do not store it. The arguments
/// are not checked: numbers may not be finite. Every access is O(1); an index out of range is a
/// runtime error, as with an array.
public struct CallArguments {
  /// The addresses of the arguments, after that of the context.
  @usableFromInline package let addresses: UnsafePointer<UnsafeMutableRawPointer>
  private let types: UnsafeBufferPointer<SignatureType>

  package init(
    addresses: UnsafePointer<UnsafeMutableRawPointer>, types: UnsafeBufferPointer<SignatureType>
  ) {
    self.addresses = addresses
    self.types = types
  }

  /// The number of arguments.
  public var count: Int { types.count }

  /// The type of an argument.
  public func type(at index: Int) -> SignatureType {
    precondition(types.indices.contains(index), "argument index out of range")
    return types[index]
  }

  /// An argument of any type.
  public func value(at index: Int) -> CallValue {
    CallMemory.load(type(at: index), from: addresses[index])
  }

  /// An integer or a bool; nil for other types and for a u64 beyond `Int64.max`.
  public func integer(at index: Int) -> Int64? {
    switch type(at: index) {
    case .u32: Int64(UInt32.load(from: addresses[index]))
    case .i64: Int64.load(from: addresses[index])
    default:
      switch value(at: index) {
      case .bool(let value): value ? 1 : 0
      case .signed(let value): value
      case .unsigned(let value): Int64(exactly: value)
      default: nil
      }
    }
  }

  /// A number of any type or a bool, rounded beyond 2^53; nil for structures.
  public func number(at index: Int) -> Double? {
    switch type(at: index) {
    case .u32: Double(UInt32.load(from: addresses[index]))
    case .f64: Double.load(from: addresses[index])
    default:
      switch value(at: index) {
      case .bool(let value): value ? 1 : 0
      case .signed(let value): Double(value)
      case .unsigned(let value): Double(value)
      case .number(let value): value
      default: nil
      }
    }
  }

  /// A point; nil for other types.
  public func point(at index: Int) -> Point? { load(.point, at: index) }

  /// A size; nil for other types.
  public func size(at index: Int) -> Size? { load(.size, at: index) }

  /// A rectangle; nil for other types.
  public func rect(at index: Int) -> Rect? { load(.rect, at: index) }

  /// Insets; nil for other types.
  public func insets(at index: Int) -> Insets? { load(.insets, at: index) }

  /// Returns the argument at `index`, which must have that type, and increments the index.
  @inlinable package func next<Argument: CallType>(_: Argument.Type, _ index: inout Int) -> Argument
  {
    defer { index += 1 }
    return Argument.load(from: addresses[index])
  }

  private func load<Structure: CallType>(_ expected: SignatureType, at index: Int) -> Structure? {
    type(at: index) == expected ? Structure.load(from: addresses[index]) : nil
  }
}

/// The memory for the result of a delegate function, valid during one call.
@usableFromInline package struct CallResult {
  @usableFromInline package let address: UnsafeMutableRawPointer
  package let type: SignatureType

  /// Converts a value to the result's type and writes it.
  ///
  /// - Throws: `.invalidInput` for a value that the type cannot hold.
  package func store(_ value: CallValue, of name: @autoclosure () -> String) throws(HostError) {
    let fitting = try value.converted(to: type, .invalidInput, "\(name()) returned")
    CallMemory.storeResult(fitting, as: type, to: address)
  }

  /// The error for a value that the type cannot hold.
  @usableFromInline package func conversionError(
    _ value: CallValue, of name: String
  ) -> HostError {
    value.conversionError(for: type, .invalidInput, "\(name) returned")
  }
}
