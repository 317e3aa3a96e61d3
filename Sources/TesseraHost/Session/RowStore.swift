import CTessera
import TesseraGeometry

/// The columns that engines write, and the runs that say who the rows are.
final class RowStore {
  /// A column of an engine's own.
  struct AttributeColumn {
    /// Nil where the column does not exist in this store.
    let memory: ColumnMemory?
    let stride: Int
    /// What every row starts as, or nil where that is all zero bytes.
    let initial: tessera_value?
  }

  /// The most rows that there is room for.
  let capacity: Int
  /// The most rows that are given out; less than `capacity` to see what an engine does then.
  var allowance: Int
  /// How many rows behind each run belong to nobody, to see what is written there; else 0.
  let spacing: Int
  private(set) var rowCount = 0
  private(set) var runs: ContiguousArray<Run> = []
  /// Whether rows were refused since `clear`.
  private(set) var wasFull = false
  /// The runs whose rows still lie where they were before `restart`.
  private var earlierRuns: ContiguousArray<Run> = []

  private let frameMemory: ColumnMemory
  private let transformMemory: ColumnMemory?
  private let alphaMemory: ColumnMemory?
  private let zIndexMemory: ColumnMemory?
  private let hiddenMemory: ColumnMemory?
  let attributes: [AttributeColumn]
  /// The most rows that there ever were: what is touched.
  private var touched = 0

  let frames: UnsafeMutablePointer<Rect>
  let transforms: UnsafeMutablePointer<Transform>?
  let alphas: UnsafeMutablePointer<Double>?
  let zIndexes: UnsafeMutablePointer<Int32>?
  let hidden: UnsafeMutablePointer<UInt8>?

  /// A store for some built-in columns, and for the attributes of a chain.
  ///
  /// - Parameters:
  ///   - adjusted: Whether columns that are written only in adjust exist in it.
  ///   - obtain: Gives memory of a size for one column.
  /// - Throws: `.invalidInput` where there is no address space for `capacity` rows.
  init(
    numbering: Numbering, columns: BuiltInColumns, adjusted: Bool, capacity: Int,
    spacing: Int = 0, obtain: (Int) -> ColumnMemory? = ColumnMemory.obtain
  ) throws(HostError) {
    func memory(_ stride: Int) throws(HostError) -> ColumnMemory {
      guard let memory = obtain(capacity * stride) else {
        throw HostError(
          .invalidInput,
          "there is no address space for \(capacity) rows; lower the row limit")
      }
      return memory
    }
    func memory(_ column: BuiltInColumns, _ stride: Int) throws(HostError) -> ColumnMemory? {
      columns.contains(column) ? try memory(stride) : nil
    }
    self.capacity = capacity
    allowance = capacity
    self.spacing = spacing
    frameMemory = try memory(MemoryLayout<Rect>.stride)
    transformMemory = try memory(.transform, MemoryLayout<Transform>.stride)
    alphaMemory = try memory(.alpha, MemoryLayout<Double>.stride)
    zIndexMemory = try memory(.zIndex, MemoryLayout<Int32>.stride)
    hiddenMemory = try memory(.hidden, MemoryLayout<UInt8>.stride)
    var attributes: [AttributeColumn] = []
    for attribute in numbering.attributes {
      let stride = attribute.type.stride
      let raw = attribute.initial.raw(choices: attribute.choices) ?? tessera_value()
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

  /// Forgets all rows; the memory stays.
  func clear() {
    rowCount = 0
    runs.removeAll(keepingCapacity: true)
    earlierRuns.removeAll()
    wasFull = false
  }

  /// Forgets all rows, but keeps what they hold for runs that are added again at the same place.
  func restart() {
    swap(&earlierRuns, &runs)
    rowCount = 0
    runs.removeAll(keepingCapacity: true)
    wasFull = false
  }

  /// How many rows of a run that would be added now still hold what they held before `restart`.
  private func keptCount(_ run: Run) -> Int {
    guard runs.count < earlierRuns.count else { return 0 }
    let earlier = earlierRuns[runs.count]
    guard earlier.row == rowCount, earlier.category == run.category, earlier.kind == run.kind,
      earlier.section == run.section, earlier.firstItem == run.firstItem
    else { return 0 }
    return min(earlier.count, run.count)
  }

  /// Takes runs whose rows lie in the columns already, checked and one after the other.
  func adopt(_ adopted: ContiguousArray<Run>) {
    clear()
    runs = adopted
    rowCount = adopted.last.map { $0.row + $0.count } ?? 0
  }

  /// Forgets the rows and runs after the first so many.
  func truncate(runs runCount: Int, rows: Int) {
    runs.removeLast(runs.count - runCount)
    rowCount = rows
    earlierRuns.removeAll()
  }

  /// Adds a run of new rows, each column but the frame at its initial value.
  ///
  /// Nil where there is no room. A run of no rows adds nothing.
  ///
  /// - Parameter keeping: Whether rows that still hold what they held are left as they are.
  func append(_ run: Run, keeping: Bool = false) -> Run? {
    guard run.count == 0 || run.count <= allowance - rowCount else { return nil }
    let first = rowCount
    var run = run
    run.row = first
    guard run.count > 0 else { return run }
    run.kept = keeping ? keptCount(run) : 0
    initialize(first + run.kept, run.count - run.kept)
    runs.append(run)
    rowCount += run.count
    touched = max(touched, rowCount)
    if spacing > 0 { leaveSpace() }
    return run
  }

  /// Adds some rows of a run of another store of the same chain, with all columns that both have.
  ///
  /// Nil where there is no room.
  func append(_ run: Run, rows: Range<Int>, of other: RowStore) -> Run? {
    var part = run
    part.firstItem += UInt64(rows.lowerBound - run.row)
    part.count = rows.count
    guard let added = append(part) else { return nil }
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

  /// The columns that there are, by their names in the contract.
  var columns: [(name: String, memory: ColumnMemory, stride: Int)] {
    var columns: [(name: String, memory: ColumnMemory, stride: Int)] = []
    func add(_ name: String, _ memory: ColumnMemory?, _ stride: Int) {
      if let memory { columns.append((name, memory, stride)) }
    }
    add("frame", frameMemory, MemoryLayout<Rect>.stride)
    add("transform", transformMemory, MemoryLayout<Transform>.stride)
    add("alpha", alphaMemory, MemoryLayout<Double>.stride)
    add("z_index", zIndexMemory, MemoryLayout<Int32>.stride)
    add("hidden", hiddenMemory, 1)
    for (number, attribute) in attributes.enumerated() {
      add("attribute \(number)", attribute.memory, attribute.stride)
    }
    return columns
  }

  private func leaveSpace() {
    fillSpace(rowCount..<min(rowCount + spacing, capacity))
    rowCount = min(rowCount + spacing, capacity)
    touched = max(touched, rowCount)
  }

  /// Notes that rows were refused.
  func refuse() { wasFull = true }

  private func initialize(_ row: Int, _ count: Int) {
    if let transforms { (transforms + row).update(repeating: .identity, count: count) }
    if let alphas { (alphas + row).update(repeating: 1, count: count) }
    if let zIndexes { (zIndexes + row).update(repeating: 0, count: count) }
    if let hidden { (hidden + row).update(repeating: 0, count: count) }
    for attribute in attributes {
      guard let memory = attribute.memory else { continue }
      let start = memory.base + row * attribute.stride
      guard let initial = attribute.initial else {
        start.initializeMemory(as: UInt8.self, repeating: 0, count: count * attribute.stride)
        continue
      }
      withUnsafeBytes(of: initial) { bytes in
        for index in 0..<count {
          (start + index * attribute.stride).copyMemory(
            from: bytes.baseAddress!, byteCount: attribute.stride)
        }
      }
    }
  }
}
