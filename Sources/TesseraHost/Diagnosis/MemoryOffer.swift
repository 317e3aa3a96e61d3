import CTesseraSystem

/// The memory that a host needs of the system beside the ordinary.
public struct MemoryOffer: Sendable, Equatable {
  /// Why there is no memory for two processes; nil where there is.
  public let sharedError: String?
  /// Whether two processes can wait for each other in it; where not, a socket does, slower.
  public let waitsInMemory: Bool
  /// Whether functions can be made at run time, as delegate functions are.
  public let isExecutable: Bool

  static func ofThisMachine() -> MemoryOffer {
    let closure = tessera_closure_create()
    defer { if let closure { tessera_closure_destroy(closure) } }
    do throws(HostError) {
      let memory = try SharedMemory(
        named: "tessera-trial", byteCount: SharedMap.describing.byteCount, isReadOnly: false)
      let path = Channel.availablePath(memory)
      return MemoryOffer(
        sharedError: nil, waitsInMemory: path == .memory, isExecutable: closure != nil)
    } catch {
      return MemoryOffer(
        sharedError: error.message, waitsInMemory: false, isExecutable: closure != nil)
    }
  }
}
