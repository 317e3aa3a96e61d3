import Glibc

extension FixedWidthInteger {
  /// Nil on overflow.
  @inlinable package func adding(_ other: Self) -> Self? {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? nil : sum
  }

  /// Nil on overflow.
  @inlinable package func times(_ other: Self) -> Self? {
    let (product, overflows) = multipliedReportingOverflow(by: other)
    return overflows ? nil : product
  }

  /// Nil for a negative count or on overflow.
  @inlinable package func upTo(count: Self) -> Range<Self>? {
    guard count >= 0, let end = adding(count) else { return nil }
    return self..<end
  }
}

extension Sequence<Int> {
  /// `.max` on overflow.
  @inlinable package var total: Int { reduce(0) { $0.adding($1) ?? .max } }
}

/// Swift ends the process when memory runs out; this throws `.unavailable`.
package enum CountedMemory {
  package static func allocate<Item: BitwiseCopyable>(
    _ count: Int, of type: Item.Type = Item.self
  ) throws(HostError) -> UnsafeMutablePointer<Item> {
    guard let byteCount = count.times(MemoryLayout<Item>.stride),
      let memory = malloc(max(1, byteCount))
    else { throw .noMemory(for: count, size: MemoryLayout<Item>.stride) }
    return memory.bindMemory(to: Item.self, capacity: count)
  }

  package static func deallocate(_ memory: UnsafeMutableRawPointer) { free(memory) }

  /// Checks that Swift can allocate these values next.
  package static func require(_ count: Int, size: Int) throws(HostError) {
    guard let byteCount = count.times(size) else { throw .noMemory(for: count, size: size) }
    // Small sizes come from memory that the process already has.
    guard byteCount >= leastChecked else { return }
    let flags = MAP_PRIVATE | MAP_ANONYMOUS
    guard let base = mmap(nil, byteCount, PROT_READ | PROT_WRITE, flags, -1, 0),
      base != MAP_FAILED
    else { throw .noMemory(for: count, size: size) }
    munmap(base, byteCount)
  }

  package static func require<Item>(_ count: Int, of type: Item.Type) throws(HostError) {
    try require(count, size: MemoryLayout<Item>.stride)
  }

  private static let leastChecked = 1 << 16
}
