import CTesseraSystem
import TesseraCatalog
import TesseraGeometry

/// How C passes the arguments and the result of one signature, worked out once.
package final class CallInterface: @unchecked Sendable {  // nothing in it changes after init
  package let signature: Signature
  package let pointer: OpaquePointer
  /// The types of the arguments, at a place that lives as long as this.
  package let types: UnsafeBufferPointer<SignatureType>

  /// - Throws: `.refused` where libffi cannot pass the signature.
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

/// Values of a type known only at run time, where C has or wants them.
package enum CallMemory {
  /// The most bytes that a value takes, a whole number widened included.
  package static let valueSize = 32

  /// What C left at an address.
  ///
  /// Nothing is checked: numbers may not be finite, a bool other than 0 is true.
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

  /// Puts an argument, already converted to its type, where C reads it: in the type's own width.
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

  /// Puts a result, already converted to its type, where libffi takes it: whole numbers widened.
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

  /// Puts the zero of a type where libffi takes a result.
  package static func storeZero(_ type: SignatureType, to address: UnsafeMutableRawPointer) {
    switch type {
    case .void: break
    case .point, .size: Point.zero.store(to: address)
    case .rect, .insets: Insets.zero.store(to: address)
    default: UInt64(0).store(to: address)
    }
  }
}

/// The arguments that C passed to a function that the host made, numbered from 0.
///
/// A view, which allocates nothing: it holds during the call that it was given to and must not be
/// kept. What an engine passes is not checked; numbers may not be finite. Every read is O(1); an
/// index out of range is a mistake of the program, as with an array.
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

  /// How many there are.
  public var count: Int { types.count }

  /// The type of an argument.
  public func type(at index: Int) -> SignatureType {
    precondition(types.indices.contains(index), "there is no such argument")
    return types[index]
  }

  /// An argument of any type.
  public func value(at index: Int) -> CallValue {
    CallMemory.load(type(at: index), from: addresses[index])
  }

  /// A whole number or a bool; nil for other types and for a u64 beyond `Int64.max`.
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

  private func load<Structure: CallType>(_ wanted: SignatureType, at index: Int) -> Structure? {
    type(at: index) == wanted ? Structure.load(from: addresses[index]) : nil
  }
}

/// Where the result of a function that the host made goes, during one call.
@usableFromInline package struct CallResult {
  @usableFromInline package let address: UnsafeMutableRawPointer
  package let type: SignatureType

  /// - Throws: `.invalidInput` for a value that the type cannot hold.
  package func store(_ value: CallValue, of name: @autoclosure () -> String) throws(HostError) {
    let fitting = try value.converted(to: type, .invalidInput, "\(name()) gave")
    CallMemory.storeResult(fitting, as: type, to: address)
  }

  /// The error for a value that the type cannot hold.
  @usableFromInline package func unfit(_ value: CallValue, of name: String) -> HostError {
    value.unfit(for: type, .invalidInput, "\(name) gave")
  }
}

extension CallArguments {
  /// The argument at `index`, which is of that type, and goes on to the next.
  @inlinable package func next<Argument: CallType>(_: Argument.Type, _ index: inout Int) -> Argument {
    defer { index += 1 }
    return Argument.load(from: addresses[index])
  }
}
