/// Random numbers that are the same in every run with a seed: splitmix64.
public struct SeededNumbers: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Numbers that start at a seed.
  public init(seed: UInt64) { state = seed }

  /// Numbers that start at a seed and a name: cases of one run draw from streams of their own.
  public init(seed: UInt64, name: String) {
    // FNV-1a, since Swift's own hashes differ from run to run.
    state = name.utf8.reduce(seed ^ 0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// A number of a range, to a sixteenth: exact as a double, and short to write.
  public mutating func number(in range: ClosedRange<Double>) -> Double {
    let number = Double.random(in: range, using: &self)
    return min(max((number * 16).rounded() / 16, range.lowerBound), range.upperBound)
  }

  /// One of some things.
  public mutating func pick<Item>(_ items: [Item]) -> Item {
    items[Int.random(in: items.indices, using: &self)]
  }

  /// True once in so many times.
  public mutating func once(in count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
