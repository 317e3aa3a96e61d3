import CTesseraSystem
import TesseraCatalog
import TesseraRuntime

/// One end of a connection in shared memory: a message box per direction, and a turn.
package final class Channel {
  package enum Side { case host, worker }

  private let memory: SharedMemory
  private let side: Side
  private var expected: UInt32

  package init(memory: SharedMemory, side: Side) {
    self.memory = memory
    self.side = side
    // The worker starts, with a message that it is ready.
    expected = side == .host ? 2 : 1
    if side == .host { word.pointee = 1 }
  }

  private var word: UnsafeMutablePointer<UInt32> {
    (memory.base + SharedMap.turn).assumingMemoryBound(to: UInt32.self)
  }

  /// - Throws: `.brokenContract` if the message is too long.
  package func put(_ message: ByteWriter) throws(HostError) {
    let (box, size) =
      side == .host
      ? (SharedMap.hostBox, SharedMap.hostBoxSize) : (SharedMap.workerBox, SharedMap.workerBoxSize)
    let count = message.bytes.count
    guard count <= size - 8 else {
      throw HostError(.invalidAnswer, "its message has \(count) bytes; the maximum is \(size - 8)")
    }
    (memory.base + box).storeBytes(of: UInt64(count), as: UInt64.self)
    message.bytes.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress {
        (memory.base + box + 8).copyMemory(from: base, byteCount: count)
      }
    }
  }

  package func take() throws(HostError) -> ByteReader {
    let (box, size) =
      side == .host
      ? (SharedMap.workerBox, SharedMap.workerBoxSize) : (SharedMap.hostBox, SharedMap.hostBoxSize)
    let count = (memory.base + box).load(as: UInt64.self)
    guard count <= UInt64(size - 8) else {
      throw ByteReader.broken("has the invalid length \(count)")
    }
    return ByteReader(
      copying: UnsafeRawBufferPointer(start: memory.base + box + 8, count: Int(count)))
  }

  package func pass() {
    let next = expected &+ 1
    expected = next &+ 1
    tessera_turn_pass(word, next)
  }

  /// Waits without a timeout; only for a worker, which is killed when its host ends.
  package func awaitTurn() {
    let spinning = (memory.base + SharedMap.spinning).load(as: UInt32.self)
    if spinning > 0, spin(nanoseconds: Int64(spinning)) { return }
    while !wait(nanoseconds: -1) {}
  }

  /// False on timeout; doesn't sleep.
  package func spin(nanoseconds: Int64) -> Bool {
    tessera_turn_spin(word, expected, nanoseconds) != 0
  }

  package func wait(nanoseconds: Int64) -> Bool {
    tessera_turn_wait(word, expected, nanoseconds) == 1
  }
}
