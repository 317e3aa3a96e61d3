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
