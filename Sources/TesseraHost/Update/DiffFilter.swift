/// Says of a hash whether it was certainly not there before: a few bits of one word for each.
struct DiffFilter {
  private var words: [UInt64]
  private let mask: UInt64

  /// A filter for so many hashes; about one in a thousand is then taken for another.
  init(capacity: Int) {
    var size = 8
    while size < capacity / 4 { size *= 2 }
    words = [UInt64](repeating: 0, count: size)
    mask = UInt64(size - 1)
  }

  @inline(__always)
  private static func bits(_ hash: UInt64) -> UInt64 {
    1 << (hash >> 58) | 1 << (hash >> 52 & 63) | 1 << (hash >> 46 & 63)
  }

  /// Whether a hash may have been added.
  @inline(__always)
  func mayHold(_ hash: UInt64) -> Bool {
    let bits = Self.bits(hash)
    return words[Int(hash & mask)] & bits == bits
  }

  /// Adds a hash; answers whether it may have been there.
  @inline(__always)
  mutating func add(_ hash: UInt64) -> Bool {
    let bits = Self.bits(hash)
    let index = Int(hash & mask)
    let word = words[index]
    words[index] = word | bits
    return word & bits == bits
  }
}
