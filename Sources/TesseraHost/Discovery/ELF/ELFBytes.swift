/// Little-endian numbers in some bytes of a file.
///
/// What lies outside them reads as 0, so that no offset that a file states can harm.
struct ELFBytes {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var count: Int { bytes.count }

  func uint8(at offset: Int) -> UInt8 { number(at: offset) }
  func uint16(at offset: Int) -> UInt16 { number(at: offset) }
  func uint32(at offset: Int) -> UInt32 { number(at: offset) }
  func uint64(at offset: Int) -> UInt64 { number(at: offset) }

  private func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Number {
    let size = MemoryLayout<Number>.size
    guard offset >= 0, count >= size, offset <= count - size else { return 0 }
    return Number(
      littleEndian: bytes.withUnsafeBytes {
        $0.loadUnaligned(fromByteOffset: offset, as: Number.self)
      })
  }

  func starts(with prefix: [UInt8]) -> Bool { bytes.starts(with: prefix) }

  /// Whether the bytes from an offset on begin with others.
  func holds(_ other: some Collection<UInt8>, at offset: Int) -> Bool {
    guard offset >= 0, offset <= count else { return false }
    return bytes[offset...].starts(with: other)
  }

  /// The text up to the first zero byte.
  var text: String { String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }

  /// Whether all of them are printable, white space or part of a UTF-8 sequence.
  var isText: Bool {
    bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7f || (0x09...0x0d).contains($0) }
  }
}
