import CTesseraSystem

/// Executable memory for one C function, got before the function's signature is known.
///
/// A process that is about to give up the right to executable memory makes as many as it may need
/// first, and passes each to the `DelegateFunction` that it becomes.
final class ClosureMemory {
  let pointer: OpaquePointer

  /// - Throws: `.refused` where the system gives no executable memory.
  init() throws(HostError) {
    guard let pointer = tessera_closure_create() else {
      throw HostError(
        .refused,
        "the system gives no executable memory, which delegate functions need; allow it, or give "
          + "no delegate functions")
    }
    self.pointer = pointer
  }

  deinit { tessera_closure_destroy(pointer) }
}
