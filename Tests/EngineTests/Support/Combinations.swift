import TesseraGeometry

/// All lists of `count` of the choices.
func lists<Choice>(of choices: [Choice], count: Int) -> [[Choice]] {
  guard count > 0 else { return [[]] }
  return lists(of: choices, count: count - 1).flatMap { list in choices.map { list + [$0] } }
}

extension RandomNumberGenerator {
  /// One of the choices.
  mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
    choices[Int.random(in: choices.indices, using: &self)]
  }

  /// A number of a range, whole as often as not.
  mutating func number(in range: ClosedRange<Double>) -> Double {
    let number = Double.random(in: range, using: &self)
    return Bool.random(using: &self) ? number.rounded(.toNearestOrAwayFromZero) : number
  }

  /// Insets of no edge above a limit, or below 0.
  mutating func edges(upTo limit: Double) -> Insets { edges(in: 0...limit) }

  /// Insets whose edges are of a range.
  mutating func edges(in range: ClosedRange<Double>) -> Insets {
    Insets(
      top: number(in: range), left: number(in: range), bottom: number(in: range),
      right: number(in: range))
  }

  /// A size whose lengths are of a range.
  mutating func extent(in range: ClosedRange<Double>) -> Size {
    Size(width: number(in: range), height: number(in: range))
  }
}
