import Glibc
import Synchronization

/// Address space for one column: reserved whole, so that it never moves, and paid for as it is
/// touched.
final class ColumnMemory: @unchecked Sendable {
  let base: UnsafeMutableRawPointer
  let byteCount: Int
  /// Whose memory this is a part of; nil where it is its own.
  private let owner: AnyObject?

  /// A part of memory that lives as long as its owner.
  init(base: UnsafeMutableRawPointer, byteCount: Int, owner: AnyObject?) {
    self.base = base
    self.byteCount = byteCount
    self.owner = owner
  }

  deinit { if owner == nil { munmap(base, byteCount) } }

  /// Memory of a size: touched pages of a closed session where there are any, since fresh pages
  /// cost ten times the layout that is written to them.
  ///
  /// Nil where the system has no address space left.
  static func obtain(byteCount: Int) -> ColumnMemory? {
    let pooled = pool.withLock { pool in
      pool.lastIndex { $0.byteCount == byteCount }.map { pool.remove(at: $0) }
    }
    if let pooled { return pooled }
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
    guard let base = mmap(nil, byteCount, PROT_READ | PROT_WRITE, flags, -1, 0),
      base != MAP_FAILED
    else { return nil }
    return ColumnMemory(base: base, byteCount: byteCount, owner: nil)
  }

  /// Gives the memory to the next session that asks for its size.
  ///
  /// - Parameter used: The bytes from the start that were ever touched; what lies past
  ///   `retainedBytes` goes back to the system.
  func recycle(used: Int) {
    guard owner == nil else { return }
    if used > Self.retainedBytes {
      madvise(base + Self.retainedBytes, used - Self.retainedBytes, MADV_DONTNEED)
    }
    let surplus = Self.pool.withLock { pool in
      pool.append(self)
      return pool.count > Self.pooledColumns ? pool.removeFirst() : nil
    }
    _ = consume surplus
  }

  private static let retainedBytes = 64 << 20
  private static let pooledColumns = 8
  private static let pool = Mutex<[ColumnMemory]>([])
}
