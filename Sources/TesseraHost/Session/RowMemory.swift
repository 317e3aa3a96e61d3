/// Where the rows of a session's engines lie.
protocol RowMemory: AnyObject {
  /// The store that prepare writes to; asked for once.
  func preparedStore(_ numbering: Numbering) throws(HostError) -> RowStore
  /// An empty store for answers of at most so many rows, which takes the place of the one before.
  func answerStore(
    _ numbering: Numbering, columns: BuiltInColumns, capacity: Int
  ) throws(HostError) -> RowStore
}

/// Memory of this process, for engines that run in it.
final class ProcessRows: RowMemory {
  /// Rows that a prepare may write.
  static let preparedCapacity = 1 << 26

  private let capacity: Int
  private let spacing: Int
  private let obtain: (Int) -> ColumnMemory?

  /// - Parameters:
  ///   - capacity: The most rows of the store that prepare writes to.
  ///   - spacing: How many rows lie between two runs.
  ///   - obtain: Gives memory of a size for one column.
  init(
    capacity: Int = ProcessRows.preparedCapacity, spacing: Int = 0,
    obtain: @escaping (Int) -> ColumnMemory? = ColumnMemory.obtain
  ) {
    self.capacity = capacity
    self.spacing = spacing
    self.obtain = obtain
  }

  func preparedStore(_ numbering: Numbering) throws(HostError) -> RowStore {
    try RowStore(
      numbering: numbering, columns: numbering.columns, adjusted: false, capacity: capacity,
      spacing: spacing, obtain: obtain)
  }

  func answerStore(
    _ numbering: Numbering, columns: BuiltInColumns, capacity: Int
  ) throws(HostError) -> RowStore {
    try RowStore(
      numbering: numbering, columns: columns, adjusted: true, capacity: capacity,
      spacing: spacing, obtain: obtain)
  }
}
