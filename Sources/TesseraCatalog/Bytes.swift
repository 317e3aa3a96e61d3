/// Reads untrusted bytes in the format of `ByteWriter`.
///
/// The reader owns a copy of the bytes, so a process that shares the original memory cannot change
/// them between a check and a use. Each method throws `.brokenContract` if the bytes end too early
/// or do not have the requested form.
package struct ByteReader: Sendable {
  private let bytes: [UInt8]
  private var position = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Copies memory that another process may be changing, reading each byte once.
  package init(copying memory: UnsafeRawBufferPointer) { bytes = Array(memory) }

  /// The number of bytes that remain to be read.
  package var remaining: Int { bytes.count - position }

  /// The next byte, or nil at the end.
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
      throw Self.broken("holds \(byte) for a Boolean; expected 0 or 1")
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

  /// Reads the number of entries that follow, each of at least `size` bytes.
  ///
  /// Throws if the remaining bytes are too few for that number.
  package mutating func count(ofAtLeast size: Int) throws(HostError) -> Int {
    let count = Int(try uint32())
    guard count <= remaining / max(1, size) else {
      throw Self.broken(
        "is truncated: it declares \(count) entries of at least \(max(1, size)) bytes, and "
          + "\(remaining) bytes follow")
    }
    return count
  }

  /// Reads the next `count` bytes unchanged.
  package mutating func raw(count: Int) throws(HostError) -> [UInt8] {
    try need(count)
    defer { position += count }
    return Array(bytes[position..<position + count])
  }

  /// Throws unless all bytes have been read.
  package func finish() throws(HostError) {
    guard remaining == 0 else {
      throw Self.broken("has \(remaining) bytes after its end")
    }
  }

  /// The error for malformed bytes.
  ///
  /// `sentence` continues "its answer …".
  package static func broken(_ sentence: String) -> HostError {
    HostError(.brokenContract, "its answer \(sentence); it is not used")
  }

  private func need(_ count: Int) throws(HostError) {
    guard count >= 0, count <= remaining else {
      throw Self.broken(
        "is truncated: expected \(count) bytes at offset \(position), and it has \(bytes.count)")
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

/// Encodes a message between two processes, or a cache file.
///
/// Numbers are little endian. Values follow each other without padding.
package struct ByteWriter: Sendable {
  /// The bytes written so far.
  package private(set) var bytes: [UInt8] = []

  package init(reserving capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  package mutating func put(_ value: UInt8) { bytes.append(value) }
  package mutating func put(_ value: UInt32) { putInteger(value) }
  package mutating func put(_ value: UInt64) { putInteger(value) }
  package mutating func put(_ value: Int32) { putInteger(value) }
  package mutating func put(_ value: Int64) { putInteger(value) }
  /// Writes 64 bits.
  package mutating func put(_ value: Int) { putInteger(Int64(value)) }
  /// Writes one byte, 0 or 1.
  package mutating func put(_ value: Bool) { bytes.append(value ? 1 : 0) }
  /// Writes the bit pattern, so that infinities and NaNs are preserved.
  package mutating func put(_ value: Double) { putInteger(value.bitPattern) }

  /// Writes the number of bytes in 32 bits, then the text as UTF-8.
  ///
  /// A text of more than `ForeignText.limit` bytes, which a reader would reject, is truncated to
  /// the limit without splitting a character.
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

  /// Writes a Boolean, true if a text follows.
  package mutating func put(_ text: String?) {
    put(text != nil)
    if let text { put(text) }
  }

  /// Writes the count in 32 bits, then the texts.
  package mutating func put(_ texts: [String]) {
    put(count: texts.count)
    for text in texts { put(text) }
  }

  /// Writes the number of entries that follow, in 32 bits.
  package mutating func put(count: Int) { putInteger(UInt32(clamping: count)) }

  /// Writes the bytes unchanged, without their count.
  package mutating func put(raw: UnsafeRawBufferPointer) { bytes.append(contentsOf: raw) }

  /// Writes the bytes unchanged, without their count.
  package mutating func put(raw: some Sequence<UInt8>) { bytes.append(contentsOf: raw) }

  private mutating func putInteger(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }
}
