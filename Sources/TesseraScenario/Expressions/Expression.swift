/// A formula over the surroundings, the section and the item, compiled once and evaluated often.
///
/// Numbers, `+ - * / %` (floored), parentheses, comparisons (1 or 0) and `?:`; the variables of its
/// scope; the functions `floor ceil round abs min max sqrt sin cos noise`.
public struct Expression: Sendable {
  /// The longest text that is read, in UTF-8 bytes.
  public static let maximumLength = 4096
  /// The deepest nesting of parentheses, calls, signs and `?:`.
  public static let maximumDepth = 100

  /// The expression as it was written.
  public let text: String
  let program: ExpressionProgram

  /// Compiles a text for a scope.
  ///
  /// Throws `.invalidInput` with the position, what was found and what was expected; a variable
  /// that has no meaning in the scope is named with those that have one. O(length).
  public init(_ text: String, scope: ExpressionScope) throws(HostError) {
    try self.init(text, names: ExpressionNames(scope: scope))
  }

  /// Compiles a text in which certain names have a meaning.
  init(_ text: String, names: ExpressionNames) throws(HostError) {
    var parser = ExpressionParser(text, names: names)
    program = try parser.parse()
    self.text = text
  }

  /// A number.
  init(_ number: Double) {
    text = number.shortText
    var program = ExpressionProgram()
    program.append(.number(number))
    self.program = program
  }

  /// The narrowest scope in which all variables of the expression have a meaning.
  public var scope: ExpressionScope { program.scope }

  /// The value in an environment.
  ///
  /// Throws `.invalidInput` where the result is not finite.
  public func value(in environment: ExpressionEnvironment) throws(HostError) -> Double {
    var evaluator = ExpressionEvaluator(self, blockLength: 1)
    guard evaluator.evaluate(environment, count: 1) == nil else {
      throw notFinite(evaluator[0], in: environment)
    }
    return evaluator[0]
  }

  /// The error for a result that is not finite, with the item or section that it belongs to.
  func notFinite(_ value: Double, in environment: ExpressionEnvironment) -> HostError {
    let found = value.isNaN ? "no number" : value > 0 ? "infinity" : "minus infinity"
    let place = place(in: environment)
    return HostError(
      .invalidInput,
      "the expression \(quoted(text)) gives \(found)\(place); expected a finite number")
  }

  /// What a value belongs to, as an error goes on: " for item 3 of section 0".
  func place(in environment: ExpressionEnvironment) -> String {
    switch scope {
    case .layout: ""
    case .section: " for section \(environment.section.shortText)"
    case .item:
      " for item \(environment.item.shortText) of section \(environment.section.shortText)"
    }
  }
}

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

  /// The variables of the whole layout.
  init(_ surroundings: Surroundings, sections: Int) {
    width = surroundings.bounds.width
    height = surroundings.bounds.height
    scale = surroundings.scale
    self.sections = Double(sections)
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

/// The names that have a meaning in an expression, beside the functions.
struct ExpressionNames {
  /// Which variables there are.
  var scope = ExpressionScope.layout
  /// Names that stand for numbers.
  var constants: [String: Double] = [:]
  /// Names for the numbers that each evaluation is given, in their order.
  var arguments: [String] = []
  /// What the value belongs to, for errors; nil: what the scope says.
  var subject: String?

  var noun: String { subject ?? scope.noun }
}

extension [String: Double] {
  /// The names of bools.
  static let truth = ["true": 1.0, "false": 0.0]
}
