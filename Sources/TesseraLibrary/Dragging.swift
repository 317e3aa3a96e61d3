import CTesseraHost
import TesseraGeometry
import TesseraHost

// Dragged items and measured sizes.

@c @implementation package func tessera_session_drag_begin(
  _ pointer: OpaquePointer?, _ section: UInt64, _ item: UInt64
) -> Int32 { session(pointer) { try $0.session.beginReordering(path(section, item)) } }

@c @implementation package func tessera_session_drag_to(
  _ pointer: OpaquePointer?, _ x: Double, _ y: Double, _ section: Out<UInt64>, _ item: Out<UInt64>
) -> Int32 {
  session(pointer) { handle in
    let target = try handle.session.drag(to: Point(x: x, y: y))
    section?.pointee = UInt64(target.section)
    item?.pointee = UInt64(target.item)
  }
}

@c @implementation package func tessera_session_drag_held(
  _ pointer: OpaquePointer?, _ element: Out<tessera_element>, _ elementSize: UInt64
) -> Int32 {
  find(pointer, element, elementSize) {
    guard let held = try $0.heldElement() else {
      throw HostError(
        .elementNotFound, "no item is held; pick one up with tessera_session_drag_begin")
    }
    return held
  }
}

@c @implementation package func tessera_session_drag_end(
  _ pointer: OpaquePointer?, _ edit: Out<tessera_edit>, _ editCount: Out<UInt64>
) -> Int32 {
  session(pointer) { handle in
    let edit = try notNull(edit, "place for the edit")
    let count = try notNull(editCount, "place for the edit count")
    let batch = try handle.session.endReordering()
    count.pointee = UInt64(batch.operations.count)
    edit.pointee = tessera_edit()
    guard case .move(let origin, let target)? = batch.operations.first else { return }
    edit.pointee = tessera_edit(
      operation: TESSERA_HOST_OPERATION_MOVE_ITEM, count: 1, from_section: UInt64(origin.section),
      from_item: UInt64(origin.item), to_section: UInt64(target.section),
      to_item: UInt64(target.item))
  }
}

@c @implementation package func tessera_session_drag_cancel(_ pointer: OpaquePointer?) -> Int32 {
  session(pointer) { try $0.session.cancelReordering() }
}

@c @implementation package func tessera_session_set_measured(
  _ pointer: OpaquePointer?, _ kind: Text, _ section: UInt64, _ first: UInt64,
  _ sizes: In<Double>, _ count: UInt64
) -> Int32 {
  session(pointer) { handle in
    let kind = try optionalText(kind, "kind's name")
    let count = try boundedCount(count, "count", size: 16)
    guard count > 0 else { return }
    let numbers = try notNull(sizes, "sizes")
    let sizes = (0..<count).map { Size(width: numbers[2 * $0], height: numbers[2 * $0 + 1]) }
    guard let kind else {
      return try handle.session.setMeasuredSizes(sizes, from: path(section, first))
    }
    guard count == 1, first == 0 else {
      throw HostError(
        .invalidValue, "there is one \(kind) in a section; give item 0 and the count 1")
    }
    try handle.session.setMeasuredSize(sizes[0], ofKind: kind, inSection: Int(clamping: section))
  }
}

@c @implementation package func tessera_session_withdraw_measured(
  _ pointer: OpaquePointer?, _ kind: Text, _ section: UInt64, _ first: UInt64, _ count: UInt64
) -> Int32 {
  session(pointer) {
    try $0.session.withdrawMeasuredSizes(
      ofKind: try optionalText(kind, "kind's name"), from: path(section, first),
      count: Int(clamping: count))
  }
}

@c @implementation package func tessera_session_proposed_size(
  _ pointer: OpaquePointer?, _ kind: Text, _ section: UInt64, _ item: UInt64,
  _ width: Out<Double>, _ height: Out<Double>
) -> Int32 {
  session(pointer) { handle in
    let width = try notNull(width, "place for the width")
    let height = try notNull(height, "place for the height")
    let offer = try handle.session.proposedSize(
      ofKind: try optionalText(kind, "kind's name"), at: path(section, item))
    (width.pointee, height.pointee) = (offer.width, offer.height)
  }
}

private func path(_ section: UInt64, _ item: UInt64) -> ItemPath {
  ItemPath(section: Int(clamping: section), item: Int(clamping: item))
}
