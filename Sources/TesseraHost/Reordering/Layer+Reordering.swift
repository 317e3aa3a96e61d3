import CTessera

extension Layer {
  typealias ReorderingTarget =
    @convention(c) (
      OpaquePointer?, UnsafePointer<tessera_input>, UInt32, UInt64, tessera_point,
      UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<UInt64>
    ) -> tessera_status

  /// The engine's own answer to where a dragged item goes; nil where it has none.
  var reorderingTarget: ReorderingTarget? {
    guard let table = record.table.extension?(record.pointer, TESSERA_REORDERING) else {
      return nil
    }
    let reordering = table.assumingMemoryBound(to: tessera_reordering.self).pointee
    let size = UInt32(MemoryLayout<tessera_reordering>.size)
    return reordering.struct_size >= size ? reordering.target : nil
  }
}
