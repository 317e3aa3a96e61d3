/// A value that an engine takes for the whole layout.
public struct ParameterDescription: Equatable, Sendable {
  /// The name, lowerCamelCase.
  public let name: String
  /// One sentence for a person.
  public let help: String
  /// "pt", "rad", or nil for a bare number.
  public let unit: String?
  /// The type of the value.
  public let type: ValueType
  /// The names of an enum's choices; else empty.
  public let choices: [String]
  /// What holds where nobody sets it.
  public let initial: Value
  /// The least allowed value of each component, `-infinity` where there is no limit; empty for
  /// bools and enums.
  public let minimum: [Double]
  /// The greatest allowed value of each component, `infinity` where there is no limit.
  public let maximum: [Double]
}

/// A value that an engine takes for every section or every item.
public struct ValueDescription: Equatable, Sendable {
  /// Whether there is one for every section or for every item.
  public enum Scope: UInt32, Sendable {
    /// One for every section.
    case section = 0
    /// One for every item.
    case item = 1
  }

  /// The name, lowerCamelCase.
  public let name: String
  /// One sentence for a person.
  public let help: String
  /// The type of each value.
  public let type: ValueType
  /// Whether there is one for every section or for every item.
  public let scope: Scope
  /// The parameter that stands in where no value is given; nil: the type's zero.
  public let fallback: String?
  /// The names of an enum's choices, those of the fallback; else empty.
  public let choices: [String]
}

/// A function with a C signature that crosses the boundary.
public struct FunctionDescription: Equatable, Sendable {
  /// The name, lowerCamelCase.
  public let name: String
  /// The C signature, "u8(u32,u32)".
  public let signature: String
  /// One sentence for a person.
  public let help: String
  /// True for a function that the engine publishes, false for one that the host makes for it.
  public let isPublished: Bool
}

/// A column of an engine's own.
public struct AttributeDescription: Equatable, Sendable {
  /// How values between two layouts are made.
  public enum Interpolation: Int32, Sendable {
    /// In proportion.
    case linear = 0
    /// The new value from the start.
    case step = 1
    /// Not at all: the old value until the end.
    case none = 2

    /// "linear", "step" or "none".
    public var name: String {
      switch self {
      case .linear: "linear"
      case .step: "step"
      case .none: "none"
      }
    }
  }

  /// The name, lowerCamelCase.
  public let name: String
  /// One sentence for a person.
  public let help: String
  /// The type of each value.
  public let type: ValueType
  /// The names of an enum's choices; else empty.
  public let choices: [String]
  /// How values between two layouts are made.
  public let interpolation: Interpolation
  /// Whether the column exists only for the rows that a query returns.
  public let isAdjusted: Bool
  /// What every row starts as.
  public let initial: Value
}

/// A kind of supplementary or decoration element.
public struct KindDescription: Equatable, Sendable {
  /// The name, lowerCamelCase.
  public let name: String
  /// Supplementary or decoration.
  public let category: ElementCategory
}

/// What a base's parameter starts as under a derived engine.
public struct DefaultDescription: Equatable, Sendable {
  /// The parameter of the base.
  public let name: String
  /// The value that holds where the user sets none.
  public let value: Value
  /// Whether the user cannot set it through this engine.
  public let isOwned: Bool
}
