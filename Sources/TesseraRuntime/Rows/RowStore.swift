import CTessera
import CTesseraSystem
import Glibc
import TesseraCatalog
import TesseraGeometry

/// The columns that engines write, and the runs that identify the elements of the rows.
package final class RowStore {
  /// The column of an attribute.
  package struct AttributeColumn {
    /// Nil if the column does not exist in this store.
    package let memory: ColumnMemory?
    package let stride: Int
    /// The initial value of every row; nil if all its bytes are zero.
    package let initial: tessera_value?
  }

  /// The number of rows that the columns have space for.
  package let capacity: Int
  /// The built-in columns that exist besides the frame.
  package let columns: BuiltInColumns
  /// Whether the attributes exist that are written only in adjust.
  package let hasAdjusted: Bool
  /// The row after those that are used: after the last run, or after the rows that are kept.
  @exclusivity(unchecked) package private(set) var rowCount = 0
  /// The number of rows that earlier layouts of a batch keep, whose runs are no longer here.
  @exclusivity(unchecked) private(set) var keptRows = 0
  @exclusivity(unchecked) package private(set) var runs: ContiguousArray<Run> = []
  /// Whether rows were refused since the last `clear` or `restart`.
  @exclusivity(unchecked) private(set) var wasFull = false
  /// How many of so many rows that could be kept are; nil for all, except in examinations.
  @exclusivity(unchecked) package var keeps: ((Int) -> Int)?
  /// The runs before the last `restart`, whose rows still hold their values.
  @exclusivity(unchecked) private var earlierRuns: ContiguousArray<Run> = []

  private var frameMemory: ColumnMemory
  private var transformMemory: ColumnMemory?
  private var alphaMemory: ColumnMemory?
  private var zIndexMemory: ColumnMemory?
  private var hiddenMemory: ColumnMemory?
  @exclusivity(unchecked) package private(set) var attributes: [AttributeColumn]
  /// The largest number of rows so far: the part of the memory that was touched.
  @exclusivity(unchecked) private var touched = 0

  // Only `move` changes these: checking each access for exclusivity would cost more than the access.
  @exclusivity(unchecked) package private(set) var frames: UnsafeMutablePointer<Rect>
  @exclusivity(unchecked) package private(set) var transforms: UnsafeMutablePointer<Transform>?
  @exclusivity(unchecked) package private(set) var alphas: UnsafeMutablePointer<Double>?
  @exclusivity(unchecked) package private(set) var zIndexes: UnsafeMutablePointer<Int32>?
  @exclusivity(unchecked) package private(set) var hidden: UnsafeMutablePointer<UInt8>?

  /// The most rows of any store.
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
    func memory(_ stride: Int) throws(HostError) -> ColumnMemory {
      guard let memory = obtain(capacity * stride) else {
        throw .noAddressSpace(rows: capacity)
      }
      return memory
    }
    func memory(_ column: BuiltInColumns, _ stride: Int) throws(HostError) -> ColumnMemory? {
      columns.contains(column) ? try memory(stride) : nil
    }
    self.capacity = capacity
    self.columns = columns
    hasAdjusted = adjusted
    frameMemory = try memory(MemoryLayout<Rect>.stride)
    transformMemory = try memory(.transform, MemoryLayout<Transform>.stride)
    alphaMemory = try memory(.alpha, MemoryLayout<Double>.stride)
    zIndexMemory = try memory(.zIndex, MemoryLayout<Int32>.stride)
    hiddenMemory = try memory(.hidden, MemoryLayout<UInt8>.stride)
    var attributes: [AttributeColumn] = []
    for attribute in numbering.attributes {
      let stride = attribute.type.stride
      let raw =
        attribute.initial.raw(as: attribute.type, choices: attribute.choices) ?? tessera_value()
      let isZero = withUnsafeBytes(of: raw) { $0.prefix(stride).allSatisfy { $0 == 0 } }
      attributes.append(
        AttributeColumn(
          memory: adjusted || !attribute.isAdjusted ? try memory(stride) : nil,
          stride: stride, initial: isZero ? nil : raw))
    }
    self.attributes = attributes
    frames = frameMemory.base.bindMemory(to: Rect.self, capacity: capacity)
    transforms = transformMemory?.base.bindMemory(to: Transform.self, capacity: capacity)
    alphas = alphaMemory?.base.bindMemory(to: Double.self, capacity: capacity)
    zIndexes = zIndexMemory?.base.bindMemory(to: Int32.self, capacity: capacity)
    hidden = hiddenMemory?.base.bindMemory(to: UInt8.self, capacity: capacity)
  }

  deinit {
    frameMemory.recycle(used: touched * MemoryLayout<Rect>.stride)
    transformMemory?.recycle(used: touched * MemoryLayout<Transform>.stride)
    alphaMemory?.recycle(used: touched * MemoryLayout<Double>.stride)
    zIndexMemory?.recycle(used: touched * MemoryLayout<Int32>.stride)
    hiddenMemory?.recycle(used: touched)
    for attribute in attributes { attribute.memory?.recycle(used: touched * attribute.stride) }
  }

  /// The bytes of a row in all columns of this store.
  package var bytesPerRow: Int {
    MemoryLayout<Rect>.stride + (transforms == nil ? 0 : MemoryLayout<Transform>.stride)
      + (alphas == nil ? 0 : MemoryLayout<Double>.stride)
      + (zIndexes == nil ? 0 : MemoryLayout<Int32>.stride) + (hidden == nil ? 0 : 1)
      + attributes.reduce(0) { $0 + ($1.memory == nil ? 0 : $1.stride) }
  }

  /// Moves the columns to other memory, so that an engine has no pointers to the rows any more.
  ///
  /// A column for which `obtain` returns nil stays where it is.
  package func move(_ obtain: (Int) -> ColumnMemory?) {
    func moved(_ memory: ColumnMemory, _ stride: Int) -> ColumnMemory {
      guard let other = obtain(capacity * stride) else { return memory }
      other.base.copyMemory(from: memory.base, byteCount: rowCount * stride)
      return other
    }
    frameMemory = moved(frameMemory, MemoryLayout<Rect>.stride)
    transformMemory = transformMemory.map { moved($0, MemoryLayout<Transform>.stride) }
    alphaMemory = alphaMemory.map { moved($0, MemoryLayout<Double>.stride) }
    zIndexMemory = zIndexMemory.map { moved($0, MemoryLayout<Int32>.stride) }
    hiddenMemory = hiddenMemory.map { moved($0, MemoryLayout<UInt8>.stride) }
    attributes = attributes.map { column in
      AttributeColumn(
        memory: column.memory.map { moved($0, column.stride) }, stride: column.stride,
        initial: column.initial)
    }
    frames = frameMemory.base.bindMemory(to: Rect.self, capacity: capacity)
    transforms = transformMemory?.base.bindMemory(to: Transform.self, capacity: capacity)
    alphas = alphaMemory?.base.bindMemory(to: Double.self, capacity: capacity)
    zIndexes = zIndexMemory?.base.bindMemory(to: Int32.self, capacity: capacity)
    hidden = hiddenMemory?.base.bindMemory(to: UInt8.self, capacity: capacity)
  }

  /// Removes all rows but those that are kept, and keeps the memory.
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

  /// Removes all rows.
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
    (frames + first).update(from: other.frames + rows.lowerBound, count: rows.count)
    copy(transforms, from: other.transforms, first, rows)
    copy(alphas, from: other.alphas, first, rows)
    copy(zIndexes, from: other.zIndexes, first, rows)
    copy(hidden, from: other.hidden, first, rows)
    for (own, theirs) in zip(attributes, other.attributes) {
      guard let target = own.memory, let source = theirs.memory else { continue }
      (target.base + first * own.stride).copyMemory(
        from: source.base + rows.lowerBound * own.stride, byteCount: rows.count * own.stride)
    }
    return added
  }

  private func copy<Item>(
    _ target: UnsafeMutablePointer<Item>?, from source: UnsafeMutablePointer<Item>?,
    _ first: Int, _ rows: Range<Int>
  ) {
    guard let target, let source else { return }
    (target + first).update(from: source + rows.lowerBound, count: rows.count)
  }

  /// Records that rows were refused.
  package func refuse() { wasFull = true }

  /// Writes the initial values of rows, but for the columns that another store has.
  private func initialize(_ row: Int, _ count: Int, besides other: RowStore?) {
    guard count > 0 else { return }
    if let transforms, other?.transforms == nil {
      withUnsafeBytes(of: Transform.identity) { Self.fill(transforms + row, count, with: $0) }
    }
    if let alphas, other?.alphas == nil { (alphas + row).update(repeating: 1, count: count) }
    if let zIndexes, other?.zIndexes == nil { (zIndexes + row).update(repeating: 0, count: count) }
    if let hidden, other?.hidden == nil { (hidden + row).update(repeating: 0, count: count) }
    for (number, attribute) in attributes.enumerated() {
      guard let memory = attribute.memory, other?.attributes[number].memory == nil else { continue }
      let start = memory.base + row * attribute.stride
      guard let initial = attribute.initial else {
        start.initializeMemory(as: UInt8.self, repeating: 0, count: count * attribute.stride)
        continue
      }
      withUnsafeBytes(of: initial) {
        Self.fill(start, count, with: UnsafeRawBufferPointer(rebasing: $0[..<attribute.stride]))
      }
    }
  }

  /// Gives rows of a column a value: writes the first, and then copies those that have it to others, ever
  /// more at once.
  private static func fill(
    _ column: UnsafeMutableRawPointer, _ count: Int, with value: UnsafeRawBufferPointer
  ) {
    column.copyMemory(from: value.baseAddress!, byteCount: value.count)
    // The size of every value divides that of the largest piece, which the cache of a processor holds.
    let all = count * value.count
    var done = value.count
    while done < all {
      let next = min(done, all - done, 1 << 12)
      (column + done).copyMemory(from: column, byteCount: next)
      done += next
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
  /// The first row.
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

/// Allocates the row stores of a session's engines.
package protocol RowMemory: AnyObject {
  /// Returns the store that prepare writes to; called once.
  func preparedStore(_ numbering: ChainNumbers) throws(HostError) -> RowStore
  /// Returns an empty store for query results of at most `capacity` rows; it replaces the store
  /// that the last call returned.
  func answerStore(
    _ numbering: ChainNumbers, columns: BuiltInColumns, capacity: Int
  ) throws(HostError) -> RowStore
}

/// Row stores in the memory of this process, for engines that run in it.
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
    let stride =
      MemoryLayout<Rect>.stride + MemoryLayout<Transform>.stride + MemoryLayout<Double>.stride
      + MemoryLayout<Int32>.stride + 1 + numbering.attributes.reduce(0) { $0 + $1.type.stride }
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
