import TesseraGeometry

extension RandomNumberGenerator {
  /// Insets of no edge above a limit, or below 0.
  mutating func edges(upTo limit: Double) -> Insets {
    Insets(
      top: number(in: 0...limit), left: number(in: 0...limit), bottom: number(in: 0...limit),
      right: number(in: 0...limit))
  }

  /// A size whose lengths are of a range.
  mutating func extent(in range: ClosedRange<Double>) -> Size {
    Size(width: number(in: range), height: number(in: range))
  }
}
