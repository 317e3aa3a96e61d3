/// Reads what a `ByteWriter` wrote, and believes none of it.
///
/// Every read checks that the message reaches so far; what it reads is its own copy, so whoever
/// shares the memory of the original can change nothing any more. Each method throws
/// `.brokenContract` where the message is not what is asked for.
struct ByteReader: Sendable {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads each byte of some memory once, now.
  ///
  /// Another process may change the memory meanwhile; it stays the caller's.
  init(copying memory: UnsafeRawBufferPointer) { bytes = Array(memory) }

  /// How many bytes are not read yet.
  var remaining: Int { bytes.count - position }

  mutating func uint8() throws(HostError) -> UInt8 { try integer() }
  mutating func uint32() throws(HostError) -> UInt32 { try integer() }
  mutating func uint64() throws(HostError) -> UInt64 { try integer() }
  mutating func int32() throws(HostError) -> Int32 { try integer() }
  mutating func int64() throws(HostError) -> Int64 { try integer() }
  mutating func int() throws(HostError) -> Int { Int(try int64()) }
  mutating func double() throws(HostError) -> Double { Double(bitPattern: try integer()) }

  mutating func bool() throws(HostError) -> Bool {
    let byte = try uint8()
    guard byte <= 1 else {
      throw Self.broken("holds \(byte) where a truth value of 0 or 1 belongs")
    }
    return byte == 1
  }

  mutating func string() throws(HostError) -> String {
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

  mutating func optionalString() throws(HostError) -> String? {
    try bool() ? try string() : nil
  }

  mutating func strings() throws(HostError) -> [String] {
    var texts: [String] = []
    for _ in 0..<(try count(ofAtLeast: 4)) { texts.append(try string()) }
    return texts
  }

  /// How many things follow that take at least `size` bytes each; never more than can be there.
  mutating func count(ofAtLeast size: Int) throws(HostError) -> Int {
    let count = Int(try uint32())
    guard count <= remaining / max(1, size) else {
      throw Self.broken(
        "is cut short: it announces \(count) things of \(max(1, size)) bytes or more, and "
          + "\(remaining) bytes follow")
    }
    return count
  }

  /// So many bytes as they are.
  mutating func raw(count: Int) throws(HostError) -> [UInt8] {
    try need(count)
    defer { position += count }
    return Array(bytes[position..<position + count])
  }

  /// Says that nothing is to follow.
  func finish() throws(HostError) {
    guard remaining == 0 else {
      throw Self.broken("goes on for \(remaining) bytes after its end")
    }
  }

  /// The error for a message that is not as agreed: "its answer …".
  static func broken(_ sentence: String) -> HostError {
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
