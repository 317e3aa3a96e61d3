/// An expression compiled to postfix form.
///
/// Both branches of `?:` are evaluated and one is taken, so there are no jumps and a block of items
/// goes through each instruction at once.
struct ExpressionProgram: Sendable {
  enum Instruction: Sendable {
    case number(Double)
    case variable(ExpressionVariable)
    /// One of the numbers that a function is called with, by its place.
    case argument(Int)
    case negate
    case call(ExpressionFunction)
    case binary(ExpressionOperator)
    case select
  }

  private(set) var instructions: [Instruction] = []
  /// The most values that are on the stack at one time.
  private(set) var stackDepth = 0
  /// The widest scope among the variables used.
  private(set) var scope = ExpressionScope.layout
  private var depth = 0

  mutating func append(_ instruction: Instruction) {
    instructions.append(instruction)
    switch instruction {
    case .number, .argument: depth += 1
    case .variable(let variable):
      depth += 1
      scope = max(scope, variable.scope)
    case .negate, .call: break
    case .binary: depth -= 1
    case .select: depth -= 2
    }
    stackDepth = max(stackDepth, depth)
  }

  /// Whether the value depends on a variable.
  func uses(_ sought: ExpressionVariable) -> Bool {
    instructions.contains {
      if case .variable(let variable) = $0 { variable == sought } else { false }
    }
  }

  /// The number that the whole program is, where it is nothing but one, with a sign or without.
  var literal: Double? {
    switch instructions.count {
    case 1: if case .number(let value) = instructions[0] { return value }
    case 2:
      if case .number(let value) = instructions[0], case .negate = instructions[1] { return -value }
    default: break
    }
    return nil
  }
}
