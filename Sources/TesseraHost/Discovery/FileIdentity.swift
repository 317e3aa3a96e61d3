import Glibc

/// Which file something is, whatever its name, and which state of it.
struct FileIdentity: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64
  /// Bytes.
  let size: UInt64
  /// When it was last written, in nanoseconds since 1970.
  let modified: Int64
  /// When it was last changed in any way, in nanoseconds since 1970; unlike the time of writing,
  /// nobody can set it back.
  let changed: Int64
}

extension FileIdentity {
  init(_ status: stat) {
    self.init(
      device: UInt64(status.st_dev), inode: UInt64(status.st_ino),
      size: UInt64(max(0, status.st_size)), modified: Self.nanoseconds(status.st_mtim),
      changed: Self.nanoseconds(status.st_ctim))
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
