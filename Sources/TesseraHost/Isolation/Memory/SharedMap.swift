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
  let prepared: Int
  let answer: Int
  let byteCount: Int

  /// The most address space that the rows of a store may take.
  private static let storeLimit = 1 << 37
  private static let builtInBytes = 32 + 128 + 8 + 4 + 1

  /// What a worker needs that lays nothing out.
  static let describing = SharedMap(capacity: 0, prepared: runs, answer: runs, byteCount: runs)

  private init(capacity: Int, prepared: Int, answer: Int, byteCount: Int) {
    self.capacity = capacity
    self.prepared = prepared
    self.answer = answer
    self.byteCount = byteCount
  }

  init(numbering: Numbering) {
    let strides = numbering.attributes.map(\.type.stride)
    let rowBytes = Self.builtInBytes + strides.reduce(0, +)
    capacity = min(ProcessRows.preparedCapacity, Self.storeLimit / rowBytes)
    // Each column starts on a page of its own.
    let storeBytes = capacity * rowBytes + (5 + strides.count) * 4096
    prepared = Self.aligned(Self.runs + capacity * SharedRun.stride)
    answer = Self.aligned(prepared + storeBytes)
    byteCount = Self.aligned(answer + storeBytes)
  }

  static func aligned(_ offset: Int) -> Int { (offset + 4095) & ~4095 }
}
