import Glibc

/// Postfix form without jumps (both branches of `?:` run), for blocks of items.
struct ExpressionProgram: Sendable {
  enum Instruction: Sendable {
    case number(Double)
    case variable(ExpressionVariable)
    case argument(Int)
    case column(String, [Double])
    case negate
    case call(ExpressionFunction)
    case binary(ExpressionOperator)
    case select
  }

  private(set) var instructions: [Instruction] = []
  private(set) var stackDepth = 0
  private(set) var scope = ExpressionScope.layout
  private var depth = 0

  mutating func append(_ instruction: Instruction) {
    instructions.append(instruction)
    switch instruction {
    case .number, .argument: depth += 1
    case .variable(let variable):
      depth += 1
      scope = max(scope, variable.scope)
    case .column:
      depth += 1
      scope = .item
    case .negate, .call: break
    case .binary: depth -= 1
    case .select: depth -= 2
    }
    stackDepth = max(stackDepth, depth)
  }

  func uses(_ sought: ExpressionVariable) -> Bool {
    instructions.contains {
      if case .variable(let variable) = $0 { variable == sought } else { false }
    }
  }

  var columns: Set<String> {
    Set(instructions.compactMap { if case .column(let name, _) = $0 { name } else { nil } })
  }

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

enum ExpressionFunction: String, CaseIterable, Sendable {
  case floor, ceil, round, abs, min, max, sqrt, sin, cos, noise

  var isFold: Bool { self == .min || self == .max }

  @inline(__always)
  func callAsFunction(_ x: Double) -> Double {
    switch self {
    case .floor: x.rounded(.down)
    case .ceil: x.rounded(.up)
    case .round: (x + 0.5).rounded(.down)
    case .abs: Swift.abs(x)
    case .min, .max: x
    case .sqrt: x.squareRoot()
    case .sin: Glibc.sin(x)
    case .cos: Glibc.cos(x)
    case .noise: Self.noise(x)
    }
  }

  /// A hash in [0, 1): splitmix64 of the bits, -0 as 0, the top 53 bits times 2^-53.
  static func noise(_ x: Double) -> Double {
    var bits = (x == 0 ? 0 : x.bitPattern) &+ 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    bits ^= bits >> 31
    return Double(bits >> 11) * 0x1p-53
  }
}

enum ExpressionOperator: Sendable {
  case add, subtract, multiply, divide, modulo
  case less, lessOrEqual, greater, greaterOrEqual, equal, notEqual
  case min, max

  @inline(__always)
  static func modulo(_ x: Double, _ y: Double) -> Double {
    let rest = x.truncatingRemainder(dividingBy: y)
    return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest + 0
  }
}

/// Evaluates blocks of items with one stack allocation; not thread-safe.
struct ExpressionEvaluator {
  static let blockLength = 256

  let expression: Expression
  private var stack: [Double]

  init(_ expression: Expression, blockLength: Int = ExpressionEvaluator.blockLength) {
    self.expression = expression
    width = max(1, min(blockLength, Self.blockLength))
    stack = Array(repeating: 0, count: max(1, expression.program.stackDepth) * width)
  }

  private let width: Int

  subscript(row: Int) -> Double { stack[row] }

  /// Evaluates up to a block from the environment's item on; returns the first row not finite.
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
        case .column(_, let numbers):
          top += width
          let start = Int(environment.index)
          for row in 0..<count {
            stack[top + row] = start + row < numbers.count ? numbers[start + row] : .nan
          }
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
    // The standard library's min and max may drop a NaN.
    case .min: combine { $0 < $1 || $0.isNaN ? $0 : $1 }
    case .max: combine { $0 > $1 || $0.isNaN ? $0 : $1 }
    }
  }
}
