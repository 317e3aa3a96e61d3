import TesseraGeometry

/// Values for all sections or all items: one for all, or one for each.
public enum ValueColumn: Equatable, Sendable {
  /// The same value for every section or item; costs no memory an item.
  case constant(Value)
  /// One bool for each.
  case bools([Bool])
  /// One integer for each.
  case integers([Int64])
  /// One number for each.
  case numbers([Double])
  /// One choice for each, by name.
  case choices([String])
  /// One point for each.
  case points([Point])
  /// One size for each.
  case sizes([Size])
  /// One rectangle for each.
  case rects([Rect])
  /// One set of insets for each.
  case insets([Insets])

  /// The type of the values.
  public var type: ValueType {
    switch self {
    case .constant(let value): value.type
    case .bools: .bool
    case .integers: .integer
    case .numbers: .number
    case .choices: .choice
    case .points: .point
    case .sizes: .size
    case .rects: .rect
    case .insets: .insets
    }
  }

  /// How many values there are, or nil for a constant, which serves any number.
  public var count: Int? {
    switch self {
    case .constant: nil
    case .bools(let values): values.count
    case .integers(let values): values.count
    case .numbers(let values): values.count
    case .choices(let values): values.count
    case .points(let values): values.count
    case .sizes(let values): values.count
    case .rects(let values): values.count
    case .insets(let values): values.count
    }
  }
}
