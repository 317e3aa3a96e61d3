/// A formula over the viewport, the section and the item.
///
/// Numbers, `+ - * / %` (floored), parentheses, comparisons (1 or 0), `?:`, variables, and the
/// functions `floor ceil round abs min max sqrt sin cos noise`.
struct Expression: Sendable {
  /// UTF-8 bytes.
  static let maximumLength = 4096
  /// Parentheses, calls, signs and `?:`.
  static let maximumDepth = 100

  let text: String
  let program: ExpressionProgram

  init(_ text: String, scope: ExpressionScope) throws(HostError) {
    try self.init(text, names: ExpressionNames(scope: scope))
  }

  /// Throws `.invalidInput` with the position.
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

  var scope: ExpressionScope { program.scope }

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

  /// Such as " for item 3 of section 0".
  func place(in environment: ExpressionEnvironment) -> String {
    switch scope {
    case .layout: ""
    case .section: " for section \(environment.section.shortText)"
    case .item:
      " for item \(environment.item.shortText) of section \(environment.section.shortText)"
    }
  }
}

enum ExpressionScope: Int, Comparable, Sendable {
  /// `width`, `height`, `scale`, `sections`.
  case layout
  /// Also `section` and `items`.
  case section
  /// Also `item` and `index`.
  case item

  static func < (left: ExpressionScope, right: ExpressionScope) -> Bool {
    left.rawValue < right.rawValue
  }

  var noun: String {
    switch self {
    case .layout: "the whole layout"
    case .section: "a section"
    case .item: "an item"
    }
  }
}

enum ExpressionVariable: String, CaseIterable, Sendable {
  case width, height, scale, sections, section, items, item, index

  var scope: ExpressionScope {
    switch self {
    case .width, .height, .scale, .sections: .layout
    case .section, .items: .section
    case .item, .index: .item
    }
  }

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

struct ExpressionEnvironment: Equatable, Sendable {
  var (width, height) = (0.0, 0.0)
  var scale = 1.0
  var sections = 0.0
  var section = 0.0
  var items = 0.0
  /// The index in its section.
  var item = 0.0
  /// The index over all sections.
  var index = 0.0

  init() {}

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

struct ExpressionNames {
  var scope = ExpressionScope.layout
  /// Whether `true` and `false` are 1 and 0.
  var hasTruth = false
  var arguments: [String] = []
  /// Its rows are the items; nil if columns are not allowed.
  var table: ItemTable?
  /// For errors; nil if the scope implies it.
  var subject: String?

  var noun: String { subject ?? scope.noun }
}
