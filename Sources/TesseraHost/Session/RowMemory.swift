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

  func preparedStore(_ numbering: Numbering) throws(HostError) -> RowStore {
    try RowStore(
      numbering: numbering, columns: numbering.columns, adjusted: false,
      capacity: Self.preparedCapacity)
  }

  func answerStore(
    _ numbering: Numbering, columns: BuiltInColumns, capacity: Int
  ) throws(HostError) -> RowStore {
    try RowStore(numbering: numbering, columns: columns, adjusted: true, capacity: capacity)
  }
}
