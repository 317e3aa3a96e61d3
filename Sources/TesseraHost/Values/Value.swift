import TesseraGeometry

/// One value of a parameter, of a section or item value, or of an attribute.
public enum Value: Equatable, Hashable, Sendable {
  /// True or false.
  case bool(Bool)
  /// A 64-bit integer.
  case integer(Int64)
  /// A double.
  case number(Double)
  /// A choice by its name.
  case choice(String)
  /// A place in points.
  case point(Point)
  /// An extent in points.
  case size(Size)
  /// A rectangle in points.
  case rect(Rect)
  /// Distances from the edges in points.
  case insets(Insets)

  /// The type that the value is of.
  public var type: ValueType {
    switch self {
    case .bool: .bool
    case .integer: .integer
    case .number: .number
    case .choice: .choice
    case .point: .point
    case .size: .size
    case .rect: .rect
    case .insets: .insets
    }
  }

  /// The value's doubles in the order of `ValueType.components`; one for a bool, integer or number,
  /// none for a choice.
  public var numbers: [Double] {
    switch self {
    case .bool(let value): [value ? 1 : 0]
    case .integer(let value): [Double(value)]
    case .number(let value): [value]
    case .choice: []
    case .point(let value): [value.x, value.y]
    case .size(let value): [value.width, value.height]
    case .rect(let value): [value.x, value.y, value.width, value.height]
    case .insets(let value): [value.top, value.left, value.bottom, value.right]
    }
  }

  /// A value of `type` made of doubles in the order of `ValueType.components`.
  ///
  /// Nil for a choice, for another count of numbers, for a bool other than 0 or 1, and for an
  /// integer that is not whole or does not fit 64 bits.
  public init?(type: ValueType, numbers: [Double]) {
    guard numbers.count == max(1, type.components.count) else { return nil }
    switch type {
    case .bool:
      guard numbers[0] == 0 || numbers[0] == 1 else { return nil }
      self = .bool(numbers[0] == 1)
    case .integer:
      guard let value = Int64(exactly: numbers[0]) else { return nil }
      self = .integer(value)
    case .number: self = .number(numbers[0])
    case .choice: return nil
    case .point: self = .point(Point(x: numbers[0], y: numbers[1]))
    case .size: self = .size(Size(width: numbers[0], height: numbers[1]))
    case .rect:
      self = .rect(Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]))
    case .insets:
      self = .insets(
        Insets(top: numbers[0], left: numbers[1], bottom: numbers[2], right: numbers[3]))
    }
  }
}
