import CTesseraSystem
import Glibc
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime

/// A memory file that this process maps and shares with another process.
///
/// The file is sparse: a page takes memory only once it is touched. Its size is fixed, or grows with
/// what this process needs: the other process cannot touch memory beyond it.
package final class SharedMemory: @unchecked Sendable {
  package let base: UnsafeMutableRawPointer
  package let byteCount: Int
  /// The size of the file.
  private var size: Int
  /// The descriptor of the file, for the other process to map; -1 in the process that adopted it.
  package let descriptor: Int32

  /// Creates a file and maps it.
  ///
  /// - Parameter isReadOnly: Whether other processes may only read it.
  /// - Throws: `.refused` if the system provides no memory.
  package init(
    named name: String, byteCount: Int, isReadOnly: Bool, grows: Bool = false
  ) throws(HostError) {
    // What little is left must do for the stacks and buffers of this process, too.
    guard tessera_address_space_left() >= UInt64(byteCount) + Self.reserve else {
      throw .noSharedMemory(byteCount, ENOMEM)
    }
    let descriptor = tessera_memory_create(name, grows ? 0 : UInt64(byteCount))
    guard descriptor >= 0 else { throw .noSharedMemory(byteCount, errno) }
    // Map before fixing the file: afterwards, no writable mapping can be created.
    guard let base = tessera_memory_map(descriptor, UInt64(byteCount), 1),
      tessera_memory_fix(descriptor, isReadOnly ? 1 : 0, grows ? 1 : 0) == 0
    else {
      let error = HostError.noSharedMemory(byteCount, errno)
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    self.base = base
    self.byteCount = byteCount
    size = grows ? 0 : byteCount
  }

  /// Lets the other process touch the first bytes; those that it could touch before stay.
  ///
  /// - Throws: `.refused` if the system provides no memory.
  package func grow(to needed: Int) throws(HostError) {
    guard needed > size else { return }
    // A quarter more, so that many small steps cost few calls.
    let wanted = min(byteCount, (needed + needed / 4 + 0xffff) & ~0xffff)
    guard ftruncate(descriptor, off_t(wanted)) == 0 else { throw .noSharedMemory(wanted, errno) }
    size = wanted
  }

  /// Maps the file of another process, and closes its descriptor.
  ///
  /// - Parameter byteCount: The bytes to map; nil for the size of the file.
  /// - Throws: `.refused` if the system cannot map it.
  package init(
    adopting descriptor: Int32, isReadOnly: Bool, byteCount mapped: Int? = nil
  ) throws(HostError) {
    var status = stat()
    fstat(descriptor, &status)
    size = Int(status.st_size)
    byteCount = mapped ?? size
    guard let base = tessera_memory_map(descriptor, UInt64(byteCount), isReadOnly ? 0 : 1) else {
      throw .noSharedMemory(byteCount, errno)
    }
    self.base = base
    self.descriptor = -1
    close(descriptor)
  }

  deinit {
    munmap(base, byteCount)
    if descriptor >= 0 { close(descriptor) }
  }

  /// The address space that sharing memory leaves, in bytes.
  private static let reserve: UInt64 = 16 << 20

  /// The largest file that leaves room for others under this process's limits on address space and the
  /// size of files; a worker has the same limits.
  package static var largest: Int {
    Int(clamping: min(tessera_address_space_left() / 4, tessera_file_size_limit()))
  }

  /// The number of bytes that either process has touched.
  package var touchedBytes: UInt64 { tessera_memory_touched(descriptor) }
}

/// The layout of the memory that a host and its worker both write.
///
/// In this order: a page with the turn and the worker's notes about its state; a box for messages in
/// each direction; the runs of the last question or reply; the prepared rows; the rows of the answer.
package struct SharedMap {
  /// Whose turn it is, and how many wait for theirs asleep, in 32 bits each.
  package static let turn = 0
  /// For how many nanoseconds the worker looks at the turn before it sleeps, in 32 bits.
  package static let spinning = 8
  package static let forbiddenCall = 64
  /// The worker's `EngineCall`.
  package static let stage = 128
  /// How many parts of a batch the worker has finished, in 32 bits.
  package static let finishedParts = 192
  /// The worker's last call with its arguments, in 256 bytes.
  package static let notedArguments = 256
  /// The `tessera_misuse` of a worker that examines its engines.
  package static let misuse = 1024
  package static let hostBox = 4096
  package static let hostBoxSize = 4 << 20
  package static let workerBox = hostBox + hostBoxSize
  package static let workerBoxSize = 16 << 20
  /// The `tessera_crash` of a worker, whose last message is no longer read.
  package static let crash = workerBox + workerBoxSize - 65536
  package static let runs = workerBox + workerBoxSize

  /// The maximum number of rows in either store.
  package let capacity: Int
  /// The maximum number of rows in an answer that has every column.
  package let wholeCapacity: Int
  package let prepared: Int
  package let answer: Int
  package let byteCount: Int

  /// The layout for a worker that only describes its libraries.
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

  /// The layout for the rows of a chain.
  ///
  /// - Parameters:
  ///   - memory: The limit on a worker's memory, in bytes. The address space for rows and runs is at
  ///     most about twice that, or less where the system limits it.
  ///   - rowLimit: The most rows for which there is address space.
  package init(numbering: ChainNumbers, memory: UInt64, rowLimit: Int) {
    let rows = min(
      rowLimit, Int(clamping: memory / UInt64(Self.bytesPerRow(numbering))) * 2)
    let wanted = Self.fixedBytes(numbering) + rows * Self.bytesPerRow(numbering)
    // A hundred rows at least: with less there is nothing to lay out, and the system reports its limit.
    let least = Self.fixedBytes(numbering) + 100 * Self.bytesPerRow(numbering)
    self.init(
      numbering: numbering, byteCount: Self.aligned(min(wanted, max(least, SharedMemory.largest))))
  }

  /// The layout for the rows of a chain in memory of a size, as host and worker agree on it.
  package init(numbering: ChainNumbers, byteCount: Int) {
    let preparedBytes = Self.rowBytes(
      numbering.columns, numbering.attributes.filter { !$0.isAdjusted })
    let answerBytes = Self.rowBytes(numbering.adjustedColumns, numbering.attributes)
    capacity = max(0, byteCount - Self.fixedBytes(numbering)) / Self.bytesPerRow(numbering)
    prepared = Self.aligned(Self.runs + capacity * SharedRun.stride)
    answer = Self.aligned(prepared + capacity * preparedBytes + Self.columnPages(numbering))
    wholeCapacity = capacity * answerBytes / Self.rowBytes(.all, numbering.attributes)
    self.byteCount = byteCount
  }

  /// The bytes of a run, a prepared row and a row of the answer.
  private static func bytesPerRow(_ numbering: ChainNumbers) -> Int {
    SharedRun.stride + rowBytes(numbering.columns, numbering.attributes.filter { !$0.isAdjusted })
      + rowBytes(numbering.adjustedColumns, numbering.attributes)
  }

  /// Each column starts on a page of its own.
  private static func columnPages(_ numbering: ChainNumbers) -> Int {
    (5 + numbering.attributes.count) * 4096
  }

  /// The bytes of everything but rows and runs, with room for alignment.
  private static func fixedBytes(_ numbering: ChainNumbers) -> Int {
    runs + 2 * columnPages(numbering) + 3 * 4096
  }

  package static func rowBytes(
    _ columns: BuiltInColumns, _ attributes: [AttributeDescription]
  ) -> Int {
    columns.stride + attributes.reduce(0) { $0 + $1.type.stride }
  }

  package static func aligned(_ offset: Int) -> Int { (offset + 4095) & ~4095 }
}

/// Memory for the input of a worker's engines, which the worker can only read.
///
/// Allocation is first fit; deallocated blocks are reused.
package final class SharedInput: InputMemory {
  /// The maximum size of a layout's input, in bytes, and the least where the address space is limited.
  private static let (capacity, leastCapacity) = (32 << 30, 1 << 20)

  package let memory: SharedMemory
  /// The free blocks in the order of their offsets; adjacent blocks are merged.
  private var free: [(offset: Int, byteCount: Int)]

  /// - Parameter used: Memory that an earlier layout used; nil for other.
  package init(_ used: SharedMemory? = nil) throws(HostError) {
    if let used {
      memory = used
    } else {
      memory = try SharedMemory(
        named: "tessera-input",
        byteCount: min(Self.capacity, max(Self.leastCapacity, SharedMemory.largest & ~4095)),
        isReadOnly: true, grows: true)
    }
    free = [(0, memory.byteCount)]
  }

  package func allocate(byteCount: Int) throws(HostError) -> UnsafeMutableRawPointer {
    let wanted = Self.rounded(byteCount)
    guard let place = free.firstIndex(where: { $0.byteCount >= wanted }) else {
      throw HostError(
        .tooManyItems,
        "another \(byteCount) bytes of values do not fit; a layout takes at most "
          + "\(memory.byteCount) bytes")
    }
    let offset = free[place].offset
    try memory.grow(to: offset + wanted)
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

  /// The offset of a block, by which the worker finds it.
  package func offset(of pointer: UnsafeRawPointer) -> Int {
    pointer - UnsafeRawPointer(memory.base)
  }

  private static func rounded(_ byteCount: Int) -> Int { max(64, (byteCount + 63) & ~63) }
}

extension HostError {
  fileprivate static func noSharedMemory(_ byteCount: Int, _ number: Int32) -> HostError {
    switch number {
    case EFBIG:
      HostError(
        .systemLimit,
        "the system cannot share \(byteCount) bytes of memory with a worker, because the size "
          + "of files is limited; raise the limit (ulimit -f)")
    case EMFILE:
      HostError(
        .systemLimit,
        "the system cannot share memory with a worker: \(systemMessage(number)); raise the "
          + "limit on open files (ulimit -n)")
    default:
      HostError(
        .systemLimit,
        "the system cannot share \(byteCount) bytes of address space with a worker: "
          + "\(systemMessage(number)); raise the limits on address space and on data (ulimit -v "
          + "and -d)")
    }
  }
}
