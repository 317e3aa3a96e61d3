import TesseraCatalog
import TesseraRuntime

/// Rows in memory that host and worker share; both find each column at the same place in it.
package final class SharedRows: RowMemory {
  private let memory: SharedMemory
  private let map: SharedMap

  package var base: UnsafeMutableRawPointer { memory.base }

  package init(memory: SharedMemory, map: SharedMap) {
    self.memory = memory
    self.map = map
  }

  package func preparedStore(_ numbering: Numbering) throws(HostError) -> RowStore {
    try store(
      numbering, columns: numbering.columns, adjusted: false, at: map.prepared,
      capacity: map.capacity)
  }

  package func answerStore(
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

/// A run as it crosses from one process to the other: five words.
package struct SharedRun {
  package static let stride = 40

  /// Writes runs one after the other.
  package static func write(_ runs: ContiguousArray<Run>, to memory: UnsafeMutableRawPointer) {
    var place = memory
    for run in runs {
      place.storeBytes(of: run.category.rawValue, as: Int32.self)
      place.storeBytes(of: run.kind, toByteOffset: 4, as: UInt32.self)
      place.storeBytes(of: UInt64(run.section), toByteOffset: 8, as: UInt64.self)
      place.storeBytes(of: run.firstItem, toByteOffset: 16, as: UInt64.self)
      place.storeBytes(of: UInt64(run.count), toByteOffset: 24, as: UInt64.self)
      place.storeBytes(of: UInt64(run.row), toByteOffset: 32, as: UInt64.self)
      place += stride
    }
  }

  /// Reads runs that another process wrote, and may change meanwhile: each word once, and nothing of
  /// it believed.
  ///
  /// - Parameters:
  ///   - capacity: The most rows that they may take together.
  ///   - itemCounts: How many items each section has; nil where cells may be of any item, as those
  ///     that disappear are.
  /// - Throws: `.brokenContract` with the first that cannot be.
  package static func read(
    _ count: Int, from memory: UnsafeRawPointer, capacity: Int, kinds: [KindDescription],
    itemCounts: [Int]?
  ) throws(HostError) -> ContiguousArray<Run> {
    guard count >= 0, count <= capacity else { throw impossible("\(count) runs") }
    var runs = ContiguousArray<Run>()
    // Memory is taken as runs turn out to be there, not as they are announced.
    runs.reserveCapacity(min(count, 4096))
    var rows = 0
    for number in 0..<count {
      let place = memory + number * stride
      let rawCategory = place.load(as: Int32.self)
      let kind = place.load(fromByteOffset: 4, as: UInt32.self)
      let section = place.load(fromByteOffset: 8, as: UInt64.self)
      let firstItem = place.load(fromByteOffset: 16, as: UInt64.self)
      let length = place.load(fromByteOffset: 24, as: UInt64.self)
      let row = place.load(fromByteOffset: 32, as: UInt64.self)
      guard let category = ElementCategory(rawValue: rawCategory) else {
        throw impossible("a run of category \(rawCategory)")
      }
      let isKnown =
        category == .cell
        ? kind == 0 : Int(kind) < kinds.count && kinds[Int(kind)].category == category
      guard isKnown else { throw impossible("a run of kind \(kind)") }
      guard section < UInt64(UInt32.max), section < UInt64(itemCounts?.count ?? .max) else {
        throw impossible("a run of section \(section)")
      }
      guard row == UInt64(rows), length > 0, length <= UInt64(capacity - rows) else {
        throw impossible("a run of \(length) rows at \(row)")
      }
      let (end, overflows) = firstItem.addingReportingOverflow(length)
      var last = UInt64(Int64.max)
      if category == .cell, let itemCounts { last = UInt64(itemCounts[Int(section)]) }
      guard !overflows, end <= last else {
        throw impossible("items \(firstItem) and \(length) more of section \(section)")
      }
      runs.append(
        Run(
          category: category, kind: kind, section: UInt32(section), firstItem: firstItem,
          count: Int(length), row: rows))
      rows += Int(length)
    }
    return runs
  }

  private static func impossible(_ found: String) -> HostError {
    HostError(
      .brokenContract, "its process answered with \(found), which cannot be; it is not used")
  }
}

/// What a worker's engines are given: memory that the worker can only read.
///
/// Pieces are taken from the front, first fit; what is given back is used again.
package final class SharedInput: InputMemory {
  /// The most that a layout may be given, in bytes.
  package static let capacity = 32 << 30

  package let memory: SharedMemory
  /// Free pieces by their offset, neighbours joined.
  private var free: [(offset: Int, byteCount: Int)] = [(0, capacity)]

  package init() throws(HostError) {
    memory = try SharedMemory(
      named: "tessera-input", byteCount: Self.capacity, isReadOnly: true)
  }

  package func allocate(byteCount: Int) throws(HostError) -> UnsafeMutableRawPointer {
    let wanted = Self.rounded(byteCount)
    guard let place = free.firstIndex(where: { $0.byteCount >= wanted }) else {
      throw HostError(
        .invalidInput,
        "there is no room for \(byteCount) bytes of values beside those that are given already; "
          + "a layout takes at most \(Self.capacity) bytes")
    }
    let offset = free[place].offset
    if free[place].byteCount == wanted {
      free.remove(at: place)
    } else {
      free[place].offset += wanted
      free[place].byteCount -= wanted
    }
    return memory.base + offset
  }

  package func deallocate(_ pointer: UnsafeMutableRawPointer, byteCount: Int) {
    var piece = (offset: pointer - memory.base, byteCount: Self.rounded(byteCount))
    var place = free.firstIndex { $0.offset > piece.offset } ?? free.count
    if place < free.count, piece.offset + piece.byteCount == free[place].offset {
      piece.byteCount += free.remove(at: place).byteCount
    }
    if place > 0, free[place - 1].offset + free[place - 1].byteCount == piece.offset {
      place -= 1
      piece = (free[place].offset, free[place].byteCount + piece.byteCount)
      free.remove(at: place)
    }
    free.insert(piece, at: place)
  }

  /// Where a piece lies, for the worker.
  package func offset(of pointer: UnsafeRawPointer) -> Int {
    pointer - UnsafeRawPointer(memory.base)
  }

  private static func rounded(_ byteCount: Int) -> Int { max(64, (byteCount + 63) & ~63) }
}
