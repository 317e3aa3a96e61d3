import CTesseraSystem
import Glibc

/// An immutable copy of a library, so that the bytes that were checked are the bytes that are
/// loaded.
///
/// The copy is a sealed memory file. Its digest and its inspection apply to these bytes, so
/// overwriting the library's file afterwards has no effect.
package final class SealedLibrary: Sendable {
  /// The maximum size of a library, in bytes.
  package static let sizeLimit: UInt64 = 256 << 20

  package let path: String
  /// The file from which it was read, and its state at that time.
  package let identity: FileIdentity
  /// The sealed copy, closed when this object is deallocated; read it at offsets or map it; do not
  /// use its file position.
  package let descriptor: Int32
  package let digest: SHA256Digest
  /// What the copy states about itself.
  package let inspection: LibraryInspection

  /// Copies a library and inspects it.
  ///
  /// Error messages refer to the file as "it".
  ///
  /// - Throws: As `LibraryInspection.inspect(path:)`; also `.cannotLoad` if the file has more than
  ///   `limit` bytes, if most of it is holes, if it changes while it is read, or if there is not enough memory.
  /// - Complexity: O(*n*) in bytes. A file that is not an engine library is refused after a few
  ///   reads.
  package init(path: String, limit: UInt64 = SealedLibrary.sizeLimit) throws(HostError) {
    let file = try LibraryFile(path: path)
    guard file.size <= limit else {
      throw HostError(
        .fileTooLarge, "it has \(file.size) bytes; expected at most \(limit); reduce its size")
    }
    _ = try LibraryInspection.inspect(file: LibraryFile(borrowing: file.descriptor))
    // The copy of a hole would take memory, although the file takes no space.
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

/// A memory file, closed when this object is deallocated unless `release()` is called.
private struct MemoryFile: ~Copyable {
  let descriptor: Int32

  init(named name: String) throws(HostError) {
    descriptor = try Self.check(Int64(tessera_memory_file_create(name))) { Int32($0) }
  }

  deinit { close(descriptor) }

  /// Copies up to `count` bytes of a file, and returns how many there were.
  func fill(from source: Int32, count: UInt64) throws(HostError) -> UInt64 {
    try Self.check(tessera_memory_file_fill(descriptor, source, count)) { UInt64($0) }
  }

  func seal() throws(HostError) {
    try Self.check(Int64(tessera_memory_file_seal(descriptor))) { _ in }
  }

  /// Transfers the ownership of the descriptor to the caller.
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

/// Reads an open file, or returns nil if that fails or the file has more than `limit` bytes.
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

/// Writes all bytes; returns 0 or an error number.
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

/// The sealed copies of recently read libraries, shared by all hosts of the process.
extension SealedLibrary {
  private static let capacity = 64
  /// The most bytes that are kept in all; a library in use keeps its own copy.
  private static let byteLimit: UInt64 = 512 << 20
  private static let known = Locked([SealedLibrary](), lock: TESSERA_LOCK_LIBRARIES)

  /// The library that is now at a path; throws as `SealedLibrary.init`.
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
