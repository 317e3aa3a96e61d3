import CTessera
import TesseraGeometry

nonisolated(unsafe) let snappingTable = permanentTable(
  tessera_snapping(
    struct_size: UInt32(MemoryLayout<tessera_snapping>.stride), reserved: 0,
    resting_offset: layoutRestingOffset))

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
