import TesseraCatalog

/// The index of each section's first item among all items.
///
/// Owned by the session; in a worker, borrowed from it.
package final class SectionStarts {
  package let counts: [Int]
  package let buffer: UnsafeMutableBufferPointer<UInt64>
  /// Nil if the starts are borrowed.
  private let memory: (any InputMemory)?

  deinit { memory?.deallocate(buffer.baseAddress!, byteCount: buffer.count * 8) }

  /// Borrows the starts of the sections and the number of all items, which must stay valid as long as
  /// this object.
  package init(borrowing buffer: UnsafeMutableBufferPointer<UInt64>) {
    (self.buffer, memory) = (buffer, nil)
    counts = zip(buffer, buffer.dropFirst()).map { Int($1 - $0) }
  }

  /// Computes the starts from the number of items in each section.
  ///
  /// - Throws: `.invalidInput` for a negative count, more than 2^62 items, or 2^31 sections or
  ///   more.
  package init(counts: [Int], memory: any InputMemory = ProcessInput()) throws(HostError) {
    guard counts.count < 1 << 31 else {
      throw HostError(.tooManyItems, "\(counts.count) sections are too many; expected below 2^31")
    }
    var total: UInt64 = 0
    for (section, count) in counts.enumerated() {
      guard count >= 0 else {
        throw .invalidValue("section \(section)", "has \(count) items; expected 0 or more")
      }
      total += UInt64(count)
      guard total <= 1 << 62 else {
        throw HostError(
          .tooManyItems, "the sections up to \(section) have more than 2^62 items; give fewer")
      }
    }
    (self.counts, self.memory) = (counts, memory)
    let bytes = try memory.allocate(byteCount: (counts.count + 1) * 8)
    buffer = UnsafeMutableBufferPointer(
      start: bytes.bindMemory(to: UInt64.self, capacity: counts.count + 1),
      count: counts.count + 1)
    var start: UInt64 = 0
    for (section, count) in counts.enumerated() {
      buffer[section] = start
      start += UInt64(count)
    }
    buffer[counts.count] = start
  }

  package func items(inSection section: Int) -> Range<Int> {
    Int(buffer[section])..<Int(buffer[section + 1])
  }

  /// Says where an item is, by its index among all items: " of item 3 in section 0".
  package func place(ofItem index: Int) -> String {
    var item = index
    let section = counts.firstIndex { count in
      if item < count { return true }
      item -= count
      return false
    }
    return " of item \(item) in section \(section ?? counts.count)"
  }

  package var total: Int { Int(buffer[counts.count]) }
}

/// Allocates the memory of an engine's input, which engines read in place.
package protocol InputMemory: AnyObject {
  /// Allocates at least `byteCount` bytes, aligned to 16, which do not move.
  ///
  /// - Throws: `.invalidInput` if a layout cannot have as much, `.unavailable` if the system does not.
  func allocate(byteCount: Int) throws(HostError) -> UnsafeMutableRawPointer
  /// Frees memory; `byteCount` is the size that was passed to `allocate`.
  func deallocate(_ memory: UnsafeMutableRawPointer, byteCount: Int)
}

/// The heap of this process, for engines that run in it.
package final class ProcessInput: InputMemory {
  package init() {}

  package func allocate(byteCount: Int) throws(HostError) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(try CountedMemory.allocate(max(32, byteCount), of: UInt8.self))
  }

  package func deallocate(_ memory: UnsafeMutableRawPointer, byteCount: Int) {
    CountedMemory.deallocate(memory)
  }
}
