import Glibc

/// Which file something is, whatever its name, and which state of it.
struct FileIdentity: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64
  /// Bytes.
  let size: UInt64
  /// When it was last written, in nanoseconds since 1970.
  let modified: Int64

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = UInt64(max(0, status.st_size))
    modified =
      Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
  }
}
