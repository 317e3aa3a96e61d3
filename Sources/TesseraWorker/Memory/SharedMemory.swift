import CTesseraSystem
import Glibc
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime

/// A sparse memory file; the other process cannot touch memory beyond its current size.
package final class SharedMemory: @unchecked Sendable {
  package let base: UnsafeMutableRawPointer
  package let byteCount: Int
  private var size: Int
  /// For the other process to map; -1 in the process that adopted it.
  package let descriptor: Int32

  package init(
    named name: String, byteCount: Int, isReadOnly: Bool, grows: Bool = false
  ) throws(HostError) {
    // Leaves address space for this process's stacks and buffers.
    guard tessera_address_space_left() >= UInt64(byteCount) + Self.reserve else {
      throw .noSharedMemory(byteCount, ENOMEM)
    }
    let descriptor = tessera_memory_create(name, grows ? 0 : UInt64(byteCount))
    guard descriptor >= 0 else { throw .noSharedMemory(byteCount, errno) }
    // Map before sealing the file, which prevents further writable mappings.
    guard let base = tessera_memory_map(descriptor, UInt64(byteCount), 1),
      tessera_memory_fix(descriptor, isReadOnly ? 1 : 0, grows ? 1 : 0) == 0
    else {
      let error = HostError.noSharedMemory(byteCount, errno)
      close(descriptor)
      throw error
    }
    (self.descriptor, self.base, self.byteCount) = (descriptor, base, byteCount)
    size = grows ? 0 : byteCount
  }

  /// Extends what the other process can touch; throws `.refused` if out of memory.
  package func grow(to needed: Int) throws(HostError) {
    guard needed > size else { return }
    // A quarter more, to amortize system calls.
    let wanted = min(byteCount, (needed + needed / 4 + 0xffff) & ~0xffff)
    guard ftruncate(descriptor, off_t(wanted)) == 0 else { throw .noSharedMemory(wanted, errno) }
    size = wanted
  }

  /// Closes the descriptor; maps the whole file unless `byteCount` is given.
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

  /// Address space left free, in bytes.
  private static let reserve: UInt64 = 16 << 20

  /// Leaves room for other mappings under this process's limits, which a worker inherits.
  package static var largest: Int {
    Int(clamping: min(tessera_address_space_left() / 4, tessera_file_size_limit()))
  }

  package var touchedBytes: UInt64 { tessera_memory_touched(descriptor) }
}

/// Memory that host and worker both write, in this order: turn and notes, message boxes, runs,
/// prepared rows, rows of the answer.
package struct SharedMap {
  /// The turn and the number of sleeping waiters, 32 bits each.
  package static let turn = 0
  /// Nanoseconds that the worker spins before it sleeps, 32 bits.
  package static let spinning = 8
  package static let forbiddenCall = 64
  package static let stage = 128
  /// Finished parts of a batch, 32 bits.
  package static let finishedParts = 192
  package static let notedArguments = 256
  /// The `tessera_misuse` of an examination.
  package static let misuse = 1024
  package static let hostBox = 4096
  package static let hostBoxSize = 4 << 20
  package static let workerBox = hostBox + hostBoxSize
  package static let workerBoxSize = 16 << 20
  /// The `tessera_crash`; overwrites the worker's last message, which isn't read any more.
  package static let crash = workerBox + workerBoxSize - 65536
  package static let runs = workerBox + workerBoxSize

  /// In rows, for either store.
  package let capacity: Int
  /// In rows, for an answer with every column.
  package let wholeCapacity: Int
  package let prepared: Int
  package let answer: Int
  package let byteCount: Int

  package static let describing = SharedMap(
    capacity: 0, wholeCapacity: 0, prepared: runs, answer: runs, byteCount: runs)

  private init(capacity: Int, wholeCapacity: Int, prepared: Int, answer: Int, byteCount: Int) {
    (self.capacity, self.wholeCapacity, self.prepared) = (capacity, wholeCapacity, prepared)
    (self.answer, self.byteCount) = (answer, byteCount)
  }

  /// `memory` in bytes; the address space for rows and runs is at most about twice as large.
  package init(numbering: ChainNumbers, memory: UInt64, rowLimit: Int) {
    let rows = min(rowLimit, Int(clamping: memory / UInt64(Self.bytesPerRow(numbering))) * 2)
    let wanted = Self.fixedBytes(numbering) + rows * Self.bytesPerRow(numbering)
    // Needs room for a hundred rows, or else reports the system's limit.
    let least = Self.fixedBytes(numbering) + 100 * Self.bytesPerRow(numbering)
    self.init(
      numbering: numbering, byteCount: Self.aligned(min(wanted, max(least, SharedMemory.largest))))
  }

  /// Host and worker compute the same layout from the size.
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

  private static func bytesPerRow(_ numbering: ChainNumbers) -> Int {
    SharedRun.stride + rowBytes(numbering.columns, numbering.attributes.filter { !$0.isAdjusted })
      + rowBytes(numbering.adjustedColumns, numbering.attributes)
  }

  private static func columnPages(_ numbering: ChainNumbers) -> Int {
    (5 + numbering.attributes.count) * 4096
  }

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

/// Engine input, read-only for the worker; allocation is first fit.
package final class SharedInput: InputMemory {
  /// In bytes; the least applies if address space is limited.
  private static let (capacity, leastCapacity) = (32 << 30, 1 << 20)

  package let memory: SharedMemory
  /// By offset; adjacent blocks are merged.
  private var free: [(offset: Int, byteCount: Int)]

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
