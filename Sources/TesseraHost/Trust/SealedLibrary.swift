import CTesseraSystem
import Glibc

/// A library as it was at one moment: what is checked is what is loaded.
///
/// The bytes lie in a memory file that nobody can change any more. Its sum and its inspection are of
/// these very bytes, so writing over the library's file in between gains nothing.
package final class SealedLibrary: Sendable {
  /// The most bytes that a library may have.
  package static let sizeLimit: UInt64 = 512 << 20

  /// The path that it was read from.
  let path: String
  /// The file that it was read from, in the state that it then had.
  let identity: FileIdentity
  /// The sealed copy, closed when this object goes away; to be read at offsets or mapped only.
  package let descriptor: Int32
  /// The sum of the copy.
  package let digest: SHA256Digest
  /// What the copy says about itself.
  let inspection: LibraryInspection

  /// Copies a library and inspects it.
  ///
  /// The sentence of an error speaks of the file as "it". Complexity: O(*n*) in bytes, but what is no
  /// engine library is refused after a few reads.
  ///
  /// - Throws: as `LibraryInspection.inspect(path:)`; `.cannotLoad` also for a file above `limit`,
  ///   one that changed while it was read, or where memory is short.
  package init(path: String, limit: UInt64 = SealedLibrary.sizeLimit) throws(HostError) {
    let file = try LibraryFile(path: path)
    guard file.size <= limit else {
      throw HostError(
        .cannotLoad,
        "it has \(file.size) bytes; expected at most \(limit); link it without what it need not hold"
      )
    }
    _ = try LibraryInspection.inspect(file: LibraryFile(borrowing: file.descriptor))
    let copy = try MemoryFile(named: path.split(separator: "/").last.map(String.init) ?? path)
    guard try copy.fill(from: file.descriptor, count: file.size) == file.size, file.isUnchanged
    else { throw HostError(.cannotLoad, "it changed while it was read; try again") }
    try copy.seal()
    digest = try SHA256.digest(ofFile: copy.descriptor)
    inspection = try LibraryInspection.inspect(file: LibraryFile(borrowing: copy.descriptor))
    identity = file.identity
    self.path = path
    descriptor = copy.release()
  }

  deinit { close(descriptor) }
}

/// A memory file that is closed unless someone takes it over.
private struct MemoryFile: ~Copyable {
  let descriptor: Int32

  init(named name: String) throws(HostError) {
    descriptor = try Self.check(Int64(tessera_memory_file_create(name))) { Int32($0) }
  }

  deinit { close(descriptor) }

  /// How many bytes there were.
  func fill(from source: Int32, count: UInt64) throws(HostError) -> UInt64 {
    try Self.check(tessera_memory_file_fill(descriptor, source, count)) { UInt64($0) }
  }

  func seal() throws(HostError) {
    try Self.check(Int64(tessera_memory_file_seal(descriptor))) { _ in }
  }

  /// The descriptor, which is now the caller's.
  consuming func release() -> Int32 {
    let taken = descriptor
    discard self
    return taken
  }

  private static func check<Answer>(
    _ result: Int64, _ answer: (Int64) -> Answer
  ) throws(HostError) -> Answer {
    guard result >= 0 else {
      throw HostError(
        .cannotLoad, "it cannot be copied into memory: \(systemMessage(Int32(-result)))")
    }
    return answer(result)
  }
}
