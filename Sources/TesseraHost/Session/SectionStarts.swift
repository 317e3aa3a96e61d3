/// Where each section's items start among all items.
///
/// Owned by the session.
final class SectionStarts {
  let counts: [Int]
  let buffer: UnsafeMutableBufferPointer<UInt64>
  private let memory: any InputMemory

  deinit { memory.deallocate(buffer.baseAddress!, byteCount: buffer.count * 8) }

  /// - Throws: `.invalidInput` for a negative count, or more items than 2^62 or sections than 2^31.
  init(counts: [Int], memory: any InputMemory = ProcessInput()) throws(HostError) {
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
  func items(inSection section: Int) -> Range<Int> {
    Int(buffer[section])..<Int(buffer[section + 1])
  }

  var total: Int { Int(buffer[counts.count]) }
}
