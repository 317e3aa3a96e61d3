import TesseraGeometry

/// Values for all sections or all items: one for all, or one for each.
public enum ValueColumn: Hashable, Sendable {
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

extension ValueColumn {
  /// A column of one value for each, all of `type`; nil if a value is of another type.
  ///
  /// - Complexity: O(*n*) for the values.
  public init?(_ values: [Value], type: ValueType) {
    switch type {
    case .bool: self = .bools(values.compactMap { if case .bool(let it) = $0 { it } else { nil } })
    case .integer:
      self = .integers(values.compactMap { if case .integer(let it) = $0 { it } else { nil } })
    case .number:
      self = .numbers(values.compactMap { if case .number(let it) = $0 { it } else { nil } })
    case .choice:
      self = .choices(values.compactMap { if case .choice(let it) = $0 { it } else { nil } })
    case .point:
      self = .points(values.compactMap { if case .point(let it) = $0 { it } else { nil } })
    case .size: self = .sizes(values.compactMap { if case .size(let it) = $0 { it } else { nil } })
    case .rect: self = .rects(values.compactMap { if case .rect(let it) = $0 { it } else { nil } })
    case .insets:
      self = .insets(values.compactMap { if case .insets(let it) = $0 { it } else { nil } })
    }
    guard count == values.count else { return nil }
  }

  /// The value at an index; a constant has the same at every index.
  public subscript(index: Int) -> Value {
    switch self {
    case .constant(let value): value
    case .bools(let values): .bool(values[index])
    case .integers(let values): .integer(values[index])
    case .numbers(let values): .number(values[index])
    case .choices(let values): .choice(values[index])
    case .points(let values): .point(values[index])
    case .sizes(let values): .size(values[index])
    case .rects(let values): .rect(values[index])
    case .insets(let values): .insets(values[index])
    }
  }

  /// One value for each; nil for a constant.
  public var each: [Value]? { count.map { (0..<$0).map { self[$0] } } }
}
