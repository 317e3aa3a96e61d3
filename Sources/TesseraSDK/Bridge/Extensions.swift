import CTessera
import Glibc
import TesseraGeometry

/// The tables of functions for extensions, the same for every layout of the SDK.
func layoutExtension(
  engine: UnsafePointer<tessera_engine>, id: UnsafePointer<CChar>
) -> UnsafeRawPointer? {
  guard strcmp(id, TESSERA_SNAPPING) == 0, EngineRecord.type(of: engine) is any SnappingLayout.Type
  else { return nil }
  return UnsafeRawPointer(snappingTable)
}

// Never changed and never freed.
private nonisolated(unsafe) let snappingTable: UnsafePointer<tessera_snapping> = {
  let table = UnsafeMutablePointer<tessera_snapping>.allocate(capacity: 1)
  table.initialize(
    to: tessera_snapping(
      struct_size: UInt32(MemoryLayout<tessera_snapping>.stride), reserved: 0,
      resting_offset: layoutRestingOffset))
  return UnsafePointer(table)
}()

private func layoutRestingOffset(
  layout: OpaquePointer?, input: UnsafePointer<tessera_input>, velocity: tessera_point,
  resting: UnsafeMutablePointer<tessera_point>
) -> tessera_status {
  withBound(layout) { bound in
    guard let snapping = bound.abilities.snapping else { return TESSERA_UNSUPPORTED }
    return bound.call(input) { (input) throws(LayoutFailure) in
      let proposed = Point(resting.pointee)
      let rest = try snapping.restingOffset(proposed, velocity: Point(velocity), input)
      guard rest.isFinite else {
        throw .failed("the layout would have the scroll rest at \(rest); give finite numbers")
      }
      resting.pointee = tessera_point(rest)
    }
  }
}
