import CTesseraSystem
import Glibc
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime

/// A file in memory that this process has mapped, shared with another one.
///
/// Its size never changes: it is sparse, and pages cost when they are touched.
package final class SharedMemory: @unchecked Sendable {
  package let base: UnsafeMutableRawPointer
  package let byteCount: Int
  /// The file, for the other process to map; -1 where this is the other process.
  package let descriptor: Int32

  /// Makes a file and maps it.
  ///
  /// - Parameter isReadOnly: Whether nobody else may ever write to it.
  /// - Throws: `.refused` where the system gives none.
  package init(named name: String, byteCount: Int, isReadOnly: Bool) throws(HostError) {
    let descriptor = tessera_memory_create(name, UInt64(byteCount))
    guard descriptor >= 0 else { throw Self.refused(byteCount) }
    // This mapping comes first: once the file is fixed, none can be made that writes.
    guard let base = tessera_memory_map(descriptor, UInt64(byteCount), 1),
      tessera_memory_fix(descriptor, isReadOnly ? 1 : 0) == 0
    else {
      let error = Self.refused(byteCount)
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    self.base = base
    self.byteCount = byteCount
  }

  /// Maps the file of another process, and closes it.
  ///
  /// - Throws: `.refused` where the system does not map it.
  package init(adopting descriptor: Int32, isReadOnly: Bool) throws(HostError) {
    var status = stat()
    fstat(descriptor, &status)
    byteCount = Int(status.st_size)
    guard let base = tessera_memory_map(descriptor, UInt64(byteCount), isReadOnly ? 0 : 1) else {
      throw Self.refused(byteCount)
    }
    self.base = base
    self.descriptor = -1
    close(descriptor)
  }

  deinit {
    munmap(base, byteCount)
    if descriptor >= 0 { close(descriptor) }
  }

  /// How many bytes were ever touched, by either process.
  package var touchedBytes: UInt64 { tessera_memory_touched(descriptor) }

  private static func refused(_ byteCount: Int) -> HostError {
    HostError(
      .refused,
      "the system gives no \(byteCount) bytes of address space to share with a worker: "
        + "\(systemMessage(errno)); raise its limit on address space")
  }
}

/// Where things lie in the memory that a host and its worker both write.
///
/// In this order: the turn and what is noted when the worker dies, a page; a box for messages each
/// way; the runs of what was written last; the rows that prepare wrote; the rows of the answer.
package struct SharedMap {
  package static let turn = 0
  package static let forbiddenCall = 64
  /// How far a worker has come until it is ready: a `WorkerStage`.
  package static let stage = 128
  package static let hostBox = 4096
  package static let hostBoxSize = 4 << 20
  package static let workerBox = hostBox + hostBoxSize
  package static let workerBoxSize = 16 << 20
  package static let runs = workerBox + workerBoxSize

  /// The most rows of either store.
  package let capacity: Int
  /// The most rows of an answer that has every column.
  package let wholeCapacity: Int
  package let prepared: Int
  package let answer: Int
  package let byteCount: Int

  /// What a worker needs that lays nothing out.
  package static let describing = SharedMap(
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
  package init(numbering: Numbering, rowMemory: UInt64) {
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

  package static func aligned(_ offset: Int) -> Int { (offset + 4095) & ~4095 }
}
