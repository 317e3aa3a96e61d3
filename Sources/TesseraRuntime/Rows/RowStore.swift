import CTessera
import CTesseraSystem
import Glibc
import TesseraCatalog
import TesseraGeometry

/// The columns that engines write, and the runs that identify the rows.
package final class RowStore {
  private struct Column {
    var memory: ColumnMemory?
    let stride: Int
    /// Owned by the store; nil for zeros.
    let initial: UnsafeMutableRawPointer?

    func pointer<Item>(_: Item.Type) -> UnsafeMutablePointer<Item>? {
      memory?.base.bindMemory(to: Item.self, capacity: 1)
    }
  }

  package let capacity: Int
  package let columns: BuiltInColumns
  package let hasAdjusted: Bool
  /// The first free row.
  package private(set) var rowCount = 0
  /// Rows of earlier layouts of a batch, whose runs are gone.
  private(set) var keptRows = 0
  package private(set) var runs: ContiguousArray<Run> = []
  /// Whether rows were refused since `clear` or `restart`.
  private(set) var wasFull = false
  /// Limits the rows that are kept; only for examinations.
  package var keeps: ((Int) -> Int)?
  /// From before the last `restart`; their rows still hold values.
  private var earlierRuns: ContiguousArray<Run> = []

  /// As in `BuiltInColumns.table`, then attributes.
  private var all: [Column]
  /// Whether there is a column besides the frames.
  private let hasMore: Bool
  /// The high-water mark of `rowCount`.
  private var touched = 0

  package private(set) var frames: UnsafeMutablePointer<Rect>
  package private(set) var transforms: UnsafeMutablePointer<Transform>?
  package private(set) var alphas: UnsafeMutablePointer<Double>?
  package private(set) var zIndexes: UnsafeMutablePointer<Int32>?
  package private(set) var hidden: UnsafeMutablePointer<UInt8>?

  package static let mostRows = 1 << 30

  /// `limit` is clamped to `mostRows`; `obtain` returns a column's memory, or nil.
  package init(
    numbering: ChainNumbers, columns: BuiltInColumns, adjusted: Bool, capacity limit: Int,
    obtain: (Int) -> ColumnMemory? = ColumnMemory.obtain
  ) throws(HostError) {
    // A limit may stand for unlimited.
    let capacity = min(max(limit, 0), Self.mostRows)
    var parts: [(memory: ColumnMemory?, stride: Int, initial: [UInt8]?)] = []
    func add(_ stride: Int, _ initial: [UInt8]?, exists: Bool) throws(HostError) {
      let memory = exists ? obtain(capacity * stride) : nil
      if exists, memory == nil { throw .noAddressSpace(rows: capacity) }
      parts.append((memory, stride, initial))
    }
    for (column, stride, initial) in BuiltInColumns.table {
      try add(stride, initial, exists: columns.contains(column))
    }
    for attribute in numbering.attributes {
      try add(
        attribute.type.stride, attribute.initialBytes, exists: adjusted || !attribute.isAdjusted)
    }
    self.capacity = capacity
    self.columns = columns
    hasAdjusted = adjusted
    all = parts.map { memory, stride, initial in
      guard let initial, initial.contains(where: { $0 != 0 }) else {
        return Column(memory: memory, stride: stride, initial: nil)
      }
      let copy = UnsafeMutableRawPointer.allocate(byteCount: stride, alignment: 16)
      copy.copyMemory(from: initial, byteCount: stride)
      return Column(memory: memory, stride: stride, initial: copy)
    }
    hasMore = all.dropFirst().contains { $0.memory != nil }
    frames = all[0].pointer(Rect.self)!
    findBuiltIn()
  }

  deinit {
    for column in all {
      column.memory?.recycle(used: touched * column.stride)
      column.initial?.deallocate()
    }
  }

  private func findBuiltIn() {
    frames = all[0].pointer(Rect.self)!
    transforms = all[1].pointer(Transform.self)
    alphas = all[2].pointer(Double.self)
    zIndexes = all[3].pointer(Int32.self)
    hidden = all[4].pointer(UInt8.self)
  }

  /// Numbered as in `BuiltInColumns.table`, then attributes.
  package var existing: [(number: Int, base: UnsafeMutableRawPointer, stride: Int)] {
    all.enumerated().compactMap { number, column in
      column.memory.map { (number, $0.base, column.stride) }
    }
  }

  package func attribute(_ number: Int) -> (base: UnsafeMutableRawPointer, stride: Int)? {
    let column = all[BuiltInColumns.count + number]
    return column.memory.map { ($0.base, column.stride) }
  }

  package var bytesPerRow: Int { all.reduce(0) { $0 + ($1.memory == nil ? 0 : $1.stride) } }

  // Invalidates the engines' pointers to the rows. A column stays if `obtain` returns nil.
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

  /// Keeps the values of rows whose runs are added again at the same row.
  package func restart() {
    swap(&earlierRuns, &runs)
    rowCount = keptRows
    runs.removeAll(keepingCapacity: true)
    wasFull = false
  }

  /// Rows keep their values until `releaseRows`; others come after them.
  package func keepRows() {
    keptRows = rowCount
    clear()
  }

  var lacksKeptRoom: Bool { wasFull && keptRows > 0 }

  func releaseRows() {
    keptRows = 0
    clear()
  }

  /// Leading rows that would still hold their values from before `restart`.
  private func keptCount(_ run: Run) -> Int {
    guard runs.count < earlierRuns.count else { return 0 }
    let earlier = earlierRuns[runs.count]
    guard earlier.row == rowCount, earlier.category == run.category, earlier.kind == run.kind,
      earlier.section == run.section, earlier.firstItem == run.firstItem
    else { return 0 }
    let count = min(earlier.count, run.count)
    return keeps?(count) ?? count
  }

  /// Runs must be checked and contiguous, and their rows in the columns.
  package func adopt(_ adopted: ContiguousArray<Run>) {
    clear()
    runs = adopted
    rowCount = adopted.last.map { $0.row + $0.count } ?? 0
  }

  package func truncate(runs runCount: Int, rows: Int) {
    runs.removeLast(runs.count - runCount)
    rowCount = rows
    earlierRuns.removeAll()
  }

  /// Initial values, unless kept from before `restart` or copied next; nil without space.
  package func append(_ run: Run, keeping: Bool = false, before copied: RowStore? = nil) -> Run? {
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

  // The engine left the first frames at `place` as they were. Only incremental engines may leave
  // rows that they fetched. False if no run is there, or fewer rows were kept.
  package func leave(
    _ count: UInt64, rowsAt place: UnsafeMutableRawPointer, isIncremental: Bool
  ) -> Bool {
    let (row, rest) = (place - UnsafeMutableRawPointer(frames))
      .quotientAndRemainder(dividingBy: MemoryLayout<Rect>.stride)
    // Empty runs aren't here.
    guard rest == 0, row >= keptRows, row < rowCount else { return count == 0 }
    let run = runs.lastIndex(atOrBefore: row, from: 0)
    guard runs[run].row == row, count <= UInt64(runs[run].kept) else { return false }
    runs[run].unchanged = Int(count)
    if isIncremental, runs[run].edits == 1 { runs[run].edits = 0 }
    return true
  }

  /// A derived engine may change any row, unless it leaves what its base left.
  package func edit(run: Int, isIncremental: Bool) {
    runs[run].kept = isIncremental ? runs[run].unchanged : 0
    runs[run].unchanged = 0
    runs[run].edits += 1
  }

  /// Whether derived engines may have changed rows that their base relies on.
  package var isEdited: Bool { runs.contains { $0.edits > 0 } }

  /// Columns that both stores have; nil without space.
  package func append(_ run: Run, rows: Range<Int>, of other: RowStore) -> Run? {
    var part = run
    part.firstItem += UInt64(rows.lowerBound - run.row)
    part.count = rows.count
    guard let added = append(part, before: other) else { return nil }
    let first = added.row
    (frames + first).update(from: other.frames + rows.lowerBound, count: rows.count)
    var number = hasMore && other.hasMore ? 1 : all.count
    while number < all.count {
      if let target = all[number].memory, let source = other.all[number].memory {
        let stride = all[number].stride
        memcpy(
          target.base + first * stride, source.base + rows.lowerBound * stride,
          rows.count * stride)
      }
      number += 1
    }
    return added
  }

  package func refuse() { wasFull = true }

  private func initialize(_ row: Int, _ count: Int, besides other: RowStore?) {
    guard count > 0, hasMore else { return }
    var number = 1
    while number < all.count {
      let column = all[number]
      if let memory = column.memory, other?.all[number].memory == nil {
        let start = memory.base + row * column.stride
        start.fill(count, column.stride, with: UnsafeRawPointer(column.initial))
      }
      number += 1
    }
  }
}

extension UnsafeMutableRawPointer {
  /// Writes the first value, then copies ever larger pieces; nil for zeros.
  func fill(_ count: Int, _ stride: Int, with initial: UnsafeRawPointer?) {
    guard count > 0 else { return }
    guard let initial else {
      memset(self, 0, count * stride)
      return
    }
    memcpy(self, initial, stride)
    // Every value size divides the largest piece, which fits the cache.
    let all = count * stride
    var done = stride
    while done < all {
      let next = Swift.min(done, all - done, 1 << 12)
      memcpy(self + done, self, next)
      done += next
    }
  }
}

extension AttributeDescription {
  var initialBytes: [UInt8] {
    withUnsafeBytes(of: initial.raw(as: type, choices: choices) ?? tessera_value()) {
      Array($0.prefix(type.stride))
    }
  }
}

/// Identifies the elements of a range of rows, by the chain's kind numbers.
package struct Run: Equatable {
  package var category: ElementCategory
  package var kind: UInt32
  package var section: UInt32
  package var firstItem: UInt64
  package var count: Int
  package var row: Int
  /// Leading rows with the last prepare's values.
  package var kept = 0
  /// Leading rows with the last prepare's frames.
  package var unchanged = 0
  /// How often derived engines fetched the run in prepare, and so may have changed it.
  package var edits = 0

  /// Items end at 2^63 - 1: another order of the sum could overflow.
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
  func preparedStore(_ numbering: ChainNumbers) throws(HostError) -> RowStore
  /// Replaces the store of the last call.
  func answerStore(
    _ numbering: ChainNumbers, columns: BuiltInColumns, capacity: Int
  ) throws(HostError) -> RowStore
}

extension BuiltInColumns {
  /// Frames, then the columns of the set: bytes per row and the initial value, nil for zeros.
  static let table: [(column: BuiltInColumns, stride: Int, initial: [UInt8]?)] = [
    ([], MemoryLayout<Rect>.stride, nil),
    (
      .transform, MemoryLayout<Transform>.stride,
      withUnsafeBytes(of: Transform.identity) { Array($0) }
    ),
    (.alpha, MemoryLayout<Double>.stride, withUnsafeBytes(of: 1.0) { Array($0) }),
    (.zIndex, MemoryLayout<Int32>.stride, nil),
    (.hidden, MemoryLayout<UInt8>.stride, nil),
  ]
  /// The rows of the table.
  static let count = 5

  package var stride: Int { Self.table.reduce(0) { contains($1.column) ? $0 + $1.stride : $0 } }
}

package final class ProcessRows: RowMemory {
  /// The default row limit of a prepare.
  package static let preparedCapacity = 1 << 26
  private let rowLimit: Int

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

  /// Rows in a quarter of the address space that is left, at least 100.
  private static func affordable(_ rows: Int, _ numbering: ChainNumbers) -> Int {
    let left = tessera_address_space_left()
    guard left != .max else { return rows }
    let stride = BuiltInColumns.all.stride + numbering.attributes.reduce(0) { $0 + $1.type.stride }
    return min(rows, max(100, Int(clamping: left / 4) / stride))
  }
}

/// Address space for one column: never moves, and pages cost memory only when touched.
package final class ColumnMemory: @unchecked Sendable {
  package let base: UnsafeMutableRawPointer
  package let byteCount: Int
  private let owner: AnyObject?

  package init(base: UnsafeMutableRawPointer, byteCount: Int, owner: AnyObject?) {
    self.base = base
    self.byteCount = byteCount
    self.owner = owner
  }

  deinit { if owner == nil { munmap(base, byteCount) } }

  // Nil without address space. Reuses touched pages of closed sessions: faulting in fresh ones
  // takes ten times as long as writing a layout.
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

  /// For the next session; touched bytes beyond `retainedBytes` go back to the system.
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
