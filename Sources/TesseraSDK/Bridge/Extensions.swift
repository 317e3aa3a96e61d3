import CTessera

/// The tables of functions for extensions, the same for every layout of the SDK but that of sizing,
/// which names a value of the layout's own.
func layoutExtension(
  engine: UnsafePointer<tessera_engine>, id: UnsafePointer<CChar>
) -> UnsafeRawPointer? {
  let record = EngineRecord.record(of: engine)
  switch String(cString: id) {
  case TESSERA_SNAPPING where record.type is any SnappingLayout.Type:
    return UnsafeRawPointer(snappingTable)
  case TESSERA_UPDATES where record.type is any UpdatingLayout.Type:
    return UnsafeRawPointer(updatesTable)
  case TESSERA_REORDERING where record.type is any ReorderingLayout.Type:
    return UnsafeRawPointer(reorderingTable)
  case TESSERA_SIZING:
    return record.sizing.map { UnsafeRawPointer($0) }
  default:
    return nil
  }
}

/// A table that is never changed and never freed.
func permanentTable<Table>(_ table: Table) -> UnsafePointer<Table> {
  let place = UnsafeMutablePointer<Table>.allocate(capacity: 1)
  place.initialize(to: table)
  return UnsafePointer(place)
}
