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
    text = format(number)
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
    case .section: " for section \(format(environment.section))"
    case .item:
      " for item \(format(environment.item)) of section \(format(environment.section))"
    }
  }
}
