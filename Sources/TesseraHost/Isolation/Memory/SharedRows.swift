/// Rows in memory that host and worker share; both find each column at the same place in it.
final class SharedRows: RowMemory {
  private let memory: SharedMemory
  private let map: SharedMap

  var base: UnsafeMutableRawPointer { memory.base }

  init(memory: SharedMemory, map: SharedMap) {
    self.memory = memory
    self.map = map
  }

  func preparedStore(_ numbering: Numbering) throws(HostError) -> RowStore {
    try store(
      numbering, columns: numbering.columns, adjusted: false, at: map.prepared,
      capacity: map.capacity)
  }

  func answerStore(
    _ numbering: Numbering, columns: BuiltInColumns, capacity: Int
  ) throws(HostError) -> RowStore {
    try store(
      numbering, columns: columns, adjusted: true, at: map.answer,
      capacity: min(capacity, columns == .all ? map.wholeCapacity : map.capacity))
  }

  private func store(
    _ numbering: Numbering, columns: BuiltInColumns, adjusted: Bool, at offset: Int,
    capacity: Int
  ) throws(HostError) -> RowStore {
    var next = offset
    return try RowStore(
      numbering: numbering, columns: columns, adjusted: adjusted, capacity: capacity
    ) { byteCount in
      defer { next = SharedMap.aligned(next + byteCount) }
      return ColumnMemory(
        base: memory.base + next, byteCount: byteCount, owner: memory)
    }
  }
}
