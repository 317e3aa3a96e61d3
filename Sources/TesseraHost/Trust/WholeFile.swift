import Glibc

/// Small files, read and written in one go.
package enum WholeFile {
  /// All of an open file, or nil where it has more than `limit` bytes or the system cannot read it.
  package static func read(_ descriptor: Int32, limit: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 32 << 10, alignment: 16)
    defer { piece.deallocate() }
    while true {
      let count = pread(descriptor, piece.baseAddress, piece.count, off_t(bytes.count))
      if count < 0 && errno == EINTR { continue }
      guard count >= 0, bytes.count + count <= limit else { return nil }
      if count == 0 { return bytes }
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: piece[..<count]))
    }
  }

  /// Writes all bytes; 0 or the number of the error.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let piece = UnsafeRawBufferPointer(rebasing: rest)
        let count = Glibc.write(descriptor, piece.baseAddress, piece.count)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return count < 0 ? errno : ENOSPC }
        rest = rest.dropFirst(count)
      }
      return 0
    }
  }
}
