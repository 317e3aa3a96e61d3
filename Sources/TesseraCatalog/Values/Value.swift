import CTessera
import TesseraGeometry

/// A value of any type; narrow integers and f32 have the widest type of their kind.
public enum Value: Equatable, Hashable, Sendable {
  case void
  case bool(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case number(Double)
  case choice(String)
  case vector(ValueType, Components)

  /// Up to four numbers, stored inline.
  public struct Components: Equatable, Hashable, Sendable, BitwiseCopyable {
    fileprivate var first = 0.0, second = 0.0, third = 0.0, fourth = 0.0

    init(at address: UnsafeRawPointer, byteCount: Int) {
      withUnsafeMutableBytes(of: &self) {
        $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: byteCount))
      }
    }

    package init(count: Int, _ number: (Int) -> Double) {
      if count > 0 { first = number(0) }
      if count > 1 { second = number(1) }
      if count > 2 { third = number(2) }
      if count > 3 { fourth = number(3) }
    }

    /// The component at 0 to 3; 0 beyond the type's components.
    public subscript(index: Int) -> Double {
      index < 2 ? (index == 0 ? first : second) : index == 2 ? third : fourth
    }
  }

  /// A position in points.
  public static func point(_ value: Point) -> Value { Value(value) }
  /// An extent in points.
  public static func size(_ value: Size) -> Value { Value(value) }
  /// A rectangle in points.
  public static func rect(_ value: Rect) -> Value { Value(value) }
  /// Distances from the edges in points.
  public static func insets(_ value: Insets) -> Value { Value(value) }

  /// The type: the widest of its kind.
  public var type: ValueType {
    switch self {
    case .void: .void
    case .bool: .bool
    case .integer: .integer
    case .unsigned: .u64
    case .number: .number
    case .choice: .choice
    case .vector(let type, _): type
    }
  }
}

/// A Swift type with the memory layout of a contract type; don't add conformances.
public protocol NativeValue: BitwiseCopyable, Sendable {
  /// From an aligned address.
  static func load(from address: UnsafeRawPointer) -> Self
  /// Integers fill 8 bytes.
  func store(to address: UnsafeMutableRawPointer)
  var isFinite: Bool { get }
}

extension NativeValue {
  /// The type of the values.
  public static var valueType: ValueType { ValueType(native: Self.self) }

  /// Reads a value that C wrote, from an aligned address.
  @inlinable public static func load(from address: UnsafeRawPointer) -> Self {
    address.load(as: Self.self)
  }

  /// Writes a C result.
  @inlinable public func store(to address: UnsafeMutableRawPointer) {
    address.storeBytes(of: self, as: Self.self)
  }

  /// Creates a Swift value from a structure; nil for another type.
  public init?(_ value: Value) {
    guard case .vector(Self.valueType, let components) = value else { return nil }
    self = withUnsafeBytes(of: components) { $0.load(as: Self.self) }
  }
}

extension NativeValue where Self: FixedWidthInteger {
  /// Writes a C result, sign- or zero-extended to 8 bytes.
  @inlinable public func store(to address: UnsafeMutableRawPointer) {
    address.storeBytes(of: UInt64(truncatingIfNeeded: self), as: UInt64.self)
  }

  /// Always true.
  @inlinable public var isFinite: Bool { true }
}

extension UInt8: NativeValue {}
extension Int8: NativeValue {}
extension UInt16: NativeValue {}
extension Int16: NativeValue {}
extension UInt32: NativeValue {}
extension Int32: NativeValue {}
extension UInt64: NativeValue {}
extension Int64: NativeValue {}
extension Float: NativeValue {}
extension Double: NativeValue {}
extension Point: NativeValue {}
extension Size: NativeValue {}
extension Rect: NativeValue {}
extension Insets: NativeValue {}

extension Bool: NativeValue {
  /// Reads a byte that C wrote; only 0 is false.
  @inlinable public static func load(from address: UnsafeRawPointer) -> Bool {
    address.load(as: UInt8.self) != 0
  }
  /// Writes a C result.
  @inlinable public func store(to address: UnsafeMutableRawPointer) {
    UInt8(self ? 1 : 0).store(to: address)
  }
  /// Always true.
  @inlinable public var isFinite: Bool { true }
}

extension Value {
  /// Bytes.
  package static let memorySize = MemoryLayout<tessera_value>.size

  /// Wraps a Swift value.
  public init<Native: NativeValue>(_ native: Native) {
    var memory = tessera_value()
    self = withUnsafeMutableBytes(of: &memory) {
      native.store(to: $0.baseAddress!)
      return Value(at: UnsafeRawPointer($0.baseAddress!), type: Native.valueType) ?? .void
    }
  }

  /// Nil for an invalid bool or choice; may not be finite.
  package init?(at memory: UnsafeRawPointer, type: ValueType, choices: [String] = []) {
    switch type.component {
    case .nothing: self = .void
    case .truth:
      let byte = memory.load(as: UInt8.self)
      guard byte <= 1 else { return nil }
      self = .bool(byte == 1)
    case .unsigned: self = .unsigned(Self.word(at: memory, byteCount: type.stride))
    case .signed:
      let shift = Int64(64 - 8 * type.stride)
      let word = Self.word(at: memory, byteCount: type.stride)
      self = .integer((Int64(bitPattern: word) << shift) >> shift)
    case .float: self = .number(Double(memory.loadUnaligned(as: Float.self)))
    case .double where type.isVector:
      self = .vector(type, Components(at: memory, byteCount: type.stride))
    case .double: self = .number(memory.loadUnaligned(as: Double.self))
    case .choice:
      let index = Int(memory.loadUnaligned(as: Int32.self))
      guard choices.indices.contains(index) else { return nil }
      self = .choice(choices[index])
    }
  }

  package init?(_ raw: tessera_value, type: ValueType, choices: [String]) {
    let value = withUnsafeBytes(of: raw) {
      Value(at: $0.baseAddress!, type: type, choices: choices)
    }
    guard let value else { return nil }
    self = value
  }

  /// Unlike `init(at:)`, takes every bool but 0 as true.
  package static func load(_ type: ValueType, from address: UnsafeRawPointer) -> Value {
    type == .bool ? .bool(Bool.load(from: address)) : Value(at: address, type: type) ?? .void
  }

  /// Integers fill 8 bytes, as libffi expects; choices are not written.
  package func store(as type: ValueType, to address: UnsafeMutableRawPointer) {
    switch self {
    case .void, .choice: break
    case .bool(let value): value.store(to: address)
    case .integer(let value): value.store(to: address)
    case .unsigned(let value): value.store(to: address)
    case .number(let value):
      if type == .f32 { Float(value).store(to: address) } else { value.store(to: address) }
    case .vector(let type, let components):
      withUnsafeBytes(of: components) {
        address.copyMemory(from: $0.baseAddress!, byteCount: type.stride)
      }
    }
  }

  /// Zeros for a choice.
  package func memory(as type: ValueType) -> tessera_value {
    var memory = tessera_value()
    withUnsafeMutableBytes(of: &memory) { store(as: type, to: $0.baseAddress!) }
    return memory
  }

  /// Nil for an unknown choice.
  package func raw(as type: ValueType, choices: [String]) -> tessera_value? {
    guard case .choice(let name) = self else { return memory(as: type) }
    return choices.firstIndex(of: name).map { index in
      // Values are compared as bytes, so all are set.
      var memory = tessera_value()
      memory.choice = Int32(index)
      return memory
    }
  }

  private static func word(at memory: UnsafeRawPointer, byteCount: Int) -> UInt64 {
    switch byteCount {
    case 1: UInt64(memory.load(as: UInt8.self))
    case 2: UInt64(memory.loadUnaligned(as: UInt16.self))
    case 4: UInt64(memory.loadUnaligned(as: UInt32.self))
    default: memory.loadUnaligned(as: UInt64.self)
    }
  }
}

extension Value {
  /// The components as doubles, rounded beyond 2^53; empty for a choice or void.
  public var numbers: [Double] {
    if case .vector(let type, let components) = self {
      return (0..<type.width).map { components[$0] }
    }
    return double.map { [$0] } ?? []
  }

  /// Rounded beyond 2^53.
  package var double: Double? {
    switch self {
    case .bool(let value): value ? 1 : 0
    case .integer(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .number(let value): value
    case .void, .choice, .vector: nil
    }
  }

  package var isFinite: Bool {
    switch self {
    case .number(let value): value.isFinite
    case .vector(_, let components):
      // A double minus itself is 0 if finite, else NaN.
      (0..<4).reduce(0) { $0 + (components[$1] - components[$1]) } == 0
    default: true
    }
  }

  /// Creates a value from its components, which may not be finite; nil if they don't fit.
  public init?(type: ValueType, numbers: [Double]) {
    guard numbers.count == type.width else { return nil }
    let value =
      type.component == .double
      ? numbers.withUnsafeBytes { Value(at: $0.baseAddress!, type: type) }
      : (numbers.first.map(Value.number) ?? .void).converted(to: type)
    guard let value else { return nil }
    self = value
  }

  /// Creates a value from finite components.
  public init?(type: ValueType, finite numbers: [Double]) {
    guard let value = Value(type: type, numbers: numbers), value.isFinite else { return nil }
    self = value
  }

  /// Nil for different types.
  package func combined(with other: Value, _ body: (Double, Double) -> Double) -> Value? {
    switch (self, other) {
    case (.number(let one), .number(let two)): return .number(body(one, two))
    case (.vector(let type, var one), .vector(type, let two)):
      one.first = body(one.first, two.first)
      one.second = body(one.second, two.second)
      one.third = body(one.third, two.third)
      one.fourth = body(one.fourth, two.fourth)
      return .vector(type, one)
    default: return nil
    }
  }
}

extension Value {
  /// It may not be finite.
  package func isValid(for type: ValueType) -> Bool {
    self.type == type.carrier && (self.type == type || !isFinite || converted(to: type) != nil)
  }

  /// Converts integers exactly and rounds f32; nil if the type can't hold the value.
  public func converted(to type: ValueType) -> Value? {
    switch type.component {
    case .nothing, .choice: self.type == type ? self : nil
    case .truth: whole(UInt8.self).flatMap { $0 <= 1 ? .bool($0 == 1) : nil }
    case .unsigned:
      whole(UInt64.self).flatMap { $0 <= type.unsignedMaximum ? .unsigned($0) : nil }
    case .signed: whole(Int64.self).flatMap { type.signedRange.contains($0) ? .integer($0) : nil }
    case .float: double.map { Value.number(Double(Float($0))) }.flatMap { $0.isFinite ? $0 : nil }
    case .double where type.isVector: self.type == type && isFinite ? self : nil
    case .double: double.flatMap { $0.isFinite ? .number($0) : nil }
    }
  }

  /// Converts integers exactly and rounds f32.
  ///
  /// - Parameter subject: The start of the error, such as "layoutModeForItem returned".
  /// - Throws: An error with the code if the type cannot hold the value. Its message starts with
  ///   `subject`: for "layoutModeForItem returned" it is "layoutModeForItem returned 256 for u8;
  ///   expected a whole number from 0 to 255".
  public func converted(
    to type: ValueType, _ code: HostError.Code, _ subject: @autoclosure () -> String
  ) throws(HostError) -> Value {
    guard let value = converted(to: type) else { throw conversionError(for: type, code, subject()) }
    return value
  }

  package func conversionError(
    for type: ValueType, _ code: HostError.Code, _ subject: String
  ) -> HostError {
    let found = self == .void ? "nothing" : description
    return HostError(code, "\(subject) \(found) for \(type); expected \(type.expectation)")
  }

  package func whole<Integer: FixedWidthInteger>(_: Integer.Type) -> Integer? {
    switch self {
    case .bool(let value): value ? 1 : 0
    case .integer(let value): Integer(exactly: value)
    case .unsigned(let value): Integer(exactly: value)
    case .number(let value): Integer(exactly: value)
    case .void, .choice, .vector: nil
    }
  }
}

extension Value: CustomStringConvertible {
  /// Text such as "true", "12.5", "vertical", "100x90" for a size, "1,2" for a point.
  public var description: String {
    switch self {
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    case .choice(let name): name
    case .void, .number, .vector:
      numbers.map(\.shortText).joined(separator: String(type.separator))
    }
  }

  /// Text for a type: an f32 has the fewest digits that identify it.
  public func text(as type: ValueType) -> String {
    if case .number(let value) = self, type == .f32, value != value.rounded(.towardZero) {
      return "\(Float(value))"
    }
    return description
  }

  /// Parses the form of `description`, with commas in any structure; nil for a choice.
  public init?(type: ValueType, text: some StringProtocol) {
    let value: Value?
    if type == .void {
      value = text.isEmpty ? .void : nil
    } else if type.isVector {
      let parts = text.split(omittingEmptySubsequences: false) { $0 == "," || $0 == type.separator }
      let numbers = parts.compactMap { Double($0) }
      value = numbers.count == parts.count ? Value(type: type, numbers: numbers) : nil
    } else {
      value = Self.scalar(text)
    }
    guard let converted = value?.converted(to: type) else { return nil }
    self = converted
  }

  private static func scalar(_ text: some StringProtocol) -> Value? {
    if text == "true" || text == "false" { return .bool(text == "true") }
    // Integers first: a double would round them beyond 2^53.
    if let value = Int64(text) { return .integer(value) }
    if let value = UInt64(text) { return .unsigned(value) }
    return Double(text).map(Value.number)
  }
}

extension tessera_insets {
  /// Swaps left and right if mirrored.
  package init(_ insets: Insets, isMirrored: Bool) {
    self.init(
      top: insets.top, left: isMirrored ? insets.right : insets.left, bottom: insets.bottom,
      right: isMirrored ? insets.left : insets.right)
  }
}

extension tessera_rect {
  package init(_ rect: Rect) {
    self.init(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
  }
}
