import Glibc

/// An open file, read in pieces where it is needed: a library can be hundreds of megabytes, and one
/// that is mapped would end the process when someone cuts it short.
package struct LibraryFile: ~Copyable {
  package let size: UInt64
  /// Which file it was, and in which state, when it was opened.
  package let identity: FileIdentity
  package let descriptor: Int32
  private let isOwner: Bool

  /// Opens a regular file.
  ///
  /// - Throws: `.notFound` where nothing lies there, `.cannotLoad` for what is no readable file.
  package init(path: String) throws(HostError) {
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
  package init(borrowing descriptor: Int32) throws(HostError) {
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
  package var isUnchanged: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && FileIdentity(status) == identity
  }

  /// Whether so many bytes lie at an offset.
  package func contains(offset: UInt64, count: UInt64) -> Bool {
    offset <= size && count <= size - offset
  }

  /// Copies bytes out of the file.
  ///
  /// - Throws: `.cannotLoad` where the file does not reach so far, or the system cannot read it.
  package func bytes(at offset: UInt64, count: Int) throws(HostError) -> [UInt8] {
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

/// Which file something is, whatever its name, and which state of it.
package struct FileIdentity: Hashable, Sendable {
  package let device: UInt64
  package let inode: UInt64
  /// Bytes.
  package let size: UInt64
  /// When it was last written, in nanoseconds since 1970.
  package let modified: Int64
  /// When it was last changed in any way, in nanoseconds since 1970; unlike the time of writing,
  /// nobody can set it back.
  package let changed: Int64


  package init(device: UInt64, inode: UInt64, size: UInt64, modified: Int64, changed: Int64) {
    self.device = device
    self.inode = inode
    self.size = size
    self.modified = modified
    self.changed = changed
  }}

extension FileIdentity {
  package init(_ status: stat) {
    self.init(
      device: UInt64(status.st_dev), inode: UInt64(status.st_ino),
      size: UInt64(max(0, status.st_size)), modified: Self.nanoseconds(status.st_mtim),
      changed: Self.nanoseconds(status.st_ctim))
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

/// What lies at a path.
package enum FileKind: Equatable {
  case regular, folder, other

  package init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .regular
    case S_IFDIR: self = .folder
    default: self = .other
    }
  }

  /// Why it is no library, in one sentence.
  package var refusal: String {
    switch self {
    case .regular: "it is a file"
    case .folder: "it is a folder; expected a library file"
    case .other: "it is a pipe, a socket or a device; expected a library file"
    }
  }
}

/// The system's words for an error number.
package func systemMessage(_ number: Int32) -> String {
  String(cString: strerror(number))
}

extension ByteWriter {
  package mutating func put(_ identity: FileIdentity) {
    put(identity.device)
    put(identity.inode)
    put(identity.size)
    put(identity.modified)
    put(identity.changed)
  }
}

extension ByteReader {
  package mutating func fileIdentity() throws(HostError) -> FileIdentity {
    FileIdentity(
      device: try uint64(), inode: try uint64(), size: try uint64(), modified: try int64(),
      changed: try int64())
  }
}
