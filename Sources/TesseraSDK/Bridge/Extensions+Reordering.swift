import CTessera
import TesseraGeometry

nonisolated(unsafe) let reorderingTable = permanentTable(
  tessera_reordering(
    struct_size: UInt32(MemoryLayout<tessera_reordering>.stride), reserved: 0,
    target: layoutTarget))

private func layoutTarget(
  layout: OpaquePointer?, input: UnsafePointer<tessera_input>, section: UInt32, item: UInt64,
  point: tessera_point, targetSection: UnsafeMutablePointer<UInt32>,
  targetItem: UnsafeMutablePointer<UInt64>
) -> tessera_status {
  withBound(layout) { bound in
    guard let reordering = bound.abilities.reordering else { return TESSERA_UNSUPPORTED }
    return bound.call(input) { (input) throws(LayoutFailure) in
      let target = try reordering.target(
        of: ItemPlace(section: Int(section), item: Int(clamping: item)), at: Point(point),
        proposed: ItemPlace(
          section: Int(targetSection.pointee), item: Int(clamping: targetItem.pointee)), input)
      guard let section = UInt32(exactly: target.section), let item = UInt64(exactly: target.item)
      else {
        throw .failed(
          "the layout would put the item at \(target.section), \(target.item); numbers of sections "
            + "and items are 0 or more")
      }
      targetSection.pointee = section
      targetItem.pointee = item
    }
  }
}
