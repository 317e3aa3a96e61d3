/// What a worker's engines are given: memory that the worker can only read.
///
/// Pieces are taken from the front, first fit; what is given back is used again.
final class SharedInput: InputMemory {
  /// The most that a layout may be given, in bytes.
  static let capacity = 32 << 30

  let memory: SharedMemory
  /// Free pieces by their offset, neighbours joined.
  private var free: [(offset: Int, byteCount: Int)] = [(0, capacity)]

  init() throws(HostError) {
    memory = try SharedMemory(
      named: "tessera-input", byteCount: Self.capacity, isReadOnly: true)
  }

  func allocate(byteCount: Int) throws(HostError) -> UnsafeMutableRawPointer {
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

  func deallocate(_ pointer: UnsafeMutableRawPointer, byteCount: Int) {
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
  func offset(of pointer: UnsafeRawPointer) -> Int {
    pointer - UnsafeRawPointer(memory.base)
  }

  private static func rounded(_ byteCount: Int) -> Int { max(64, (byteCount + 63) & ~63) }
}
