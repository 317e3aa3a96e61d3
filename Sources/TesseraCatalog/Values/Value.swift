import CTessera
import TesseraGeometry

/// A value of a parameter, of a section or item value, or of an attribute.
public enum Value: Equatable, Hashable, Sendable {
  /// True or false.
  case bool(Bool)
  /// A 64-bit integer.
  case integer(Int64)
  /// A double.
  case number(Double)
  /// A choice by its name.
  case choice(String)
  /// A position in points.
  case point(Point)
  /// An extent in points.
  case size(Size)
  /// A rectangle in points.
  case rect(Rect)
  /// Distances from the edges in points.
  case insets(Insets)

  /// The type of the value.
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

  /// The components as doubles, in the order of `ValueType.components`: one for a bool, integer or
  /// number, none for a choice.
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

  /// Creates a value from its components, in the order of `ValueType.components`.
  ///
  /// Returns nil for a choice, for a wrong number of components, for a bool other than 0 or 1, and
  /// for an integer that is not whole or does not fit in 64 bits.
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

/// The type of a parameter, a section or item value, or an attribute.
public enum ValueType: Int32, CaseIterable, Sendable {
  /// True or false. Stored in a column as one byte.
  case bool = 1
  /// A 64-bit integer.
  case integer
  /// A double.
  case number
  /// One of the choices that the engine declares, by name. Stored in a column as a 32-bit index.
  case choice
  /// `x` and `y`.
  case point
  /// `width` and `height`.
  case size
  /// `x`, `y`, `width` and `height`.
  case rect
  /// `top`, `left`, `bottom` and `right`.
  case insets

  /// The name of the type in texts: "bool", "integer", "number", "enum", "point", "size", "rect" or
  /// "insets".
  public var name: String {
    switch self {
    case .bool: "bool"
    case .integer: "integer"
    case .number: "number"
    case .choice: "enum"
    case .point: "point"
    case .size: "size"
    case .rect: "rect"
    case .insets: "insets"
    }
  }

  /// The names of a vector's components, in order; empty for a type with one component.
  public var components: [String] {
    switch self {
    case .bool, .integer, .number, .choice: []
    case .point: ["x", "y"]
    case .size: ["width", "height"]
    case .rect: ["x", "y", "width", "height"]
    case .insets: ["top", "left", "bottom", "right"]
    }
  }

  /// The size of one value in a column, in bytes.
  public var stride: Int {
    switch self {
    case .bool: 1
    case .choice: 4
    case .integer, .number: 8
    case .point, .size: 16
    case .rect, .insets: 32
    }
  }
}

/// Values for all sections or all items: either one for each, or the same for all.
public enum ValueColumn: Hashable, Sendable {
  /// The same value for every section or item, stored once.
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

  /// The number of values, or nil for a constant, which applies to any number.
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

extension Value: CustomStringConvertible {
  /// The value as text, such as "true", "12.5", "vertical", "100x90" for a size, or components
  /// separated by commas for other vectors.
  public var description: String {
    switch self {
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .choice(let name): name
    case .size(let size): "\(size.width.shortText)x\(size.height.shortText)"
    case .number, .point, .rect, .insets: numbers.map(\.shortText).joined(separator: ",")
    }
  }
}

extension Value {
  /// Reads a value of a type from the contract's union.
  ///
  /// Returns nil if it is invalid: a bool other than 0 or 1, or an index outside `choices`.
  package init?(_ raw: tessera_value, type: ValueType, choices: [String]) {
    switch type {
    case .bool:
      guard raw.boolean <= 1 else { return nil }
      self = .bool(raw.boolean == 1)
    case .integer: self = .integer(raw.integer)
    case .number: self = .number(raw.number)
    case .choice:
      guard raw.choice >= 0, Int(raw.choice) < choices.count else { return nil }
      self = .choice(choices[Int(raw.choice)])
    case .point: self = .point(Point(x: raw.point.x, y: raw.point.y))
    case .size: self = .size(Size(width: raw.size.width, height: raw.size.height))
    case .rect:
      self = .rect(
        Rect(x: raw.rect.x, y: raw.rect.y, width: raw.rect.width, height: raw.rect.height))
    case .insets:
      self = .insets(
        Insets(
          top: raw.insets.top, left: raw.insets.left, bottom: raw.insets.bottom,
          right: raw.insets.right))
    }
  }

  /// The value as the contract's union, or nil for a choice that is not in `choices`.
  package func raw(choices: [String]) -> tessera_value? {
    var raw = tessera_value()
    switch self {
    case .bool(let value): raw.boolean = value ? 1 : 0
    case .integer(let value): raw.integer = value
    case .number(let value): raw.number = value
    case .choice(let name):
      guard let index = choices.firstIndex(of: name) else { return nil }
      raw.choice = Int32(truncatingIfNeeded: index)
    case .point(let value): raw.point = tessera_point(x: value.x, y: value.y)
    case .size(let value): raw.size = tessera_size(width: value.width, height: value.height)
    case .rect(let value):
      raw.rect = tessera_rect(x: value.x, y: value.y, width: value.width, height: value.height)
    case .insets(let value):
      raw.insets = tessera_insets(
        top: value.top, left: value.left, bottom: value.bottom, right: value.right)
    }
    return raw
  }

  /// Reads a value of a type from a column's memory.
  package init?(at memory: UnsafeRawPointer, type: ValueType, choices: [String]) {
    var raw = tessera_value()
    withUnsafeMutableBytes(of: &raw) {
      $0.copyMemory(from: UnsafeRawBufferPointer(start: memory, count: type.stride))
    }
    self.init(raw, type: type, choices: choices)
  }
}

extension tessera_insets {
  /// Converts insets.
  ///
  /// If the layout is mirrored, swaps left and right.
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

extension ValueColumn {
  /// Creates a column with one value for each section or item, all of which must be of `type`.
  ///
  /// - Complexity: O(*n*) in the number of values.
  public init(_ values: [Value], type: ValueType) {
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
    precondition(count == values.count, "all values of a column must have its type")
  }

  /// The value at an index.
  ///
  /// A constant has the same value at every index.
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

  /// The values, one for each section or item; nil for a constant.
  public var each: [Value]? { count.map { (0..<$0).map { self[$0] } } }
}
