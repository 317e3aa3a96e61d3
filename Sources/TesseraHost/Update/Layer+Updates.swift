import CTessera

extension Layer {
  /// The engine's own table for batches of changes; nil where it has none.
  var updates: tessera_updates? {
    guard let table = record.table.extension?(record.pointer, TESSERA_UPDATES) else { return nil }
    let updates = table.assumingMemoryBound(to: tessera_updates.self).pointee
    return updates.struct_size >= UInt32(MemoryLayout<tessera_updates>.size) ? updates : nil
  }
}
