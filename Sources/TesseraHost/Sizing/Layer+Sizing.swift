import CTessera

extension Layer {
  /// The engine's own table for items that are measured; nil where it has none.
  var sizing: tessera_sizing? {
    guard let table = record.table.extension?(record.pointer, TESSERA_SIZING) else { return nil }
    let sizing = table.assumingMemoryBound(to: tessera_sizing.self).pointee
    return sizing.struct_size >= UInt32(MemoryLayout<tessera_sizing>.size) ? sizing : nil
  }
}
