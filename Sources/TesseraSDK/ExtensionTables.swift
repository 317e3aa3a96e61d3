import CTessera
import TesseraGeometry

/// All layouts share the tables, except for sizing: its table names a value of the layout.
func layoutExtension(
  engine: UnsafePointer<tessera_engine>, id: UnsafePointer<CChar>
) -> UnsafeRawPointer? {
  let registered = RegisteredEngine.registered(engine)
  switch String(cString: id) {
  case TESSERA_EXT_SNAPPING where registered.type is any SnappingLayout.Type:
    return UnsafeRawPointer(snappingTable)
  case TESSERA_EXT_UPDATES where registered.type is any UpdatingLayout.Type:
    return UnsafeRawPointer(updatesTable)
  case TESSERA_EXT_REORDERING where registered.type is any ReorderingLayout.Type:
    return UnsafeRawPointer(reorderingTable)
  case TESSERA_EXT_SIZING:
    return registered.sizing.map { UnsafeRawPointer($0) }
  default:
    return nil
  }
}

func permanentTable<Table>(_ table: Table) -> UnsafePointer<Table> {
  let place = UnsafeMutablePointer<Table>.allocate(capacity: 1)
  place.initialize(to: table)
  return UnsafePointer(place)
}

nonisolated(unsafe) let snappingTable = permanentTable(
  tessera_snapping(
    struct_size: UInt32(MemoryLayout<tessera_snapping>.stride), reserved: 0,
    resting_offset: { layout, input, velocity, resting in
      call(layout, input, \.snapping) { (snapping, input) throws(LayoutFailure) in
        let proposed = Point(resting.pointee)
        let rest = try snapping.restingOffset(proposed, velocity: Point(velocity), input)
        guard rest.isFinite else {
          throw .failed("the layout would have the scroll rest at \(rest); give finite numbers")
        }
        resting.pointee = tessera_point(rest)
      }
    }))

nonisolated(unsafe) let updatesTable = permanentTable(
  tessera_updates(
    struct_size: UInt32(MemoryLayout<tessera_updates>.stride), reserved: 0,
    begin: { layout, input, updates, count in
      call(layout, input, \.updating) { (updating, input) throws(LayoutFailure) in
        let changes = UnsafeBufferPointer(start: updates, count: Int(clamping: count))
        try updating.begin(changes.compactMap { Update($0) }, input)
      }
    },
    initial_attributes: {
      call($0, $1, $2, \.updating) { (updating, input, output) throws(LayoutFailure) in
        try updating.initialAttributes(input, into: output)
      }
    },
    final_attributes: {
      call($0, $1, $2, \.updating) { (updating, input, output) throws(LayoutFailure) in
        try updating.finalAttributes(input, into: output)
      }
    },
    end: { layout in
      _ = withBound(layout) { bound in
        bound.updating?.end()
        return TESSERA_OK
      }
    }))

/// Throws if the layout does not have a measured value.
func describeSizing(
  _ type: any Layout.Type, _ engine: tessera_engine
) throws(LayoutFailure) -> UnsafePointer<tessera_sizing>? {
  guard let sizing = type as? any SizingLayout.Type else { return nil }
  let values = UnsafeBufferPointer(start: engine.values, count: Int(engine.value_count))
  var measured: [tessera_measured] = []
  for (name, kind) in sizing.measured {
    let scope = kind == nil ? TESSERA_SCOPE_ITEM : TESSERA_SCOPE_SECTION
    let isSound = values.contains {
      String(cString: $0.name) == name && $0.scope == scope
        && [TESSERA_TYPE_SIZE, TESSERA_TYPE_NUMBER].contains($0.type)
    }
    guard isSound else {
      throw .unsupported(
        "measuring supplies \(name), which is no \(kind == nil ? "item" : "section") value of the "
          + "layout's own; name one that is a Size or a Double")
    }
    measured.append(
      tessera_measured(value: permanentText(name), kind: kind.map(permanentText)))
  }
  guard let array = permanentArray(measured) else {
    throw .unsupported("measured is empty; name the value that measuring supplies")
  }
  return permanentTable(
    tessera_sizing(
      struct_size: UInt32(MemoryLayout<tessera_sizing>.stride),
      measured_count: UInt32(measured.count), measured: array,
      estimates: { layout, input, run, sizes, count in
        call(layout, input, \.sizing) { (sizing, input) throws(LayoutFailure) in
          let answer = try sizing.estimates(Run(run.pointee), input)
          try write(answer, "estimates", to: sizes, count, least: 0)
        }
      },
      proposals: { layout, input, run, sizes, count in
        call(layout, input, \.sizing) { (sizing, input) throws(LayoutFailure) in
          let answer = try sizing.proposals(Run(run.pointee), input)
          try write(answer, "proposals", to: sizes, count, least: 1)
        }
      }))
}

/// Fewer sizes than elements repeat.
private func write(
  _ answer: [Size], _ what: String, to sizes: UnsafeMutablePointer<tessera_size>,
  _ count: UnsafeMutablePointer<UInt64>, least: Int
) throws(LayoutFailure) {
  guard UInt64(answer.count) == count.pointee || (least...1).contains(answer.count) else {
    throw .failed(
      "\(what) returned \(answer.count) sizes for \(count.pointee) elements; return as many, or one "
        + "for all")
  }
  for (index, size) in answer.enumerated() { sizes[index] = tessera_size(size) }
  count.pointee = UInt64(answer.count)
}

nonisolated(unsafe) let reorderingTable = permanentTable(
  tessera_reordering(
    struct_size: UInt32(MemoryLayout<tessera_reordering>.stride), reserved: 0,
    target: { layout, input, section, item, point, targetSection, targetItem in
      call(layout, input, \.reordering) { (reordering, input) throws(LayoutFailure) in
        let target = try reordering.target(
          of: ItemPlace(section: Int(section), item: Int(clamping: item)), at: Point(point),
          proposed: ItemPlace(
            section: Int(targetSection.pointee), item: Int(clamping: targetItem.pointee)), input)
        guard let section = UInt32(exactly: target.section), let item = UInt64(exactly: target.item)
        else {
          throw .failed(
            "the layout would put the item at \(target.section), \(target.item); numbers of "
              + "sections and items are 0 or more")
        }
        (targetSection.pointee, targetItem.pointee) = (section, item)
      }
    }))
