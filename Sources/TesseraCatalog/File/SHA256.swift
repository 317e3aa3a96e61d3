import CTesseraSystem
import Glibc

/// A SHA-256 digest.
public struct SHA256Digest: Hashable, Sendable, CustomStringConvertible {
  private let words: (UInt64, UInt64, UInt64, UInt64)

  /// Creates a digest from 32 bytes; nil for any other count.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 32 else { return nil }
    var words: [UInt64] = [0, 0, 0, 0]
    for (index, byte) in bytes.enumerated() {
      words[index / 8] = words[index / 8] << 8 | UInt64(byte)
    }
    self.words = (words[0], words[1], words[2], words[3])
  }

  /// Creates a digest from 64 hexadecimal digits in either case; nil for any other text.
  public init?(hex: some StringProtocol) {
    let digits = Array(hex.utf8)
    guard digits.count == 64 else { return nil }
    let values = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue.map(UInt8.init) }
    guard values.count == 64 else { return nil }
    self.init(bytes: stride(from: 0, to: 64, by: 2).map { values[$0] << 4 | values[$0 + 1] })
  }

  /// The 32 bytes.
  public var bytes: [UInt8] {
    [words.0, words.1, words.2, words.3].flatMap { word in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
    }
  }

  /// 64 lowercase hexadecimal digits, as `sha256sum` writes them.
  public var description: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// Whether two digests are equal.
  public static func == (left: SHA256Digest, right: SHA256Digest) -> Bool {
    left.words == right.words
  }

  /// Hashes the first eight bytes, which suffice.
  public func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}

extension SHA256Digest {
  /// Computes the digest of bytes.
  public init(of bytes: [UInt8]) {
    var sum = tessera_sha256(isPlain: false)
    bytes.withUnsafeBytes { sum.add($0) }
    self = sum.digest()
  }

  /// Computes the digest of a file; throws `.notFound`, or `.cannotLoad` if it isn't readable.
  public init(ofFile path: String) throws(HostError) {
    do throws(HostError) {
      let file = try LibraryFile(path: path)
      try self.init(ofDescriptor: file.descriptor)
    } catch {
      throw error.about(path)
    }
  }

  /// Ignores the descriptor's position; buffers 128 KiB.
  package init(ofDescriptor descriptor: Int32) throws(HostError) {
    var sum = tessera_sha256(isPlain: false)
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 128 << 10, alignment: 64)
    defer { piece.deallocate() }
    var offset: off_t = 0
    while true {
      let count = pread(descriptor, piece.baseAddress, piece.count, offset)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw .unreadable("read", errno) }
      if count == 0 { break }
      sum.add(UnsafeRawBufferPointer(rebasing: piece[..<count]))
      offset += off_t(count)
    }
    self = sum.digest()
  }
}

extension tessera_sha256 {
  /// A plain sum doesn't use SHA instructions.
  package init(isPlain: Bool) {
    self.init()
    tessera_sha256_start(&self)
    if isPlain { is_plain = 1 }
  }

  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    tessera_sha256_add(&self, bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1)!, bytes.count)
  }

  package func digest() -> SHA256Digest {
    var copy = self
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(TESSERA_SHA256_SIZE)) { buffer, count in
      // A capacity above zero has an address.
      tessera_sha256_finish(&copy, buffer.baseAddress!)
      count = Int(TESSERA_SHA256_SIZE)
    }
    return SHA256Digest(bytes: bytes)!
  }
}
