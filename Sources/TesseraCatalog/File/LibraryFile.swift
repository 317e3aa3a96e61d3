import Glibc

/// Read in pieces: it may have hundreds of megabytes, and a mapping would crash if truncated.
package struct LibraryFile: ~Copyable {
  package let size: UInt64
  package let identity: FileIdentity
  package let descriptor: Int32
  private let isOwner: Bool

  package init(path: String) throws(HostError) {
    // O_NONBLOCK: opening a pipe must not wait for its writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      let number = errno
      let isMissing = number == ENOENT || number == ENOTDIR
      throw isMissing
        ? HostError(.fileNotFound, "there is no such file; give the path of a library")
        : .unreadable("opened", number)
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, FileKind(status) == .regular else {
      close(descriptor)
      throw FileKind(status).refusal
    }
    self.init(descriptor, status, isOwner: true)
  }

  /// The caller closes the descriptor later.
  package init(borrowing descriptor: Int32) throws(HostError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, FileKind(status) == .regular else {
      throw FileKind(status).refusal
    }
    self.init(descriptor, status, isOwner: false)
  }

  private init(_ descriptor: Int32, _ status: stat, isOwner: Bool) {
    (self.descriptor, self.isOwner) = (descriptor, isOwner)
    identity = FileIdentity(status)
    size = identity.size
  }

  deinit { if isOwner { close(descriptor) } }

  package var isUnchanged: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && FileIdentity(status) == identity
  }

  package func contains(offset: UInt64, count: UInt64) -> Bool {
    offset <= size && count <= size - offset
  }

  package func bytes(at offset: UInt64, count: Int) throws(HostError) -> [UInt8] {
    guard contains(offset: offset, count: UInt64(count)) else {
      throw HostError(
        .damagedLibrary,
        "it is truncated: expected \(count) bytes at offset \(offset), and it has \(size); copy or "
          + "build it again")
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
      throw failure == 0
        ? HostError(
          .fileChanged, "it was truncated while it was read; try again when it is complete")
        : .unreadable("read", failure)
    }
    return bytes
  }
}

package struct FileIdentity: Hashable, Sendable {
  package let device: UInt64
  package let inode: UInt64
  /// Bytes.
  package let size: UInt64
  /// Contents, in ns since 1970.
  package let modified: Int64
  /// Anything, in ns since 1970; can't be set back, unlike `modified`.
  package let changed: Int64
}

extension FileIdentity {
  package init(_ status: stat) {
    self.init(
      device: UInt64(status.st_dev), inode: UInt64(status.st_ino),
      size: UInt64(max(0, status.st_size)), modified: Self.nanoseconds(status.st_mtim),
      changed: Self.nanoseconds(status.st_ctim))
  }

  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

package enum FileKind: Equatable {
  case regular, folder, symlink, other

  package init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .regular
    case S_IFDIR: self = .folder
    case S_IFLNK: self = .symlink
    default: self = .other
    }
  }

  package var refusal: HostError {
    let found =
      switch self {
      case .regular: "a file"
      case .folder: "a folder"
      case .symlink: "a symlink"
      case .other: "a pipe, a socket or a device"
      }
    return HostError(.notALibrary, "it is \(found); expected a library file")
  }
}

package func systemMessage(_ number: Int32) -> String { String(cString: strerror(number)) }

extension FileIdentity: FieldCodable {
  package static let fields = Fields(
    FileIdentity.init(device:inode:size:modified:changed:), \.device, \.inode, \.size, \.modified,
    \.changed)
}
