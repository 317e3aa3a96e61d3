import CTessera

/// An engine of a loaded library.
///
/// Libraries are never unloaded, so what it points to stays.
final class EngineRecord: @unchecked Sendable {
  /// The engine's own struct, which it is handed back.
  let pointer: UnsafePointer<tessera_engine>
  /// The host's copy of its functions.
  let table: tessera_engine
  let description: EngineDescription

  init(
    pointer: UnsafePointer<tessera_engine>, table: tessera_engine, description: EngineDescription
  ) {
    self.pointer = pointer
    self.table = table
    self.description = description
  }
}
