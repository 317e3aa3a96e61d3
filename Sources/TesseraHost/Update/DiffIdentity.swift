import Glibc

/// Comparing and hashing identities by their UTF-8 bytes.
enum DiffIdentity {
  /// Whether two identities have the same bytes.
  @inline(__always)
  static func same(_ left: String, _ right: String) -> Bool {
    // Identical representations are identical strings, and two words are compared faster than bytes.
    if MemoryLayout<String>.size == MemoryLayout<(UInt64, UInt64)>.size {
      let one = unsafeBitCast(left, to: (UInt64, UInt64).self)
      let other = unsafeBitCast(right, to: (UInt64, UInt64).self)
      if one == other { return true }
    }
    return left.utf8.count == right.utf8.count && sameBytes(left, right)
  }

  @inline(never)
  private static func sameBytes(_ left: String, _ right: String) -> Bool {
    let answer = left.utf8.withContiguousStorageIfAvailable { one -> Bool? in
      right.utf8.withContiguousStorageIfAvailable { other -> Bool in
        guard let start = one.baseAddress, let otherStart = other.baseAddress else {
          return one.count == other.count
        }
        return one.count == other.count && memcmp(start, otherStart, one.count) == 0
      }
    }
    return (answer ?? nil) ?? left.utf8.elementsEqual(right.utf8)
  }

  /// A hash of the bytes, the same in every run.
  @inline(__always)
  static func hash(_ identity: String) -> UInt64 {
    if let hash = identity.utf8.withContiguousStorageIfAvailable({
      hash(UnsafeRawBufferPointer($0))
    }) {
      return hash
    }
    return Array(identity.utf8).withUnsafeBytes { hash($0) }
  }

  @inline(__always)
  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let count = bytes.count
    var state = UInt64(truncatingIfNeeded: count) ^ 0x9E37_79B9_7F4A_7C15
    var offset = 0
    while count - offset > 16 {
      state = mix(word(bytes, offset) ^ state, word(bytes, offset + 8) ^ 0xA076_1D64_78BD_642F)
      offset += 16
    }
    // The rest is 0 to 16 bytes, read as two words that may overlap.
    let rest = count - offset
    var low: UInt64 = 0
    var high: UInt64 = 0
    if rest >= 8 {
      low = word(bytes, offset)
      high = word(bytes, count - 8)
    } else if rest >= 4 {
      low = half(bytes, offset)
      high = half(bytes, count - 4)
    } else if rest > 0 {
      low = UInt64(bytes[offset]) | UInt64(bytes[offset + rest / 2]) << 8
      high = UInt64(bytes[count - 1])
    }
    return mix(low ^ state, high ^ 0xE703_7ED1_A0B4_28DB) &* 0x9FB2_1C65_1E98_DF25
  }

  @inline(__always)
  private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  @inline(__always)
  private static func half(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    UInt64(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  @inline(__always)
  private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }
}
