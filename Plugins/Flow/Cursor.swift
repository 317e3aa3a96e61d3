/// How far along the scroll axis the layout has come.
struct Cursor: Equatable {
  /// Where the next thing begins; never rounded.
  private(set) var main = 0.0
  /// The furthest that an element has reached: negative spacing may lead back from it.
  private(set) var furthest = 0.0

  /// Moves on over space, back if it is negative.
  mutating func advance(by space: Double) {
    main += space
  }

  /// Moves on over elements of this length.
  mutating func pass(_ length: Double) {
    main += length
    furthest = max(furthest, main)
  }
}
