import CTesseraSystem
import Glibc

/// An immutable copy in a sealed memory file: the checked bytes are the loaded bytes.
package final class SealedLibrary: Sendable {
  /// Bytes.
  package static let sizeLimit: UInt64 = 256 << 20

  package let path: String
  /// The original file when read.
  package let identity: FileIdentity
  /// Owned by this object; its file position must not be used.
  package let descriptor: Int32
  package let digest: SHA256Digest
  package let inspection: LibraryInspection

  /// Throws `.cannotLoad` for more than `limit` bytes, many holes, a change, or lack of memory.
  package init(path: String, limit: UInt64 = SealedLibrary.sizeLimit) throws(HostError) {
    let file = try LibraryFile(path: path)
    guard file.size <= limit else {
      throw HostError(
        .fileTooLarge, "it has \(file.size) bytes; expected at most \(limit); reduce its size")
    }
    _ = try LibraryInspection.inspect(file: LibraryFile(borrowing: file.descriptor))
    // A hole takes no space in the file, but memory in the copy.
    let data = tessera_file_data(file.descriptor, file.size)
    guard file.size <= 4 << 20 || data >= file.size / 2 else {
      throw HostError(
        .fileTooLarge,
        "it has \(file.size) bytes, of which only \(data) are not holes; expected a file without "
          + "holes; build it again")
    }
    let copy = try MemoryFile(named: path.split(separator: "/").last.map(String.init) ?? path)
    guard try copy.fill(from: file.descriptor, count: file.size) == file.size, file.isUnchanged
    else { throw HostError(.fileChanged, "it changed while it was read; try again") }
    try copy.seal()
    digest = try SHA256.digest(ofFile: copy.descriptor)
    inspection = try LibraryInspection.inspect(file: LibraryFile(borrowing: copy.descriptor))
    identity = file.identity
    self.path = path
    descriptor = copy.release()
  }

  deinit { close(descriptor) }

  package var isFileUnchanged: Bool { FileIdentity(path: path) == identity }
}

private struct MemoryFile: ~Copyable {
  let descriptor: Int32

  init(named name: String) throws(HostError) {
    descriptor = try Self.check(Int64(tessera_memory_file_create(name))) { Int32($0) }
  }

  deinit { close(descriptor) }

  func fill(from source: Int32, count: UInt64) throws(HostError) -> UInt64 {
    try Self.check(tessera_memory_file_fill(descriptor, source, count)) { UInt64($0) }
  }

  func seal() throws(HostError) {
    try Self.check(Int64(tessera_memory_file_seal(descriptor))) { _ in }
  }

  /// The caller owns the descriptor.
  consuming func release() -> Int32 {
    let taken = descriptor
    discard self
    return taken
  }

  private static func check<Checked>(
    _ result: Int64, _ convert: (Int64) -> Checked
  ) throws(HostError) -> Checked {
    guard result >= 0 else { throw .notCopied(Int32(-result)) }
    return convert(result)
  }
}

extension HostError {
  fileprivate static func notCopied(_ number: Int32) -> HostError {
    let (code, advice): (Code, String) =
      switch number {
      case EFBIG: (.unreadableFile, "; raise the limit on the size of files (ulimit -f)")
      case EMFILE: (.systemLimit, "; raise the limit on open files (ulimit -n)")
      case ENOSYS, EPERM:
        (.unreadableFile, "; this system has no files in memory (memfd_create)")
      default: (.unreadableFile, "")
      }
    return HostError(code, "it cannot be copied into memory: \(systemMessage(number))\(advice)")
  }
}

package func readWholeFile(_ descriptor: Int32, limit: Int) -> [UInt8]? {
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

/// Returns 0 or errno.
package func writeWholeFile(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
  bytes.withUnsafeBytes { buffer in
    var rest = buffer[...]
    while !rest.isEmpty {
      let piece = UnsafeRawBufferPointer(rebasing: rest)
      let count = write(descriptor, piece.baseAddress, piece.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return count < 0 ? errno : ENOSPC }
      rest = rest.dropFirst(count)
    }
    return 0
  }
}

/// Recently read libraries of the process.
extension SealedLibrary {
  private static let capacity = 64
  /// A library in use keeps its own copy.
  private static let byteLimit: UInt64 = 512 << 20
  private static let known = Locked([SealedLibrary](), lock: TESSERA_LOCK_LIBRARIES)

  package static func recent(at path: String) throws(HostError) -> SealedLibrary {
    if let identity = FileIdentity(path: path) {
      let library = known.withLock { known in
        known.first { $0.path == path && $0.identity == identity }
      }
      if let library { return library }
    }
    let library = try SealedLibrary(path: path)
    known.withLock { known in
      known.removeAll { $0.path == path }
      known.append(library)
      while known.count > 1,
        known.count > capacity || known.map(\.identity.size).reduce(0, +) > byteLimit
      {
        known.removeFirst()
      }
    }
    return library
  }
}
