import CTesseraSystem
import TesseraCatalog
import TesseraRuntime

/// One side of the talk between a host and its worker: boxes for messages in the memory that both
/// share, and a word that says whose turn it is.
package final class Channel {
  /// Which side.
  package enum Side { case host, worker }

  /// How the turn is passed.
  package enum Path: UInt8 {
    /// Through the word alone, where threads can wait for it.
    case memory = 0
    /// A byte over the socket.
    case socket = 1
  }

  private let memory: SharedMemory
  private let side: Side
  private let path: Path
  private let socket: Int32
  /// What the word holds when it is this side's turn next.
  private var expected: UInt32

  package init(memory: SharedMemory, side: Side, path: Path, socket: Int32) {
    self.memory = memory
    self.side = side
    self.path = path
    self.socket = socket
    // The worker is started with the turn its own: its first message says that it is ready.
    expected = side == .host ? 2 : 1
    if side == .host { word.pointee = 1 }
  }

  private var word: UnsafeMutablePointer<UInt32> {
    (memory.base + SharedMap.turn).assumingMemoryBound(to: UInt32.self)
  }

  /// Which path threads of different processes can use here.
  package static func availablePath(_ memory: SharedMemory) -> Path {
    let word = (memory.base + SharedMap.turn).assumingMemoryBound(to: UInt32.self)
    return tessera_turn_is_available(word) != 0 ? .memory : .socket
  }

  /// Puts a message into this side's box, for the other side's next turn.
  ///
  /// - Throws: `.brokenContract` for one that the box cannot hold.
  package func put(_ message: ByteWriter) throws(HostError) {
    let (box, size) =
      side == .host
      ? (SharedMap.hostBox, SharedMap.hostBoxSize) : (SharedMap.workerBox, SharedMap.workerBoxSize)
    let count = message.bytes.count
    guard count <= size - 8 else {
      throw HostError(
        .brokenContract,
        "what it says takes \(count) bytes; at most \(size - 8) cross between two processes")
    }
    (memory.base + box).storeBytes(of: UInt64(count), as: UInt64.self)
    message.bytes.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress {
        (memory.base + box + 8).copyMemory(from: base, byteCount: count)
      }
    }
  }

  /// Copies the message in the other side's box.
  ///
  /// - Throws: `.brokenContract` for a length that no message can have.
  package func take() throws(HostError) -> ByteReader {
    let (box, size) =
      side == .host
      ? (SharedMap.workerBox, SharedMap.workerBoxSize) : (SharedMap.hostBox, SharedMap.hostBoxSize)
    let count = (memory.base + box).load(as: UInt64.self)
    guard count <= UInt64(size - 8) else {
      throw ByteReader.broken("is said to have \(count) bytes")
    }
    return ByteReader(
      copying: UnsafeRawBufferPointer(start: memory.base + box + 8, count: Int(count)))
  }

  /// Gives the other side its turn.
  package func pass() {
    let next = expected &+ 1
    expected = next &+ 1
    switch path {
    case .memory: tessera_turn_pass(word, next)
    case .socket: _ = tessera_turn_pass_by_socket(word, next, socket)
    }
  }

  /// Waits for this side's turn for as long as it takes.
  ///
  /// A worker waits so: it is killed with its host.
  package func awaitTurn() {
    while !wait(nanoseconds: -1) {}
  }

  /// Waits for this side's turn; false where it does not come in time.
  package func wait(nanoseconds: Int64) -> Bool {
    switch path {
    case .memory: tessera_turn_wait(word, expected, nanoseconds) == 1
    case .socket: tessera_turn_wait_by_socket(word, expected, socket, nanoseconds) == 1
    }
  }
}
