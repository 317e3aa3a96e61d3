/// Evaluates one expression over blocks of consecutive items, with a stack that is made once.
///
/// Not for use by two threads at a time.
struct ExpressionEvaluator {
  /// The most items that one block holds.
  static let blockLength = 256

  let expression: Expression
  private var stack: [Double]

  /// An evaluator whose blocks are never longer than `blockLength`.
  init(_ expression: Expression, blockLength: Int = ExpressionEvaluator.blockLength) {
    self.expression = expression
    width = max(1, min(blockLength, Self.blockLength))
    stack = Array(repeating: 0, count: max(1, expression.program.stackDepth) * width)
  }

  private let width: Int

  /// The value of row `row` of the block that was evaluated last.
  subscript(row: Int) -> Double { stack[row] }

  /// Evaluates for `count` items, at most one block, the first of which is the environment's.
  ///
  /// `arguments` are the numbers of the names that the expression was compiled with, the same for
  /// all items. Returns the first row whose value is not finite.
  mutating func evaluate(
    _ environment: ExpressionEnvironment, arguments: [Double] = [], count: Int
  ) -> Int? {
    let count = min(count, width)
    let program = expression.program
    let width = width
    return stack.withUnsafeMutableBufferPointer { stack in
      var top = -width
      for instruction in program.instructions {
        switch instruction {
        case .number(let value):
          top += width
          for row in top..<top + count { stack[row] = value }
        case .variable(let variable):
          top += width
          let start = environment[variable]
          let step = variable.scope == .item ? 1.0 : 0
          for row in 0..<count { stack[top + row] = start + Double(row) * step }
        case .argument(let place):
          top += width
          for row in top..<top + count { stack[row] = arguments[place] }
        case .negate:
          for row in top..<top + count { stack[row] = -stack[row] }
        case .call(let function):
          for row in top..<top + count { stack[row] = function(stack[row]) }
        case .binary(let symbol):
          top -= width
          Self.apply(symbol, to: stack, at: top, width: width, count: count)
        case .select:
          top -= 2 * width
          for row in top..<top + count {
            stack[row] = stack[row] != 0 ? stack[row + width] : stack[row + 2 * width]
          }
        }
      }
      for row in 0..<count where !stack[row].isFinite { return row }
      return nil
    }
  }

  /// Replaces the values at `left` by their combination with those one slot above.
  private static func apply(
    _ symbol: ExpressionOperator, to stack: UnsafeMutableBufferPointer<Double>, at left: Int,
    width: Int, count: Int
  ) {
    @inline(__always)
    func combine(_ body: (Double, Double) -> Double) {
      for row in left..<left + count { stack[row] = body(stack[row], stack[row + width]) }
    }
    switch symbol {
    case .add: combine { $0 + $1 }
    case .subtract: combine { $0 - $1 }
    case .multiply: combine { $0 * $1 }
    case .divide: combine { $0 / $1 }
    case .modulo: combine { ExpressionOperator.modulo($0, $1) }
    case .less: combine { $0 < $1 ? 1 : 0 }
    case .lessOrEqual: combine { $0 <= $1 ? 1 : 0 }
    case .greater: combine { $0 > $1 ? 1 : 0 }
    case .greaterOrEqual: combine { $0 >= $1 ? 1 : 0 }
    case .equal: combine { $0 == $1 ? 1 : 0 }
    case .notEqual: combine { $0 != $1 ? 1 : 0 }
    // The standard library's min and max may drop a NaN, which would hide a mistake.
    case .min: combine { $0 < $1 || $0.isNaN ? $0 : $1 }
    case .max: combine { $0 > $1 || $0.isNaN ? $0 : $1 }
    }
  }
}
