import TesseraGeometry

extension RandomNumberGenerator {
  mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
    choices[Int.random(in: choices.indices, using: &self)]
  }

  mutating func number(in range: ClosedRange<Double>) -> Double {
    let number = Double.random(in: range, using: &self)
    return Bool.random(using: &self) ? number.rounded(.toNearestOrAwayFromZero) : number
  }

  mutating func edges(upTo limit: Double) -> Insets { edges(in: 0...limit) }

  /// Up to six sections: tiny, ordinary or large.
  mutating func itemCounts() -> [Int] {
    (0..<Int.random(in: 0...6, using: &self)).map { _ in
      Int.random(in: 0...pick([2, 30, 1000]), using: &self)
    }
  }

  mutating func edges(in range: ClosedRange<Double>) -> Insets {
    Insets(
      top: number(in: range), left: number(in: range), bottom: number(in: range),
      right: number(in: range))
  }

  mutating func extent(in range: ClosedRange<Double>) -> Size {
    Size(width: number(in: range), height: number(in: range))
  }
}
