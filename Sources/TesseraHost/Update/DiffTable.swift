/// Finds identities by their hashes: open addressing over positions that the caller keeps.
struct DiffTable {
  /// A position plus one in the low 40 bits, the top of its hash in the others; 0 where free.
  private var slots: [UInt64]
  private let mask: UInt64

  private static let positionMask: UInt64 = (1 << 40) - 1

  /// A table for so many identities.
  init(capacity: Int) {
    var size = 16
    while size < capacity * 2 { size *= 2 }
    slots = [UInt64](repeating: 0, count: size)
    mask = UInt64(size - 1)
  }

  /// The position with a hash for which the predicate holds.
  ///
  /// Complexity: constant on average.
  @inline(__always)
  func find(_ hash: UInt64, where isSame: (Int) -> Bool) -> Int? {
    var slot = hash & mask
    while true {
      let entry = slots[Int(slot)]
      if entry == 0 { return nil }
      if (entry ^ hash) & ~Self.positionMask == 0 {
        let position = Int(entry & Self.positionMask) - 1
        if isSame(position) { return position }
      }
      slot = (slot + 1) & mask
    }
  }

  /// Adds a position, unless one with its hash is there for which the predicate holds: that one.
  ///
  /// Complexity: constant on average.
  @inline(__always)
  mutating func add(_ position: Int, _ hash: UInt64, where isSame: (Int) -> Bool) -> Int? {
    var slot = hash & mask
    while true {
      let entry = slots[Int(slot)]
      if entry == 0 {
        slots[Int(slot)] =
          hash & ~Self.positionMask | UInt64(position + 1) & Self.positionMask
        return nil
      }
      if (entry ^ hash) & ~Self.positionMask == 0 {
        let other = Int(entry & Self.positionMask) - 1
        if isSame(other) { return other }
      }
      slot = (slot + 1) & mask
    }
  }
}
