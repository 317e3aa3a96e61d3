import Foundation

/// A function that an expression may call.
enum ExpressionFunction: String, CaseIterable, Sendable {
  case floor, ceil, round, abs, min, max, sqrt, sin, cos, noise

  /// Whether the function takes two or more arguments; the others take one.
  var isFold: Bool { self == .min || self == .max }

  /// The function's value for one argument; folds take theirs by instructions of their own.
  @inline(__always)
  func callAsFunction(_ x: Double) -> Double {
    switch self {
    case .floor: x.rounded(.down)
    case .ceil: x.rounded(.up)
    case .round: (x + 0.5).rounded(.down)
    case .abs: Swift.abs(x)
    case .min, .max: x
    case .sqrt: x.squareRoot()
    case .sin: Foundation.sin(x)
    case .cos: Foundation.cos(x)
    case .noise: Self.noise(x)
    }
  }

  /// A fixed value in [0, 1) for each double: splitmix64 of its bits, -0 as 0, the top 53 bits
  /// times 2^-53.
  static func noise(_ x: Double) -> Double {
    var bits = (x == 0 ? 0 : x.bitPattern) &+ 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    bits ^= bits >> 31
    return Double(bits >> 11) * 0x1p-53
  }
}

/// An operator or fold of two numbers; comparisons give 1 or 0.
enum ExpressionOperator: Sendable {
  case add, subtract, multiply, divide, modulo
  case less, lessOrEqual, greater, greaterOrEqual, equal, notEqual
  case min, max

  /// The remainder that has the divisor's sign, and is never -0.
  @inline(__always)
  static func modulo(_ x: Double, _ y: Double) -> Double {
    let rest = x.truncatingRemainder(dividingBy: y)
    return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest + 0
  }
}
