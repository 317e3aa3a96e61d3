import TesseraGeometry

/// One argument or result of a function whose signature is known only at run time.
public enum CallValue: Equatable, Hashable, Sendable {
  /// Nothing.
  case void
  /// True or false.
  case bool(Bool)
  /// A whole number of a signed type.
  case signed(Int64)
  /// A whole number of an unsigned type.
  case unsigned(UInt64)
  /// A number with a fraction.
  case number(Double)
  /// A place in points.
  case point(Point)
  /// An extent in points.
  case size(Size)
  /// A rectangle in points.
  case rect(Rect)
  /// Distances from the edges in points.
  case insets(Insets)

  /// A value of a type made of doubles in the order of `SignatureType.components`.
  ///
  /// One for a type without components, none for void. Nil for another count, for a number that is
  /// not finite or does not fit the type exactly; only f32 rounds.
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

  /// The value's doubles in the order of `SignatureType.components`; one for a bool or number, none
  /// for void.
  ///
  /// A whole number beyond 2^53 is rounded.
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
