/// Reads what a `ByteWriter` wrote, and believes none of it.
///
/// Every read checks that the message reaches so far; what it reads is its own copy, so whoever
/// shares the memory of the original can change nothing any more. Each method throws
/// `.brokenContract` where the message is not what is asked for.
package struct ByteReader: Sendable {
  private let bytes: [UInt8]
  private var position = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads each byte of some memory once, now.
  ///
  /// Another process may change the memory meanwhile; it stays the caller's.
  package init(copying memory: UnsafeRawBufferPointer) { bytes = Array(memory) }

  /// How many bytes are not read yet.
  package var remaining: Int { bytes.count - position }

  /// The byte that is read next; nil at the end.
  package var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  package mutating func uint8() throws(HostError) -> UInt8 { try integer() }
  package mutating func uint32() throws(HostError) -> UInt32 { try integer() }
  package mutating func uint64() throws(HostError) -> UInt64 { try integer() }
  package mutating func int32() throws(HostError) -> Int32 { try integer() }
  package mutating func int64() throws(HostError) -> Int64 { try integer() }
  package mutating func int() throws(HostError) -> Int { Int(try int64()) }
  package mutating func double() throws(HostError) -> Double { Double(bitPattern: try integer()) }

  package mutating func bool() throws(HostError) -> Bool {
    let byte = try uint8()
    guard byte <= 1 else {
      throw Self.broken("holds \(byte) where a truth value of 0 or 1 belongs")
    }
    return byte == 1
  }

  package mutating func string() throws(HostError) -> String {
    let count = Int(try uint32())
    guard count <= ForeignText.limit else {
      throw Self.broken("holds a text of \(count) bytes; expected at most \(ForeignText.limit)")
    }
    try need(count)
    defer { position += count }
    guard let text = String(validating: bytes[position..<position + count], as: UTF8.self) else {
      throw Self.broken("holds a text that is not UTF-8")
    }
    return text
  }

  package mutating func optionalString() throws(HostError) -> String? {
    try bool() ? try string() : nil
  }

  package mutating func strings() throws(HostError) -> [String] {
    var texts: [String] = []
    for _ in 0..<(try count(ofAtLeast: 4)) { texts.append(try string()) }
    return texts
  }

  /// How many things follow that take at least `size` bytes each; never more than can be there.
  package mutating func count(ofAtLeast size: Int) throws(HostError) -> Int {
    let count = Int(try uint32())
    guard count <= remaining / max(1, size) else {
      throw Self.broken(
        "is cut short: it announces \(count) things of \(max(1, size)) bytes or more, and "
          + "\(remaining) bytes follow")
    }
    return count
  }

  /// So many bytes as they are.
  package mutating func raw(count: Int) throws(HostError) -> [UInt8] {
    try need(count)
    defer { position += count }
    return Array(bytes[position..<position + count])
  }

  /// Says that nothing is to follow.
  package func finish() throws(HostError) {
    guard remaining == 0 else {
      throw Self.broken("goes on for \(remaining) bytes after its end")
    }
  }

  /// The error for a message that is not as agreed: "its answer …".
  package static func broken(_ sentence: String) -> HostError {
    HostError(.brokenContract, "its answer \(sentence); it is not used")
  }

  private func need(_ count: Int) throws(HostError) {
    guard count >= 0, count <= remaining else {
      throw Self.broken(
        "is cut short: \(count) bytes are wanted at \(position) and it has \(bytes.count)")
    }
  }

  private mutating func integer<Number: FixedWidthInteger & BitwiseCopyable>() throws(HostError)
    -> Number
  {
    let size = MemoryLayout<Number>.size
    try need(size)
    defer { position += size }
    return Number(
      littleEndian: bytes.withUnsafeBytes {
        $0.loadUnaligned(fromByteOffset: position, as: Number.self)
      })
  }
}

/// Writes the bytes of a message between two processes, or of a file of the cache.
///
/// Numbers are little endian and lie where the one before ends, without padding.
package struct ByteWriter: Sendable {
  /// What was written so far.
  package private(set) var bytes: [UInt8] = []

  package init(reserving capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  package mutating func put(_ value: UInt8) { bytes.append(value) }
  package mutating func put(_ value: UInt32) { putInteger(value) }
  package mutating func put(_ value: UInt64) { putInteger(value) }
  package mutating func put(_ value: Int32) { putInteger(value) }
  package mutating func put(_ value: Int64) { putInteger(value) }
  /// As 64 bits.
  package mutating func put(_ value: Int) { putInteger(Int64(value)) }
  /// As one byte, 0 or 1.
  package mutating func put(_ value: Bool) { bytes.append(value ? 1 : 0) }
  /// By its bits, so that infinities and NaNs come back as they were.
  package mutating func put(_ value: Double) { putInteger(value.bitPattern) }

  /// As its count of bytes in 32 bits, and UTF-8.
  ///
  /// A text of more than `ForeignText.limit` bytes, which no reader would take, is cut there, before
  /// the character that would be split.
  package mutating func put(_ text: String) {
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
  package mutating func put(_ text: String?) {
    put(text != nil)
    if let text { put(text) }
  }

  /// As the count in 32 bits, and the texts.
  package mutating func put(_ texts: [String]) {
    put(count: texts.count)
    for text in texts { put(text) }
  }

  /// How many things follow, in 32 bits.
  package mutating func put(count: Int) { putInteger(UInt32(clamping: count)) }

  /// Bytes as they are, without their count.
  package mutating func put(raw: UnsafeRawBufferPointer) { bytes.append(contentsOf: raw) }

  /// Bytes as they are, without their count.
  package mutating func put(raw: some Sequence<UInt8>) { bytes.append(contentsOf: raw) }

  private mutating func putInteger(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }
}
