import CTessera
import Synchronization

/// An engine's description with what the bridge needs to make its layouts.
///
/// The description is the first field, so the host's pointer to it is a pointer to the record: a C
/// function cannot capture the type of the layout.
struct EngineRecord {
  let engine: tessera_engine
  let type: any Layout.Type
  /// The table for items that are measured; nil where the layout measures none.
  let sizing: UnsafePointer<tessera_sizing>?

  /// The record of a layout's type: the same one, at the same place, however often it is asked for.
  ///
  /// - Throws: A declaration that no engine can have.
  static func permanent(
    for type: any Layout.Type
  ) throws(LayoutFailure) -> UnsafePointer<tessera_engine> {
    let record = try records.withLock { (records) throws(LayoutFailure) in
      let key = ObjectIdentifier(type)
      if let known = records[key] { return known }
      let engine = try describeEngine(type)
      let place = UnsafeMutablePointer<EngineRecord>.allocate(capacity: 1)
      place.initialize(
        to: EngineRecord(engine: engine, type: type, sizing: try describeSizing(type)))
      let made = PermanentRecord(pointer: UnsafePointer(place))
      records[key] = made
      return made
    }
    return UnsafeRawPointer(record.pointer).assumingMemoryBound(to: tessera_engine.self)
  }

  /// The record of the engine that the host names.
  static func record(of engine: UnsafePointer<tessera_engine>) -> EngineRecord {
    UnsafeRawPointer(engine).assumingMemoryBound(to: EngineRecord.self).pointee
  }

  /// The layout's type of the engine that the host names.
  static func type(of engine: UnsafePointer<tessera_engine>) -> any Layout.Type {
    record(of: engine).type
  }

  private struct PermanentRecord: @unchecked Sendable {
    // Never changed and never freed.
    let pointer: UnsafePointer<EngineRecord>
  }

  private static let records = Mutex<[ObjectIdentifier: PermanentRecord]>([:])
}
