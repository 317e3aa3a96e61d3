import TesseraGeometry

extension RandomNumberGenerator {
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
