import Glibc

// Arithmetic on numbers of a table, a message, an engine or a program, and memory for as many values as they
// say.

extension FixedWidthInteger {
  /// The sum; nil if no number of the type is that large.
  @inlinable package func adding(_ other: Self) -> Self? {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? nil : sum
  }

  /// The product; nil if no number of the type is that large.
  @inlinable package func times(_ other: Self) -> Self? {
    let (product, overflows) = multipliedReportingOverflow(by: other)
    return overflows ? nil : product
  }

  /// As many numbers from this one on; nil for a count below 0, or beyond the largest number.
  @inlinable package func upTo(count: Self) -> Range<Self>? {
    guard count >= 0, let end = adding(count) else { return nil }
    return self..<end
  }
}

extension Sequence<Int> {
  /// The sum, or the largest number if it is larger.
  @inlinable package var total: Int { reduce(0) { $0.adding($1) ?? .max } }
}

/// Memory for values that are counted outside of the host.
///
/// Swift ends the process when the system has no memory left; here that is an error.
package enum CountedMemory {
  /// Returns memory for values, which `deallocate` frees; throws `.unavailable` if the system has
  /// not as much.
  package static func allocate<Item: BitwiseCopyable>(
    _ count: Int, of type: Item.Type = Item.self
  ) throws(HostError) -> UnsafeMutablePointer<Item> {
    guard let byteCount = count.times(MemoryLayout<Item>.stride),
      let memory = malloc(max(1, byteCount))
    else { throw .noMemory(for: count, size: MemoryLayout<Item>.stride) }
    return memory.bindMemory(to: Item.self, capacity: count)
  }

  package static func deallocate(_ memory: UnsafeMutableRawPointer) { free(memory) }

  /// Checks that the system has memory for values that Swift allocates next.
  ///
  /// - Parameter size: The bytes of a value.
  /// - Throws: `.unavailable` if the system has not as much.
  package static func require(_ count: Int, size: Int) throws(HostError) {
    guard let byteCount = count.times(size) else { throw .noMemory(for: count, size: size) }
    // Less is taken from memory that the process has.
    guard byteCount >= leastChecked else { return }
    let flags = MAP_PRIVATE | MAP_ANONYMOUS
    guard let base = mmap(nil, byteCount, PROT_READ | PROT_WRITE, flags, -1, 0),
      base != MAP_FAILED
    else { throw .noMemory(for: count, size: size) }
    munmap(base, byteCount)
  }

  /// Checks that the system has memory for an array of values.
  package static func require<Item>(_ count: Int, of type: Item.Type) throws(HostError) {
    try require(count, size: MemoryLayout<Item>.stride)
  }

  private static let leastChecked = 1 << 16
}
