import TesseraCatalog

/// Each section's first item; owned by the session, borrowed in a worker.
package final class SectionStarts {
  package let counts: [Int]
  package let buffer: UnsafeMutableBufferPointer<UInt64>
  /// Nil if borrowed.
  private let memory: (any InputMemory)?

  deinit { memory?.deallocate(buffer.baseAddress!, byteCount: buffer.count * 8) }

  /// The starts and the total must stay valid as long as this object.
  package init(borrowing buffer: UnsafeMutableBufferPointer<UInt64>) {
    (self.buffer, memory) = (buffer, nil)
    counts = zip(buffer, buffer.dropFirst()).map { Int($1 - $0) }
  }

  /// Throws for a negative count, more than 2^62 items, or 2^31 or more sections.
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

  /// For errors: " of item 3 in section 0".
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

/// Engines read it in place.
package protocol InputMemory: AnyObject {
  // Aligned to 16; never moves. `.invalidInput` above the limit, `.unavailable` if refused.
  func allocate(byteCount: Int) throws(HostError) -> UnsafeMutableRawPointer
  func deallocate(_ memory: UnsafeMutableRawPointer, byteCount: Int)
}

package final class ProcessInput: InputMemory {
  package init() {}

  package func allocate(byteCount: Int) throws(HostError) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(try CountedMemory.allocate(max(32, byteCount), of: UInt8.self))
  }

  package func deallocate(_ memory: UnsafeMutableRawPointer, byteCount: Int) {
    CountedMemory.deallocate(memory)
  }
}
