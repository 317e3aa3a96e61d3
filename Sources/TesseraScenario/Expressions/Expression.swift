/// A formula over the viewport, the section and the item, compiled once and evaluated often.
///
/// Numbers, `+ - * / %` (floored), parentheses, comparisons (1 or 0) and `?:`; the variables of its
/// scope; the functions `floor ceil round abs min max sqrt sin cos noise`.
struct Expression: Sendable {
  /// The maximum length of the text, in UTF-8 bytes.
  static let maximumLength = 4096
  /// The maximum nesting depth of parentheses, calls, signs and `?:`.
  static let maximumDepth = 100

  /// The expression's text.
  let text: String
  let program: ExpressionProgram

  /// Compiles a text for a scope.
  init(_ text: String, scope: ExpressionScope) throws(HostError) {
    try self.init(text, names: ExpressionNames(scope: scope))
  }

  /// Compiles a text in which these names are defined.
  ///
  /// Throws `.invalidInput` with the position, what was found and what was expected; a variable
  /// that is undefined in the scope is reported together with those that are defined. O(length).
  init(_ text: String, names: ExpressionNames) throws(HostError) {
    var parser = ExpressionParser(text, names: names)
    program = try parser.parse()
    self.text = text
  }

  init(_ number: Double) {
    text = number.shortText
    var program = ExpressionProgram()
    program.append(.number(number))
    self.program = program
  }

  /// The narrowest scope in which all variables of the expression are defined.
  var scope: ExpressionScope { program.scope }

  /// Returns the value in an environment.
  ///
  /// Throws `.invalidInput` if the result is not finite.
  func value(in environment: ExpressionEnvironment) throws(HostError) -> Double {
    var evaluator = ExpressionEvaluator(self, blockLength: 1)
    guard evaluator.evaluate(environment, count: 1) == nil else {
      throw notFinite(evaluator[0], in: environment)
    }
    return evaluator[0]
  }

  func notFinite(_ value: Double, in environment: ExpressionEnvironment) -> HostError {
    let found = value.isNaN ? "no number" : value > 0 ? "infinity" : "minus infinity"
    let place = place(in: environment)
    return HostError(
      .invalidExpression,
      "the expression \(quoted(text)) gives \(found)\(place); expected a finite number")
  }

  /// What a value belongs to, as the end of an error: " for item 3 of section 0".
  func place(in environment: ExpressionEnvironment) -> String {
    switch scope {
    case .layout: ""
    case .section: " for section \(environment.section.shortText)"
    case .item:
      " for item \(environment.item.shortText) of section \(environment.section.shortText)"
    }
  }
}

/// Where an expression is used, which determines its variables.
enum ExpressionScope: Int, Comparable, Sendable {
  /// One value for the whole layout: `width`, `height`, `scale`, `sections`.
  case layout
  /// One value for each section: also `section` and `items`.
  case section
  /// One value for each item: also `item` and `index`.
  case item

  /// Orders from the fewest variables to the most.
  static func < (left: ExpressionScope, right: ExpressionScope) -> Bool {
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

  /// The narrowest scope in which the variable is defined.
  var scope: ExpressionScope {
    switch self {
    case .width, .height, .scale, .sections: .layout
    case .section, .items: .section
    case .item, .index: .item
    }
  }

  /// What the variable is, for errors.
  var meaning: String {
    switch self {
    case .width: "the width of the bounds"
    case .height: "the height of the bounds"
    case .scale: "the display's scale"
    case .sections: "the number of sections"
    case .section: "the number of the section"
    case .items: "the number of items of the section"
    case .item: "the number of the item in its section"
    case .index: "the number of the item among all"
    }
  }

  static func names(in scope: ExpressionScope) -> [String] {
    allCases.filter { $0.scope <= scope }.map(\.rawValue)
  }
}

/// The values of an expression's variables.
struct ExpressionEnvironment: Equatable, Sendable {
  var (width, height) = (0.0, 0.0)
  var scale = 1.0
  var sections = 0.0
  var section = 0.0
  /// How many items the section has.
  var items = 0.0
  /// The item in its section.
  var item = 0.0
  /// The position of the item among those of all sections.
  var index = 0.0

  init() {}

  /// The variables of the whole layout.
  init(_ viewport: Viewport, sections: Int) {
    width = viewport.bounds.width
    height = viewport.bounds.height
    scale = viewport.scale
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

/// The names that are defined in an expression, in addition to the functions.
struct ExpressionNames {
  var scope = ExpressionScope.layout
  /// Names that stand for numbers.
  var constants: [String: Double] = [:]
  /// Names for the arguments of each evaluation, in order.
  var arguments: [String] = []
  /// The table of which each item is a row; nil where its columns are not defined.
  var table: ItemTable?
  /// What the value belongs to, for errors; nil for what the scope implies.
  var subject: String?

  var noun: String { subject ?? scope.noun }
}

extension [String: Double] {
  /// The names of bools.
  static let truth = ["true": 1.0, "false": 0.0]
}
