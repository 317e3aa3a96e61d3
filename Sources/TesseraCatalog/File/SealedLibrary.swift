import CTesseraSystem
import Glibc
import Synchronization

/// A library as it was at one moment: what is checked is what is loaded.
///
/// The bytes lie in a memory file that nobody can change any more. Its sum and its inspection are of
/// these very bytes, so writing over the library's file in between gains nothing.
package final class SealedLibrary: Sendable {
  /// The most bytes that a library may have.
  package static let sizeLimit: UInt64 = 512 << 20

  /// The path that it was read from.
  package let path: String
  /// The file that it was read from, in the state that it then had.
  package let identity: FileIdentity
  /// The sealed copy, closed when this object goes away; to be read at offsets or mapped only.
  package let descriptor: Int32
  /// The sum of the copy.
  package let digest: SHA256Digest
  /// What the copy says about itself.
  package let inspection: LibraryInspection

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
  package let descriptor: Int32

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

/// Sealed copies of libraries that were read lately, for all hosts of the process.
package enum LibraryStore {
  private static let kept = 64
  private static let known = Mutex<[SealedLibrary]>([])

  /// The library at a path as it is now.
  ///
  /// - Throws: As `SealedLibrary.init`.
  package static func library(at path: String) throws(HostError) -> SealedLibrary {
    if let identity = identity(of: path) {
      let library = known.withLock { known in
        known.first { $0.path == path && $0.identity == identity }
      }
      if let library { return library }
    }
    let library = try SealedLibrary(path: path)
    known.withLock { known in
      known.removeAll { $0.path == path }
      known.append(library)
      if known.count > kept { known.removeFirst() }
    }
    return library
  }

  /// Which file lies at a path; nil where there is none.
  package static func identity(of path: String) -> FileIdentity? {
    var status = stat()
    return stat(path, &status) == 0 ? FileIdentity(status) : nil
  }
}

/// Notices that the files of libraries are replaced.
package struct LibraryWatch {
  private var files: [(path: String, identity: FileIdentity)]
  private var lastLook: Int64 = 0

  /// How long nobody looks again, in nanoseconds, where a question goes into no engine.
  private static let rest: Int64 = 50_000_000

  package init(_ libraries: [SealedLibrary]) {
    files = libraries.map { ($0.path, $0.identity) }
  }

  /// Whether a file is another one than it was when this was last true.
  ///
  /// One that is gone is no other one: whoever replaces it may not be done.
  ///
  /// - Parameter isDue: Whether to look in any case; else only where it has not for a while.
  package mutating func notices(isDue: Bool) -> Bool {
    let now = Self.now
    guard isDue || now - lastLook >= Self.rest else { return false }
    lastLook = now
    var isReplaced = false
    for (place, file) in files.enumerated() {
      guard let identity = LibraryStore.identity(of: file.path), identity != file.identity else {
        continue
      }
      files[place].identity = identity
      isReplaced = true
    }
    return isReplaced
  }

  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
