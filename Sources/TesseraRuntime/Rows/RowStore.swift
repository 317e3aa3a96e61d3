import CTessera
import CTesseraSystem
import Glibc
import TesseraCatalog
import TesseraGeometry

/// The columns that engines write, and the runs that identify the elements of the rows.
package final class RowStore {
  /// A built-in column or that of an attribute.
  private struct Column {
    /// Nil if the column does not exist in this store.
    var memory: ColumnMemory?
    let stride: Int
    let initial: [UInt8]?

    func pointer<Item>(_: Item.Type) -> UnsafeMutablePointer<Item>? {
      memory?.base.bindMemory(to: Item.self, capacity: 1)
    }
  }

  /// The number of rows that the columns have space for.
  package let capacity: Int
  /// The built-in columns that exist besides the frame.
  package let columns: BuiltInColumns
  /// Whether the attributes exist that are written only in adjust.
  package let hasAdjusted: Bool
  /// The row after those that are used: after the last run, or after the rows that are kept.
  package private(set) var rowCount = 0
  /// The number of rows that earlier layouts of a batch keep, whose runs are no longer here.
  private(set) var keptRows = 0
  package private(set) var runs: ContiguousArray<Run> = []
  /// Whether rows were refused since the last `clear` or `restart`.
  private(set) var wasFull = false
  /// How many of so many rows that could be kept are; nil for all, except in examinations.
  package var keeps: ((Int) -> Int)?
  /// The runs before the last `restart`, whose rows still hold their values.
  private var earlierRuns: ContiguousArray<Run> = []

  /// Frames, transforms, alphas, z indexes and hidden values, then the attributes of the chain.
  private var all: [Column]
  private static let builtInCount = 5
  /// The largest number of rows so far: the part of the memory that was touched.
  private var touched = 0

  package private(set) var frames: UnsafeMutablePointer<Rect>
  package private(set) var transforms: UnsafeMutablePointer<Transform>?
  package private(set) var alphas: UnsafeMutablePointer<Double>?
  package private(set) var zIndexes: UnsafeMutablePointer<Int32>?
  package private(set) var hidden: UnsafeMutablePointer<UInt8>?

  package static let mostRows = 1 << 30

  /// Creates a store for some built-in columns and the attributes of a chain.
  ///
  /// - Parameters:
  ///   - adjusted: Whether the store has the columns that are written only in adjust.
  ///   - limit: The most rows that the store may have; it has no more than `mostRows`.
  ///   - obtain: Returns memory of a size in bytes for one column, or nil if there is none.
  /// - Throws: `.unavailable` if there is no address space for `capacity` rows.
  package init(
    numbering: ChainNumbers, columns: BuiltInColumns, adjusted: Bool, capacity limit: Int,
    obtain: (Int) -> ColumnMemory? = ColumnMemory.obtain
  ) throws(HostError) {
    // Programs give limits, and may mean none.
    let capacity = min(max(limit, 0), Self.mostRows)
    var all: [Column] = []
    func add(_ stride: Int, _ initial: [UInt8]?, exists: Bool) throws(HostError) {
      let memory = exists ? obtain(capacity * stride) : nil
      if exists, memory == nil { throw .noAddressSpace(rows: capacity) }
      let isZero = initial?.allSatisfy { $0 == 0 } ?? true
      all.append(Column(memory: memory, stride: stride, initial: isZero ? nil : initial))
    }
    try add(MemoryLayout<Rect>.stride, nil, exists: true)
    try add(
      MemoryLayout<Transform>.stride, withUnsafeBytes(of: Transform.identity) { Array($0) },
      exists: columns.contains(.transform))
    try add(
      MemoryLayout<Double>.stride, withUnsafeBytes(of: 1.0) { Array($0) },
      exists: columns.contains(.alpha))
    try add(MemoryLayout<Int32>.stride, nil, exists: columns.contains(.zIndex))
    try add(MemoryLayout<UInt8>.stride, nil, exists: columns.contains(.hidden))
    for attribute in numbering.attributes {
      try add(
        attribute.type.stride, attribute.initialBytes, exists: adjusted || !attribute.isAdjusted)
    }
    self.capacity = capacity
    self.columns = columns
    hasAdjusted = adjusted
    self.all = all
    frames = all[0].pointer(Rect.self)!
    findBuiltIn()
  }

  deinit { for column in all { column.memory?.recycle(used: touched * column.stride) } }

  private func findBuiltIn() {
    frames = all[0].pointer(Rect.self)!
    transforms = all[1].pointer(Transform.self)
    alphas = all[2].pointer(Double.self)
    zIndexes = all[3].pointer(Int32.self)
    hidden = all[4].pointer(UInt8.self)
  }

  /// The existing columns: those of the frame, transform, alpha, z index and hidden value have the
  /// numbers 0 to 4, those of attributes the numbers after these.
  package var existing: [(number: Int, base: UnsafeMutableRawPointer, stride: Int)] {
    all.enumerated().compactMap { number, column in
      column.memory.map { (number, $0.base, column.stride) }
    }
  }

  /// The column of an attribute, by the chain's number; nil if it does not exist in this store.
  package func attribute(_ number: Int) -> (base: UnsafeMutableRawPointer, stride: Int)? {
    let column = all[Self.builtInCount + number]
    return column.memory.map { ($0.base, column.stride) }
  }

  package var bytesPerRow: Int { all.reduce(0) { $0 + ($1.memory == nil ? 0 : $1.stride) } }

  /// Moves the columns to other memory, so that an engine has no pointers to the rows any more.
  ///
  /// A column for which `obtain` returns nil stays where it is.
  package func move(_ obtain: (Int) -> ColumnMemory?) {
    for number in all.indices {
      let stride = all[number].stride
      guard let memory = all[number].memory, let other = obtain(capacity * stride) else { continue }
      other.base.copyMemory(from: memory.base, byteCount: rowCount * stride)
      all[number].memory = other
    }
    findBuiltIn()
  }

  package func clear() {
    rowCount = keptRows
    runs.removeAll(keepingCapacity: true)
    earlierRuns.removeAll()
    wasFull = false
  }

  /// Removes all rows, but keeps the values of those whose runs are added again at the same row.
  package func restart() {
    swap(&earlierRuns, &runs)
    rowCount = keptRows
    runs.removeAll(keepingCapacity: true)
    wasFull = false
  }

  /// Removes all runs, whose rows keep their values until `releaseRows`: other rows come after them.
  package func keepRows() {
    keptRows = rowCount
    clear()
  }

  /// Whether rows were refused for which there may be room once no rows are kept.
  var lacksKeptRoom: Bool { wasFull && keptRows > 0 }

  func releaseRows() {
    keptRows = 0
    clear()
  }

  /// How many rows of a run, if it were added now, would still hold their values from before
  /// `restart`.
  private func keptCount(_ run: Run) -> Int {
    guard runs.count < earlierRuns.count else { return 0 }
    let earlier = earlierRuns[runs.count]
    guard earlier.row == rowCount, earlier.category == run.category, earlier.kind == run.kind,
      earlier.section == run.section, earlier.firstItem == run.firstItem
    else { return 0 }
    let count = min(earlier.count, run.count)
    return keeps?(count) ?? count
  }

  /// Replaces the runs by runs whose rows are in the columns already.
  ///
  /// The runs must have been checked, and their rows must follow each other.
  package func adopt(_ adopted: ContiguousArray<Run>) {
    clear()
    runs = adopted
    rowCount = adopted.last.map { $0.row + $0.count } ?? 0
  }

  /// Removes all but the first runs; the next run begins at the row `rows`.
  package func truncate(runs runCount: Int, rows: Int) {
    runs.removeLast(runs.count - runCount)
    rowCount = rows
    earlierRuns.removeAll()
  }

  /// Adds a run of new rows, with the initial value in every column but the frame.
  ///
  /// A run without rows adds nothing.
  ///
  /// - Parameter keeping: Whether rows that still hold their values from before `restart` keep
  ///   them.
  /// - Parameter copied: A store from which the columns of the rows are copied next, as far as it has them.
  /// - Returns: The run with its first row, or nil if there is no space.
  package func append(
    _ run: Run, keeping: Bool = false, before copied: RowStore? = nil
  ) -> Run? {
    guard run.count == 0 || run.count <= capacity - rowCount else { return nil }
    let first = rowCount
    var run = run
    run.row = first
    guard run.count > 0 else { return run }
    run.kept = keeping ? keptCount(run) : 0
    (run.unchanged, run.edits) = (0, 0)
    initialize(first + run.kept, run.count - run.kept, besides: copied)
    runs.append(run)
    rowCount += run.count
    touched = max(touched, rowCount)
    return run
  }

  /// Records that an engine left the frames of the first rows of a run as they were.
  ///
  /// - Parameters:
  ///   - place: Where the frames of the run are.
  ///   - isIncremental: Whether the engine is; only then may it leave rows that it fetched.
  /// - Returns: False if no run is there, or if so many rows were not kept.
  package func leave(
    _ count: UInt64, rowsAt place: UnsafeMutableRawPointer, isIncremental: Bool
  ) -> Bool {
    let (row, rest) = (place - UnsafeMutableRawPointer(frames))
      .quotientAndRemainder(dividingBy: MemoryLayout<Rect>.stride)
    // A run without rows is not here.
    guard rest == 0, row >= keptRows, row < rowCount else { return count == 0 }
    let run = runs.lastIndex(atOrBefore: row, from: 0)
    guard runs[run].row == row, count <= UInt64(runs[run].kept) else { return false }
    runs[run].unchanged = Int(count)
    if isIncremental, runs[run].edits == 1 { runs[run].edits = 0 }
    return true
  }

  /// Records that a derived engine may change any row of a run, unless it says what it leaves: at most
  /// what the base left.
  package func edit(run: Int, isIncremental: Bool) {
    runs[run].kept = isIncremental ? runs[run].unchanged : 0
    runs[run].unchanged = 0
    runs[run].edits += 1
  }

  /// Whether derived engines may have changed rows that their base relies on.
  package var isEdited: Bool { runs.contains { $0.edits > 0 } }

  /// Adds copies of some rows of a run of another store of the same chain, with the columns that
  /// both stores have.
  ///
  /// - Returns: The run with its first row, or nil if there is no space.
  package func append(_ run: Run, rows: Range<Int>, of other: RowStore) -> Run? {
    var part = run
    part.firstItem += UInt64(rows.lowerBound - run.row)
    part.count = rows.count
    guard let added = append(part, before: other) else { return nil }
    let first = added.row
    for (own, theirs) in zip(all, other.all) {
      guard let target = own.memory, let source = theirs.memory else { continue }
      (target.base + first * own.stride).copyMemory(
        from: source.base + rows.lowerBound * own.stride, byteCount: rows.count * own.stride)
    }
    return added
  }

  package func refuse() { wasFull = true }

  /// Writes the initial values of rows but their frames, except in columns that another store has.
  private func initialize(_ row: Int, _ count: Int, besides other: RowStore?) {
    guard count > 0 else { return }
    for number in all.indices.dropFirst() {
      guard let memory = all[number].memory, other?.all[number].memory == nil else { continue }
      let stride = all[number].stride
      (memory.base + row * stride).fill(count, stride, with: all[number].initial)
    }
  }
}

extension UnsafeMutableRawPointer {
  /// Gives values of a size some bytes each, or zeros: writes the first, and then copies those that have
  /// it to others, ever more at once.
  func fill(_ count: Int, _ stride: Int, with initial: [UInt8]?) {
    guard count > 0 else { return }
    guard let initial else {
      initializeMemory(as: UInt8.self, repeating: 0, count: count * stride)
      return
    }
    initial.withUnsafeBytes { copyMemory(from: $0.baseAddress!, byteCount: stride) }
    // The size of every value divides that of the largest piece, which the cache of a processor holds.
    let all = count * stride
    var done = stride
    while done < all {
      let next = Swift.min(done, all - done, 1 << 12)
      (self + done).copyMemory(from: self, byteCount: next)
      done += next
    }
  }
}

extension AttributeDescription {
  /// The initial value as it lies in a column.
  var initialBytes: [UInt8] {
    withUnsafeBytes(of: initial.raw(as: type, choices: choices) ?? tessera_value()) {
      Array($0.prefix(type.stride))
    }
  }
}

/// Identifies the elements of a range of rows; kinds have the numbers of the whole chain.
package struct Run: Equatable {
  package var category: ElementCategory
  package var kind: UInt32
  package var section: UInt32
  package var firstItem: UInt64
  package var count: Int
  package var row: Int
  /// How many of the first rows still hold the values of the last prepare.
  package var kept = 0
  /// How many of the first rows have the frames of the last prepare.
  package var unchanged = 0
  /// How often derived engines fetched the run in prepare, each of which may have changed what its base
  /// relies on.
  package var edits = 0

  /// The item of a row of this run.
  ///
  /// Items end at 2^63 - 1, so the last ones leave no room for a sum with the number of a row.
  package func item(atRow row: Int) -> Int { Int(firstItem) + (row - self.row) }

  package init(
    category: ElementCategory, kind: UInt32, section: UInt32, firstItem: UInt64, count: Int,
    row: Int
  ) {
    self.category = category
    self.kind = kind
    self.section = section
    self.firstItem = firstItem
    self.count = count
    self.row = row
  }
}

package protocol RowMemory: AnyObject {
  /// Returns the store that prepare writes to; called once.
  func preparedStore(_ numbering: ChainNumbers) throws(HostError) -> RowStore
  /// Returns an empty store for query results of at most `capacity` rows; it replaces the store
  /// that the last call returned.
  func answerStore(
    _ numbering: ChainNumbers, columns: BuiltInColumns, capacity: Int
  ) throws(HostError) -> RowStore
}

extension BuiltInColumns {
  /// The bytes of a row in these columns and the frame.
  package var stride: Int {
    MemoryLayout<Rect>.stride + (contains(.transform) ? MemoryLayout<Transform>.stride : 0)
      + (contains(.alpha) ? MemoryLayout<Double>.stride : 0)
      + (contains(.zIndex) ? MemoryLayout<Int32>.stride : 0) + (contains(.hidden) ? 1 : 0)
  }
}

package final class ProcessRows: RowMemory {
  /// The maximum number of rows that a prepare may add, unless the host is configured otherwise.
  package static let preparedCapacity = 1 << 26
  private let rowLimit: Int

  /// - Parameter rowLimit: The maximum number of rows that a prepare may add.
  package init(rowLimit: Int = ProcessRows.preparedCapacity) { self.rowLimit = rowLimit }

  package func preparedStore(_ numbering: ChainNumbers) throws(HostError) -> RowStore {
    try RowStore(
      numbering: numbering, columns: numbering.columns, adjusted: false,
      capacity: Self.affordable(rowLimit, numbering))
  }

  package func answerStore(
    _ numbering: ChainNumbers, columns: BuiltInColumns, capacity: Int
  ) throws(HostError) -> RowStore {
    try RowStore(
      numbering: numbering, columns: columns, adjusted: true,
      capacity: Self.affordable(capacity, numbering))
  }

  /// As many rows as fit into a quarter of what the limits of this process leave, but at least 100.
  private static func affordable(_ rows: Int, _ numbering: ChainNumbers) -> Int {
    let left = tessera_address_space_left()
    guard left != .max else { return rows }
    let stride = BuiltInColumns.all.stride + numbering.attributes.reduce(0) { $0 + $1.type.stride }
    return min(rows, max(100, Int(clamping: left / 4) / stride))
  }
}

/// Address space for one column: reserved as a whole, so that it never moves; pages are allocated
/// when they are first touched.
package final class ColumnMemory: @unchecked Sendable {
  package let base: UnsafeMutableRawPointer
  package let byteCount: Int
  /// The object that this memory is a part of; nil if the column owns its memory.
  private let owner: AnyObject?

  /// Creates a column in memory that is valid as long as its owner.
  package init(base: UnsafeMutableRawPointer, byteCount: Int, owner: AnyObject?) {
    self.base = base
    self.byteCount = byteCount
    self.owner = owner
  }

  deinit { if owner == nil { munmap(base, byteCount) } }

  /// Returns memory of a size in bytes, or nil if the system has no address space left.
  ///
  /// Reuses touched pages of a closed session if there are any: faulting in fresh pages takes ten
  /// times as long as writing a layout to them.
  package static func obtain(byteCount: Int) -> ColumnMemory? {
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

  /// Makes the memory available to the next session that needs memory of the same size.
  ///
  /// - Parameter used: The number of bytes from the start that were ever touched; those past
  ///   `retainedBytes` are returned to the system.
  package func recycle(used: Int) {
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
  private static let pool = Locked([ColumnMemory](), lock: TESSERA_LOCK_COLUMNS)
}
