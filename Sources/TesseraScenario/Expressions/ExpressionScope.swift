/// Where an expression stands, which decides the variables that it may use.
public enum ExpressionScope: Int, Comparable, Sendable {
  /// One value for the whole layout: `width`, `height`, `scale`, `sections`.
  case layout
  /// One value a section: also `section` and `items`.
  case section
  /// One value an item: also `item` and `index`.
  case item

  /// Orders from the fewest variables to the most.
  public static func < (left: ExpressionScope, right: ExpressionScope) -> Bool {
    left.rawValue < right.rawValue
  }

  /// What a value in this scope belongs to, for errors.
  var noun: String {
    switch self {
    case .layout: "the whole layout"
    case .section: "a section"
    case .item: "an item"
    }
  }
}

/// A variable of an expression.
enum ExpressionVariable: String, CaseIterable, Sendable {
  case width, height, scale, sections, section, items, item, index

  /// The narrowest scope in which the variable has a meaning.
  var scope: ExpressionScope {
    switch self {
    case .width, .height, .scale, .sections: .layout
    case .section, .items: .section
    case .item, .index: .item
    }
  }

  /// The names of the variables that have a meaning in a scope.
  static func names(in scope: ExpressionScope) -> [String] {
    allCases.filter { $0.scope <= scope }.map(\.rawValue)
  }
}

/// The values of an expression's variables.
public struct ExpressionEnvironment: Equatable, Sendable {
  /// The width of the bounds in points.
  public var width = 0.0
  /// The height of the bounds in points.
  public var height = 0.0
  /// The display's scale.
  public var scale = 1.0
  /// How many sections there are.
  public var sections = 0.0
  /// The section, from 0.
  public var section = 0.0
  /// How many items the section has.
  public var items = 0.0
  /// The item in its section, from 0.
  public var item = 0.0
  /// The item among those of all sections, from 0.
  public var index = 0.0

  /// An environment in which all but the scale is 0.
  public init() {}

  /// The variables of the whole layout that a complete scenario describes.
  init(_ scenario: Scenario) {
    width = scenario.bounds?.width ?? 0
    height = scenario.bounds?.height ?? 0
    scale = scenario.scale ?? 1
    sections = Double(scenario.sectionCount)
  }

  subscript(variable: ExpressionVariable) -> Double {
    switch variable {
    case .width: width
    case .height: height
    case .scale: scale
    case .sections: sections
    case .section: section
    case .items: items
    case .item: item
    case .index: index
    }
  }
}
