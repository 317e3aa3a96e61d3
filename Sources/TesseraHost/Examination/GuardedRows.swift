import CTesseraSystem

/// Rows with a page at one end that nobody can touch: whoever writes past that end crashes at once.
///
/// At the other one there is some space.
final class GuardedRows: RowMemory {
  /// How many rows lie between two runs.
  static let spacing = 4

  private let side: Examination.Side
  private let capacity: Int

  /// - Parameter capacity: The most rows of the store that prepare writes to.
  init(side: Examination.Side, capacity: Int) {
    self.side = side
    self.capacity = capacity
  }

  func preparedStore(_ numbering: Numbering) throws(HostError) -> RowStore {
    try store(numbering, numbering.columns, adjusted: false, capacity)
  }

  func answerStore(
    _ numbering: Numbering, columns: BuiltInColumns, capacity: Int
  ) throws(HostError) -> RowStore {
    try store(numbering, columns, adjusted: true, capacity)
  }

  private func store(
    _ numbering: Numbering, _ columns: BuiltInColumns, adjusted: Bool, _ capacity: Int
  ) throws(HostError) -> RowStore {
    try RowStore(
      numbering: numbering, columns: columns, adjusted: adjusted, capacity: capacity,
      spacing: Self.spacing
    ) { byteCount in
      let slack = 4096 - byteCount % 4096
      guard let block = Block(byteCount: byteCount + slack) else { return nil }
      return ColumnMemory(
        base: block.base + (side == .end ? slack : 0), byteCount: byteCount, owner: block)
    }
  }

  private final class Block {
    let base: UnsafeMutableRawPointer
    private let byteCount: Int

    init?(byteCount: Int) {
      guard let base = tessera_guarded_create(UInt64(byteCount)) else { return nil }
      self.base = base
      self.byteCount = byteCount
    }

    deinit { tessera_guarded_destroy(base, UInt64(byteCount)) }
  }
}

/// Rows of this process for layouts that come and go, of no more address space than a sandbox has.
///
/// A write beside them does no harm: it has examinations of its own.
final class ModestRows: RowMemory {
  private let capacity: Int
  private static let space = 4096

  init(capacity: Int) { self.capacity = capacity }

  func preparedStore(_ numbering: Numbering) throws(HostError) -> RowStore {
    try store(numbering, numbering.columns, adjusted: false, capacity)
  }

  func answerStore(
    _ numbering: Numbering, columns: BuiltInColumns, capacity: Int
  ) throws(HostError) -> RowStore {
    try store(numbering, columns, adjusted: true, capacity)
  }

  private func store(
    _ numbering: Numbering, _ columns: BuiltInColumns, adjusted: Bool, _ capacity: Int
  ) throws(HostError) -> RowStore {
    try RowStore(
      numbering: numbering, columns: columns, adjusted: adjusted, capacity: capacity
    ) { byteCount in
      guard let whole = ColumnMemory.obtain(byteCount: byteCount + 2 * Self.space) else {
        return nil
      }
      return ColumnMemory(base: whole.base + Self.space, byteCount: byteCount, owner: whole)
    }
  }
}
