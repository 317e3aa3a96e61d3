import CTesseraSystem
import Glibc

/// Adds up bytes to a SHA-256 sum.
struct SHA256: Sendable {
  private var sum = tessera_sha256()

  /// An empty sum, for which the processor's own instructions are used where it has them.
  init() { tessera_sha256_start(&sum) }

  /// An empty sum that does without those instructions.
  static var plain: SHA256 {
    var plain = SHA256()
    plain.sum.is_plain = 1
    return plain
  }

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    tessera_sha256_add(&sum, bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1)!, bytes.count)
  }

  /// The sum of all that was added; more may follow.
  func digest() -> SHA256Digest {
    var copy = sum
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(TESSERA_SHA256_SIZE)) { buffer, count in
      // A capacity above zero has an address.
      tessera_sha256_finish(&copy, buffer.baseAddress!)
      count = Int(TESSERA_SHA256_SIZE)
    }
    return SHA256Digest(bytes: bytes)!
  }

  static func digest(of bytes: [UInt8]) -> SHA256Digest {
    var sum = SHA256()
    bytes.withUnsafeBytes { sum.add($0) }
    return sum.digest()
  }

  /// The sum of an open file from its start to its end, wherever it is read at.
  ///
  /// Complexity: O(*n*) in bytes; it holds 128 KiB of them at a time.
  ///
  /// - Throws: `.cannotLoad` where the system cannot read it.
  static func digest(ofFile descriptor: Int32) throws(HostError) -> SHA256Digest {
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
