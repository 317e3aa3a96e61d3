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
  /// From its note.
  package let abi: ABIVersion

  /// Throws `.cannotLoad` for more than `limit` bytes, many holes, a change, or lack of memory.
  package init(path: String, limit: UInt64 = SealedLibrary.sizeLimit) throws(HostError) {
    let file = try LibraryFile(path: path)
    guard file.size <= limit else {
      throw HostError(
        .fileTooLarge, "it has \(file.size) bytes; expected at most \(limit); reduce its size")
    }
    _ = try ABIVersion(ofLibrary: LibraryFile(borrowing: file.descriptor))
    // A hole takes no space in the file, but memory in the copy.
    let data = tessera_file_data(file.descriptor, file.size)
    guard file.size <= 4 << 20 || data >= file.size / 2 else {
      throw HostError(
        .fileTooLarge,
        "it has \(file.size) bytes, of which only \(data) are not holes; expected a file without "
          + "holes; build it again")
    }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let copy = Int32(try Self.succeeded(Int64(tessera_memory_file_create(name))))
    do throws(HostError) {
      let filled = try Self.succeeded(tessera_memory_file_fill(copy, file.descriptor, file.size))
      guard filled == file.size, file.isUnchanged else {
        throw HostError(.fileChanged, "it changed while it was read; try again")
      }
      _ = try Self.succeeded(Int64(tessera_memory_file_seal(copy)))
      digest = try SHA256Digest(ofDescriptor: copy)
      abi = try ABIVersion(ofLibrary: LibraryFile(borrowing: copy))
    } catch {
      close(copy)
      throw error
    }
    (self.path, identity, descriptor) = (path, file.identity, copy)
  }

  /// Throws for a negative result.
  private static func succeeded(_ result: Int64) throws(HostError) -> UInt64 {
    guard result >= 0 else { throw .notCopied(errno) }
    return UInt64(result)
  }

  deinit { close(descriptor) }

  package var isFileUnchanged: Bool { FileIdentity(path: path) == identity }
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
