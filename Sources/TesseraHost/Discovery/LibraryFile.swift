import Glibc

/// An open file, read in pieces where it is needed: a library can be hundreds of megabytes, and one
/// that is mapped would end the process when someone cuts it short.
struct LibraryFile: ~Copyable {
  let size: UInt64
  /// Which file it was, and in which state, when it was opened.
  let identity: FileIdentity
  let descriptor: Int32
  private let isOwner: Bool

  /// Opens a regular file.
  ///
  /// - Throws: `.notFound` where nothing lies there, `.cannotLoad` for what is no readable file.
  init(path: String) throws(HostError) {
    // Not to wait for the writer of a pipe.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      let number = errno
      let isMissing = number == ENOENT || number == ENOTDIR
      throw HostError(
        isMissing ? .notFound : .cannotLoad,
        isMissing
          ? "there is no such file; give the path of a library"
          : "it cannot be opened: \(systemMessage(number))")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, FileKind(status) == .regular else {
      close(descriptor)
      throw HostError(.cannotLoad, FileKind(status).refusal)
    }
    self.init(descriptor, status, isOwner: true)
  }

  /// A file that someone else has opened and closes again, after this object is gone.
  ///
  /// - Throws: `.cannotLoad` for what is no file.
  init(borrowing descriptor: Int32) throws(HostError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, FileKind(status) == .regular else {
      throw HostError(.cannotLoad, FileKind(status).refusal)
    }
    self.init(descriptor, status, isOwner: false)
  }

  private init(_ descriptor: Int32, _ status: stat, isOwner: Bool) {
    self.descriptor = descriptor
    self.isOwner = isOwner
    identity = FileIdentity(status)
    size = identity.size
  }

  deinit { if isOwner { close(descriptor) } }

  /// Whether the file is still in the state in which it was opened.
  var isUnchanged: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && FileIdentity(status) == identity
  }

  /// Whether so many bytes lie at an offset.
  func contains(offset: UInt64, count: UInt64) -> Bool {
    offset <= size && count <= size - offset
  }

  /// Copies bytes out of the file.
  ///
  /// - Throws: `.cannotLoad` where the file does not reach so far, or the system cannot read it.
  func bytes(at offset: UInt64, count: Int) throws(HostError) -> [UInt8] {
    guard contains(offset: offset, count: UInt64(count)) else {
      throw HostError(
        .cannotLoad,
        "it is cut short: \(count) bytes at \(offset) are wanted and it has \(size); "
          + "copy or build it again")
    }
    var failure: Int32 = 0
    var filled = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      while filled < count {
        let rest = UnsafeMutableBufferPointer(rebasing: buffer[filled...])
        let got = pread(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(filled))
        if got < 0 && errno == EINTR { continue }
        if got < 0 { failure = errno }
        guard got > 0 else { break }
        filled += got
      }
      initialized = filled
    }
    guard filled == count else {
      throw HostError(
        .cannotLoad,
        failure == 0
          ? "it became shorter while it was read; try again when it is complete"
          : "it cannot be read: \(systemMessage(failure))")
    }
    return bytes
  }
}
