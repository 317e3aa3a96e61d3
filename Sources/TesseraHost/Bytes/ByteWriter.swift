/// Writes the bytes of a message between two processes, or of a file of the cache.
///
/// Numbers are little endian and lie where the one before ends, without padding.
struct ByteWriter: Sendable {
  /// What was written so far.
  private(set) var bytes: [UInt8] = []

  init(reserving capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  mutating func put(_ value: UInt8) { bytes.append(value) }
  mutating func put(_ value: UInt32) { putInteger(value) }
  mutating func put(_ value: UInt64) { putInteger(value) }
  mutating func put(_ value: Int32) { putInteger(value) }
  mutating func put(_ value: Int64) { putInteger(value) }
  /// As 64 bits.
  mutating func put(_ value: Int) { putInteger(Int64(value)) }
  /// As one byte, 0 or 1.
  mutating func put(_ value: Bool) { bytes.append(value ? 1 : 0) }
  /// By its bits, so that infinities and NaNs come back as they were.
  mutating func put(_ value: Double) { putInteger(value.bitPattern) }

  /// As its count of bytes in 32 bits, and UTF-8.
  ///
  /// A text of more than `ForeignText.limit` bytes, which no reader would take, is cut there, before
  /// the character that would be split.
  mutating func put(_ text: String) {
    let utf8 = text.utf8
    guard utf8.count > ForeignText.limit else {
      putInteger(UInt32(utf8.count))
      bytes.append(contentsOf: utf8)
      return
    }
    var cut = Array(utf8.prefix(ForeignText.limit + 1))
    while let last = cut.popLast(), last & 0xC0 == 0x80 {}
    putInteger(UInt32(cut.count))
    bytes.append(contentsOf: cut)
  }

  /// As a bool that says whether a text follows.
  mutating func put(_ text: String?) {
    put(text != nil)
    if let text { put(text) }
  }

  /// As the count in 32 bits, and the texts.
  mutating func put(_ texts: [String]) {
    put(count: texts.count)
    for text in texts { put(text) }
  }

  /// How many things follow, in 32 bits.
  mutating func put(count: Int) { putInteger(UInt32(clamping: count)) }

  /// Bytes as they are, without their count.
  mutating func put(raw: UnsafeRawBufferPointer) { bytes.append(contentsOf: raw) }

  /// Bytes as they are, without their count.
  mutating func put(raw: some Sequence<UInt8>) { bytes.append(contentsOf: raw) }

  private mutating func putInteger(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }
}
