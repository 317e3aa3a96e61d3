import CTesseraSystem

/// Rows between pages that nobody can touch: whoever writes past the end that lies against one
/// crashes at once.
final class GuardedRows: RowMemory {
  /// Which end of the rows lies against a page; the page at the other one is some bytes away.
  enum Side { case start, end }

  /// How many rows lie between two runs.
  static let spacing = 4

  private let side: Side
  private let capacity: Int

  /// - Parameter capacity: The most rows of the store that prepare writes to.
  init(side: Side, capacity: Int) {
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
      guard let block = Block(byteCount: byteCount) else { return nil }
      let slack = side == .end ? (4096 - byteCount % 4096) % 4096 : 0
      return ColumnMemory(
        base: block.base + (byteCount == 0 ? 0 : slack), byteCount: byteCount, owner: block)
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
final class ModestRows: RowMemory {
  private let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  func preparedStore(_ numbering: Numbering) throws(HostError) -> RowStore {
    try RowStore(
      numbering: numbering, columns: numbering.columns, adjusted: false, capacity: capacity)
  }

  func answerStore(
    _ numbering: Numbering, columns: BuiltInColumns, capacity: Int
  ) throws(HostError) -> RowStore {
    try RowStore(numbering: numbering, columns: columns, adjusted: true, capacity: capacity)
  }
}
