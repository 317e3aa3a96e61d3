import CTesseraSystem

extension ProcessRows {
  /// Rows with a page at one end that nobody can touch: whoever writes past that end crashes at once.
  ///
  /// At the other end there is some space, and between runs there are some rows.
  static func guarded(at side: Examination.Side, capacity: Int) -> ProcessRows {
    ProcessRows(capacity: capacity, spacing: guardedSpacing) { byteCount in
      let slack = 4096 - byteCount % 4096
      guard let block = GuardedBlock(byteCount: byteCount + slack) else { return nil }
      return ColumnMemory(
        base: block.base + (side == .end ? slack : 0), byteCount: byteCount, owner: block)
    }
  }

  /// How many rows lie between two runs of guarded rows.
  static let guardedSpacing = 4

  /// Rows for layouts that come and go, of no more address space than a sandbox has.
  ///
  /// A write beside them does no harm: it has examinations of its own.
  static func modest(capacity: Int) -> ProcessRows {
    let space = 4096
    return ProcessRows(capacity: capacity) { byteCount in
      guard let whole = ColumnMemory.obtain(byteCount: byteCount + 2 * space) else { return nil }
      return ColumnMemory(base: whole.base + space, byteCount: byteCount, owner: whole)
    }
  }
}

/// Memory between two pages that nobody can touch.
private final class GuardedBlock {
  let base: UnsafeMutableRawPointer
  private let byteCount: Int

  init?(byteCount: Int) {
    guard let base = tessera_guarded_create(UInt64(byteCount)) else { return nil }
    self.base = base
    self.byteCount = byteCount
  }

  deinit { tessera_guarded_destroy(base, UInt64(byteCount)) }
}
