import TesseraCatalog
import TesseraGeometry

/// One argument or result of a function whose signature is known only at run time.
public enum CallValue: Equatable, Hashable, Sendable {
  /// No value: the result of a function that returns void.
  case void
  /// True or false.
  case bool(Bool)
  /// A signed integer.
  case signed(Int64)
  /// An unsigned integer.
  case unsigned(UInt64)
  /// A floating-point number.
  case number(Double)
  /// A point, in points.
  case point(Point)
  /// A size, in points.
  case size(Size)
  /// A rectangle, in points.
  case rect(Rect)
  /// Distances from the edges, in points.
  case insets(Insets)

  /// Creates a value of a type from doubles in the order of `SignatureType.components`.
  ///
  /// A type without components takes one double, void takes none. Returns nil for a wrong number of
  /// doubles, for one that is not finite, and for one that the type cannot hold exactly; only f32
  /// rounds.
  public init?(type: SignatureType, numbers: [Double]) {
    let value: CallValue
    switch (type, numbers.count) {
    case (.void, 0): value = .void
    case (.point, 2): value = .point(Point(x: numbers[0], y: numbers[1]))
    case (.size, 2): value = .size(Size(width: numbers[0], height: numbers[1]))
    case (.rect, 4):
      value = .rect(Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]))
    case (.insets, 4):
      value = .insets(
        Insets(top: numbers[0], left: numbers[1], bottom: numbers[2], right: numbers[3]))
    case (_, 1) where type.components.isEmpty: value = .number(numbers[0])
    default: return nil
    }
    guard let converted = value.converted(to: type) else { return nil }
    self = converted
  }

  /// The value as doubles in the order of `SignatureType.components`: one for a bool or a number,
  /// none for void.
  ///
  /// Integers beyond 2^53 are rounded.
  public var numbers: [Double] {
    switch self {
    case .void: []
    case .bool(let value): [value ? 1 : 0]
    case .signed(let value): [Double(value)]
    case .unsigned(let value): [Double(value)]
    case .number(let value): [value]
    case .point(let value): [value.x, value.y]
    case .size(let value): [value.width, value.height]
    case .rect(let value): [value.x, value.y, value.width, value.height]
    case .insets(let value): [value.top, value.left, value.bottom, value.right]
    }
  }
}

extension CallValue {
  /// Returns the value converted to a type: integers exactly, f32 rounded.
  ///
  /// Returns nil if the type cannot hold the value, for numbers that are not finite, and between
  /// structures of different types.
  public func converted(to type: SignatureType) -> CallValue? {
    switch type {
    case .void: self == .void ? self : nil
    case .bool: boolean.map(CallValue.bool)
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

  /// Returns the value converted to a type: integers exactly, f32 rounded.
  ///
  /// - Throws: An error of `kind` if the type cannot hold the value. Its message starts with
  ///   `subject`: for "layoutModeForItem returned" it is "layoutModeForItem returned 256 for u8;
  ///   expected a whole number from 0 to 255".
  public func converted(
    to type: SignatureType, _ kind: HostError.Kind, _ subject: @autoclosure () -> String
  ) throws(HostError) -> CallValue {
    guard let value = converted(to: type) else { throw conversionError(for: type, kind, subject()) }
    return value
  }

  /// The error for a value that a type cannot hold.
  package func conversionError(
    for type: SignatureType, _ kind: HostError.Kind, _ subject: String
  ) -> HostError {
    let found = self == .void ? "nothing" : description
    return HostError(kind, "\(subject) \(found) for \(type); expected \(type.expectation)")
  }

  private var boolean: Bool? {
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

  /// Whether the value is a structure of that type with finite numbers.
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

extension CallValue: CustomStringConvertible {
  /// The value in text form: "true", "-3", "12.5", "100x90" for a size, "1,2,3,4" for other
  /// structures; empty for void.
  public var description: String {
    switch self {
    case .bool(let value): "\(value)"
    case .signed(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    case .size(let size): "\(size.width.shortText)x\(size.height.shortText)"
    case .void, .number, .point, .rect, .insets:
      numbers.map(\.shortText).joined(separator: ",")
    }
  }

  /// The value in text form for a type: an f32 with the fewest digits that identify it.
  public func text(as type: SignatureType) -> String {
    if case .number(let value) = self, type == .f32, value != value.rounded(.towardZero) {
      return "\(Float(value))"
    }
    return description
  }

  /// Parses a value of a type from the form of `description`.
  ///
  /// A size may have a comma instead of "x". Returns nil if the text is invalid or the type cannot
  /// hold the value.
  public init?(type: SignatureType, text: some StringProtocol) {
    let value: CallValue?
    switch type {
    case .void: value = text.isEmpty ? .void : nil
    case .point, .size, .rect, .insets:
      let parts = text.split(omittingEmptySubsequences: false) {
        $0 == "," || ($0 == "x" && type == .size)
      }
      let numbers = parts.compactMap { Double($0) }
      value = numbers.count == parts.count ? CallValue(type: type, numbers: numbers) : nil
    default: value = Self.scalar(text)
    }
    guard let converted = value?.converted(to: type) else { return nil }
    self = converted
  }

  private static func scalar(_ text: some StringProtocol) -> CallValue? {
    if text == "true" || text == "false" { return .bool(text == "true") }
    // Integers first: a double would round them beyond 2^53.
    if let value = Int64(text) { return .signed(value) }
    if let value = UInt64(text) { return .unsigned(value) }
    return Double(text).map(CallValue.number)
  }
}

extension CallValue {
  /// Whether arguments of a type are sent between processes as this case.
  package func isCarried(by type: SignatureType) -> Bool {
    switch type {
    case .u8, .u16, .u32, .u64: carrier == .u64
    case .i8, .i16, .i32, .i64: carrier == .i64
    case .f32, .f64: carrier == .f64
    default: carrier == type
    }
  }

  /// The widest type of this case.
  package var carrier: SignatureType {
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
