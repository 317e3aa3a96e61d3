import CTesseraSystem
import Glibc

/// A file in memory that this process has mapped, shared with another one.
///
/// Its size never changes: it is sparse, and pages cost when they are touched.
final class SharedMemory: @unchecked Sendable {
  let base: UnsafeMutableRawPointer
  let byteCount: Int
  /// The file, for the other process to map; -1 where this is the other process.
  let descriptor: Int32

  /// Makes a file and maps it.
  ///
  /// - Parameter isReadOnly: Whether nobody else may ever write to it.
  /// - Throws: `.refused` where the system gives none.
  init(named name: String, byteCount: Int, isReadOnly: Bool) throws(HostError) {
    let descriptor = tessera_memory_create(name, UInt64(byteCount))
    guard descriptor >= 0 else { throw Self.refused(byteCount) }
    // This mapping comes first: once the file is fixed, none can be made that writes.
    guard let base = tessera_memory_map(descriptor, UInt64(byteCount), 1),
      tessera_memory_fix(descriptor, isReadOnly ? 1 : 0) == 0
    else {
      let error = Self.refused(byteCount)
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    self.base = base
    self.byteCount = byteCount
  }

  /// Maps the file of another process, and closes it.
  ///
  /// - Throws: `.refused` where the system does not map it.
  init(adopting descriptor: Int32, isReadOnly: Bool) throws(HostError) {
    var status = stat()
    fstat(descriptor, &status)
    byteCount = Int(status.st_size)
    guard let base = tessera_memory_map(descriptor, UInt64(byteCount), isReadOnly ? 0 : 1) else {
      throw Self.refused(byteCount)
    }
    self.base = base
    self.descriptor = -1
    close(descriptor)
  }

  deinit {
    munmap(base, byteCount)
    if descriptor >= 0 { close(descriptor) }
  }

  /// How many bytes were ever touched, by either process.
  var touchedBytes: UInt64 { tessera_memory_touched(descriptor) }

  private static func refused(_ byteCount: Int) -> HostError {
    HostError(
      .refused,
      "the system gives no \(byteCount) bytes of address space to share with a worker: "
        + "\(systemMessage(errno)); raise its limit on address space")
  }
}
