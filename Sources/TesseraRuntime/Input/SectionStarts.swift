import TesseraCatalog

/// Where each section's items start among all items.
///
/// Owned by the session.
package final class SectionStarts {
  package let counts: [Int]
  package let buffer: UnsafeMutableBufferPointer<UInt64>
  private let memory: any InputMemory

  deinit { memory.deallocate(buffer.baseAddress!, byteCount: buffer.count * 8) }

  /// - Throws: `.invalidInput` for a negative count, or more items than 2^62 or sections than 2^31.
  package init(counts: [Int], memory: any InputMemory = ProcessInput()) throws(HostError) {
    guard counts.count < 1 << 31 else {
      throw HostError(.invalidInput, "\(counts.count) sections are too many; expected below 2^31")
    }
    var total: UInt64 = 0
    for (section, count) in counts.enumerated() {
      guard count >= 0 else {
        throw HostError(
          .invalidInput, "section \(section) has \(count) items; expected 0 or more")
      }
      total += UInt64(count)
      guard total <= 1 << 62 else {
        throw HostError(
          .invalidInput, "the sections up to \(section) have more than 2^62 items; give fewer")
      }
    }
    self.counts = counts
    self.memory = memory
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

  /// The places among all items of a section's items.
  package func items(inSection section: Int) -> Range<Int> {
    Int(buffer[section])..<Int(buffer[section + 1])
  }

  package var total: Int { Int(buffer[counts.count]) }
}

/// Where what engines are given lies: memory that they read where it is.
package protocol InputMemory: AnyObject {
  /// Memory of at least so many bytes, aligned to 16, that stays where it is.
  ///
  /// - Throws: `.invalidInput` where there is no room for so much.
  func allocate(byteCount: Int) throws(HostError) -> UnsafeMutableRawPointer
  /// Takes memory back, with the size that was asked for.
  func deallocate(_ memory: UnsafeMutableRawPointer, byteCount: Int)
}

/// The heap of this process, for engines that run in it.
package final class ProcessInput: InputMemory {
  package init() {}

  package func allocate(byteCount: Int) -> UnsafeMutableRawPointer {
    .allocate(byteCount: max(32, byteCount), alignment: 16)
  }

  package func deallocate(_ memory: UnsafeMutableRawPointer, byteCount: Int) { memory.deallocate() }
}
