import TesseraGeometry

/// Where things lie in the memory that a host and its worker both write.
///
/// In this order: the turn and what is noted when the worker dies, a page; a box for messages each
/// way; the runs of what was written last; the rows that prepare wrote; the rows of the answer.
struct SharedMap {
  static let turn = 0
  static let forbiddenCall = 64
  /// How far a worker has come until it is ready: a `WorkerStage`.
  static let stage = 128
  static let hostBox = 4096
  static let hostBoxSize = 4 << 20
  static let workerBox = hostBox + hostBoxSize
  static let workerBoxSize = 16 << 20
  static let runs = workerBox + workerBoxSize

  /// The most rows of either store.
  let capacity: Int
  /// The most rows of an answer that has every column.
  let wholeCapacity: Int
  let prepared: Int
  let answer: Int
  let byteCount: Int

  /// What a worker needs that lays nothing out.
  static let describing = SharedMap(
    capacity: 0, wholeCapacity: 0, prepared: runs, answer: runs, byteCount: runs)

  private init(
    capacity: Int, wholeCapacity: Int, prepared: Int, answer: Int, byteCount: Int
  ) {
    self.capacity = capacity
    self.wholeCapacity = wholeCapacity
    self.prepared = prepared
    self.answer = answer
    self.byteCount = byteCount
  }

  /// The map for the rows of a chain.
  ///
  /// - Parameter rowMemory: The most that rows may fill. Together with their runs there is address
  ///   space for twice that: what a worker touches while nobody waits for it is bounded by it.
  init(numbering: Numbering, rowMemory: UInt64) {
    let preparedBytes = Self.rowBytes(
      numbering.columns, numbering.attributes.filter { !$0.isAdjusted })
    let answerBytes = Self.rowBytes(numbering.adjustedColumns, numbering.attributes)
    let bytes = SharedRun.stride + preparedBytes + answerBytes
    capacity = min(ProcessRows.preparedCapacity, Int(clamping: rowMemory / UInt64(bytes)) * 2)
    // Each column starts on a page of its own.
    let pages = (5 + numbering.attributes.count) * 4096
    prepared = Self.aligned(Self.runs + capacity * SharedRun.stride)
    answer = Self.aligned(prepared + capacity * preparedBytes + pages)
    byteCount = Self.aligned(answer + capacity * answerBytes + pages)
    wholeCapacity = capacity * answerBytes / Self.rowBytes(.all, numbering.attributes)
  }

  private static func rowBytes(
    _ columns: BuiltInColumns, _ attributes: [AttributeDescription]
  ) -> Int {
    var bytes = MemoryLayout<Rect>.stride
    if columns.contains(.transform) { bytes += MemoryLayout<Transform>.stride }
    if columns.contains(.alpha) { bytes += MemoryLayout<Double>.stride }
    if columns.contains(.zIndex) { bytes += MemoryLayout<Int32>.stride }
    if columns.contains(.hidden) { bytes += MemoryLayout<UInt8>.stride }
    return bytes + attributes.reduce(0) { $0 + $1.type.stride }
  }

  static func aligned(_ offset: Int) -> Int { (offset + 4095) & ~4095 }
}
