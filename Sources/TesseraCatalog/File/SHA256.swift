import CTesseraSystem
import Glibc

/// Adds up bytes to a SHA-256 sum.
package struct SHA256: Sendable {
  private var sum = tessera_sha256()

  /// An empty sum, for which the processor's own instructions are used where it has them.
  package init() { tessera_sha256_start(&sum) }

  /// An empty sum that does without those instructions.
  package static var plain: SHA256 {
    var plain = SHA256()
    plain.sum.is_plain = 1
    return plain
  }

  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    tessera_sha256_add(&sum, bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1)!, bytes.count)
  }

  /// The sum of all that was added; more may follow.
  package func digest() -> SHA256Digest {
    var copy = sum
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(TESSERA_SHA256_SIZE)) { buffer, count in
      // A capacity above zero has an address.
      tessera_sha256_finish(&copy, buffer.baseAddress!)
      count = Int(TESSERA_SHA256_SIZE)
    }
    return SHA256Digest(bytes: bytes)!
  }

  package static func digest(of bytes: [UInt8]) -> SHA256Digest {
    var sum = SHA256()
    bytes.withUnsafeBytes { sum.add($0) }
    return sum.digest()
  }

  /// The sum of an open file from its start to its end, wherever it is read at.
  ///
  /// Complexity: O(*n*) in bytes; it holds 128 KiB of them at a time.
  ///
  /// - Throws: `.cannotLoad` where the system cannot read it.
  package static func digest(ofFile descriptor: Int32) throws(HostError) -> SHA256Digest {
    var sum = SHA256()
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 128 << 10, alignment: 64)
    defer { piece.deallocate() }
    var offset: off_t = 0
    while true {
      let count = pread(descriptor, piece.baseAddress, piece.count, offset)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else {
        throw HostError(.cannotLoad, "it cannot be read: \(systemMessage(errno))")
      }
      if count == 0 { return sum.digest() }
      sum.add(UnsafeRawBufferPointer(rebasing: piece[..<count]))
      offset += off_t(count)
    }
  }
}

/// A SHA-256 sum: which bytes something is made of.
public struct SHA256Digest: Hashable, Sendable, CustomStringConvertible {
  /// The 32 bytes, in four numbers whose highest byte comes first.
  private let words: (UInt64, UInt64, UInt64, UInt64)

  /// The sum of 32 bytes, or nil for another count.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 32 else { return nil }
    var words: [UInt64] = [0, 0, 0, 0]
    for (index, byte) in bytes.enumerated() {
      words[index / 8] = words[index / 8] << 8 | UInt64(byte)
    }
    self.words = (words[0], words[1], words[2], words[3])
  }

  /// The sum that 64 hexadecimal digits of either case write, or nil for anything else.
  public init?(hex: some StringProtocol) {
    let digits = Array(hex.utf8)
    guard digits.count == 64 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: 64, by: 2) {
      guard let high = Self.value(digits[index]), let low = Self.value(digits[index + 1]) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    self.init(bytes: bytes)
  }

  /// The 32 bytes.
  public var bytes: [UInt8] {
    [words.0, words.1, words.2, words.3].flatMap { word in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
    }
  }

  /// The 64 digits, lower case, as `sha256sum` writes them.
  public var description: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// Whether the bytes are the same.
  public static func == (left: SHA256Digest, right: SHA256Digest) -> Bool {
    left.words == right.words
  }

  /// Feeds the first bytes, which are as good as any.
  public func hash(into hasher: inout Hasher) { hasher.combine(words.0) }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension SHA256Digest {
  /// The digest of a file as it is now.
  ///
  /// - Throws: `.notFound` where it cannot be read.
  public init(ofFile path: String) throws(HostError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw HostError(.notFound, "\(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    self = try SHA256.digest(ofFile: descriptor)
  }
}
