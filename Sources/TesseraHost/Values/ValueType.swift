import TesseraGeometry

/// The type of a parameter, a section or item value, or an attribute.
public enum ValueType: Int32, CaseIterable, Sendable {
  /// True or false; one byte in a column.
  case bool = 1
  /// A 64-bit integer.
  case integer
  /// A double.
  case number
  /// One of the choices that the engine declares, by name; a 32-bit index in a column.
  case choice
  /// `x` and `y`.
  case point
  /// `width` and `height`.
  case size
  /// `x`, `y`, `width` and `height`.
  case rect
  /// `top`, `left`, `bottom` and `right`.
  case insets

  /// The name that people read and write: "bool", "integer", "number", "enum", "point", "size",
  /// "rect", "insets".
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

  /// How many bytes one value takes in a column.
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
