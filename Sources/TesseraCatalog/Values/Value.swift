import CTessera
import TesseraGeometry

/// A value of a parameter, a section or item value or an attribute, or an argument or result of a
/// function whose signature is known only at run time.
///
/// Narrow integers and f32 are held by the widest type of their kind.
public enum Value: Equatable, Hashable, Sendable {
  /// No value: the result of a function that returns void.
  case void
  /// True or false.
  case bool(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case number(Double)
  case choice(String)
  /// The components of a structure, such as a point.
  case vector(ValueType, Components)

  /// Up to four numbers, stored inline.
  public struct Components: Equatable, Hashable, Sendable, BitwiseCopyable {
    fileprivate var first = 0.0, second = 0.0, third = 0.0, fourth = 0.0

    /// Copies the components of a structure from memory.
    init(at address: UnsafeRawPointer, byteCount: Int) {
      withUnsafeMutableBytes(of: &self) {
        $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: byteCount))
      }
    }

    /// Creates components from a function of their index.
    package init(count: Int, _ number: (Int) -> Double) {
      if count > 0 { first = number(0) }
      if count > 1 { second = number(1) }
      if count > 2 { third = number(2) }
      if count > 3 { fourth = number(3) }
    }

    /// The component at an index of 0 to 3; 0 beyond the components of the type.
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

  /// The type of the value: the widest of its kind.
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

/// A Swift type of values, with the memory layout of the contract's type.
///
/// The fixed-width integers, `Float`, `Double`, `Bool`, `Point`, `Size`, `Rect` and `Insets`
/// conform; do not conform types of your own.
public protocol NativeValue: BitwiseCopyable, Sendable {
  /// Reads a value that C wrote, from an address aligned for the type.
  static func load(from address: UnsafeRawPointer) -> Self
  /// Writes the value where C expects a result; integers fill 8 bytes.
  func store(to address: UnsafeMutableRawPointer)
  /// Whether all numbers of the value are finite, so that the host may pass it to C.
  var isFinite: Bool { get }
}

extension NativeValue {
  /// The type of the values, found in the table.
  public static var valueType: ValueType { ValueType(native: Self.self) }

  /// Reads a value that C wrote, from an address aligned for the type.
  @inlinable public static func load(from address: UnsafeRawPointer) -> Self {
    address.load(as: Self.self)
  }

  /// Writes the value where C expects a result.
  @inlinable public func store(to address: UnsafeMutableRawPointer) {
    address.storeBytes(of: self, as: Self.self)
  }

  /// Creates a Swift value from a structure; nil for a value of another type.
  public init?(_ value: Value) {
    guard case .vector(Self.valueType, let components) = value else { return nil }
    self = withUnsafeBytes(of: components) { $0.load(as: Self.self) }
  }
}

extension NativeValue where Self: FixedWidthInteger {
  /// Writes the value where C expects a result, sign- or zero-extended to 8 bytes.
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
  /// Reads a byte that C wrote; every value but 0 is true.
  @inlinable public static func load(from address: UnsafeRawPointer) -> Bool {
    address.load(as: UInt8.self) != 0
  }
  /// Writes the value where C expects a result.
  @inlinable public func store(to address: UnsafeMutableRawPointer) {
    UInt8(self ? 1 : 0).store(to: address)
  }
  /// Always true.
  @inlinable public var isFinite: Bool { true }
}

// Memory.
extension Value {
  /// The maximum size of a value in memory in bytes, including widened integers.
  package static let memorySize = MemoryLayout<tessera_value>.size

  /// The value of a Swift value.
  public init<Native: NativeValue>(_ native: Native) {
    var memory = tessera_value()
    self = withUnsafeMutableBytes(of: &memory) {
      native.store(to: $0.baseAddress!)
      return Value(at: UnsafeRawPointer($0.baseAddress!), type: Native.valueType) ?? .void
    }
  }

  /// Reads a value of a type from memory.
  ///
  /// Returns nil if it is invalid: a bool other than 0 or 1, or an index outside `choices`. Numbers
  /// may not be finite.
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

  /// Reads a value of a type from the contract's union, as from memory.
  package init?(_ raw: tessera_value, type: ValueType, choices: [String]) {
    let value = withUnsafeBytes(of: raw) {
      Value(at: $0.baseAddress!, type: type, choices: choices)
    }
    guard let value else { return nil }
    self = value
  }

  /// Reads a value that C wrote; every bool but 0 is true.
  package static func load(_ type: ValueType, from address: UnsafeRawPointer) -> Value {
    type == .bool ? .bool(Bool.load(from: address)) : Value(at: address, type: type) ?? .void
  }

  /// Writes the value, already converted to a type, into memory of at least 8 bytes.
  ///
  /// Integers fill 8 bytes, as libffi expects results; their low bytes come first on every platform
  /// that Swift supports. A choice is not written.
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

  /// The memory of the value, already converted to a type; zeros for a choice.
  package func memory(as type: ValueType) -> tessera_value {
    var memory = tessera_value()
    withUnsafeMutableBytes(of: &memory) { store(as: type, to: $0.baseAddress!) }
    return memory
  }

  /// The value, already converted to a type, as the contract's union; nil for a choice that is not
  /// in `choices`.
  package func raw(as type: ValueType, choices: [String]) -> tessera_value? {
    guard case .choice(let name) = self else { return memory(as: type) }
    return choices.firstIndex(of: name).map { index in
      // All bytes are set, because values are compared as bytes.
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

// Numbers.
extension Value {
  /// The components as doubles, in the order of `ValueType.components`: one for a bool, integer or
  /// number, none for a choice or void.
  ///
  /// Integers beyond 2^53 are rounded.
  public var numbers: [Double] {
    if case .vector(let type, let components) = self {
      return (0..<type.width).map { components[$0] }
    }
    return double.map { [$0] } ?? []
  }

  /// A scalar as a double, rounded beyond 2^53; nil for a structure, a choice or void.
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
      // A double minus itself is 0 if it is finite, else NaN.
      (0..<4).reduce(0) { $0 + (components[$1] - components[$1]) } == 0
    default: true
    }
  }

  /// Creates a value from its components, in the order of `ValueType.components`.
  ///
  /// Returns nil for a choice, for a wrong number of components, for a bool other than 0 or 1, and
  /// for an integer that is not whole or does not fit its type. Only f32 rounds. The numbers of a
  /// number or a structure may not be finite.
  public init?(type: ValueType, numbers: [Double]) {
    guard numbers.count == type.width else { return nil }
    let value =
      type.component == .double
      ? numbers.withUnsafeBytes { Value(at: $0.baseAddress!, type: type) }
      : (numbers.first.map(Value.number) ?? .void).converted(to: type)
    guard let value else { return nil }
    self = value
  }

  /// Creates a value from its components, all of which must be finite.
  public init?(type: ValueType, finite numbers: [Double]) {
    guard let value = Value(type: type, numbers: numbers), value.isFinite else { return nil }
    self = value
  }

  /// Combines the doubles of two values of the same type; nil for other values.
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

// Conversions.
extension Value {
  /// Whether the type or, for a narrower one, the range of a declaration holds the value; its numbers
  /// may not be finite.
  package func isValid(for type: ValueType) -> Bool {
    self.type == type.carrier && (self.type == type || !isFinite || converted(to: type) != nil)
  }

  /// Returns the value converted to a type: integers exactly, f32 rounded.
  ///
  /// Returns nil if the type cannot hold the value, for numbers that are not finite, and between
  /// structures of different types.
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

  /// Returns the value converted to a type: integers exactly, f32 rounded.
  ///
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

// Text.
extension Value: CustomStringConvertible {
  /// The value as text, such as "true", "12.5", "vertical", "100x90" for a size, or components
  /// separated by commas for other structures; empty for void.
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

  /// The value in text form for a type: an f32 with the fewest digits that identify it.
  public func text(as type: ValueType) -> String {
    if case .number(let value) = self, type == .f32, value != value.rounded(.towardZero) {
      return "\(Float(value))"
    }
    return description
  }

  /// Parses a value of a type from the form of `description`.
  ///
  /// Every structure may have commas. Returns nil for a choice, or if the text is invalid or the
  /// type cannot hold the value.
  public init?(type: ValueType, text: some StringProtocol) {
    let value: Value?
    if type == .void {
      value = text.isEmpty ? .void : nil
    } else if type.isVector {
      let parts = text.split(omittingEmptySubsequences: false) {
        $0 == "," || $0 == type.separator
      }
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
  /// Converts insets; if the layout is mirrored, swaps left and right.
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
