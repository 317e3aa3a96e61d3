import CTesseraHost
import TesseraHost

@c @implementation package func tessera_session_update(
  _ pointer: OpaquePointer?, _ edits: In<tessera_edit>, _ editCount: UInt64,
  _ itemCounts: In<UInt64>, _ sectionCount: UInt64, _ supply: tessera_supply?,
  _ context: UnsafeMutableRawPointer?, _ trackCount: Out<UInt64>
) -> Int32 {
  update(pointer, .all, edits, editCount, itemCounts, sectionCount, supply, context, trackCount)
}

@c @implementation package func tessera_session_update_visible(
  _ pointer: OpaquePointer?, _ edits: In<tessera_edit>, _ editCount: UInt64,
  _ itemCounts: In<UInt64>, _ sectionCount: UInt64, _ supply: tessera_supply?,
  _ context: UnsafeMutableRawPointer?, _ trackCount: Out<UInt64>
) -> Int32 {
  update(pointer, .visible, edits, editCount, itemCounts, sectionCount, supply, context, trackCount)
}

private func update(
  _ pointer: OpaquePointer?, _ tracks: UpdateTracks, _ edits: In<tessera_edit>, _ editCount: UInt64,
  _ itemCounts: In<UInt64>, _ sectionCount: UInt64, _ supply: tessera_supply?,
  _ context: UnsafeMutableRawPointer?, _ trackCount: Out<UInt64>
) -> Int32 {
  update(pointer, tracks, supply, context, trackCount) { session in
    let count = try boundedCount(editCount, "edit count", size: MemoryLayout<tessera_edit>.stride)
    let edits = UnsafeBufferPointer(
      start: count == 0 ? nil : try notNull(edits, "edits"), count: count)
    let before = session.itemCounts
    let after = try boundedItemCounts(itemCounts, sectionCount)
    try CountedMemory.require(count, of: UpdateOperation.self)
    var operations: [UpdateOperation] = []
    operations.reserveCapacity(count)
    // Fails at the first operation out of range, before allocating for the rest.
    let most =
      max(
        UInt64(before.max() ?? 0) + UInt64(before.count),
        UInt64(after.max() ?? 0) + UInt64(after.count)) + 1
    for edit in edits {
      let steps = min(UInt64(max(edit.count, 1)), most)
      guard UInt64(operations.count) + steps <= max(UInt64(count), UInt64(TESSERA_HOST_MAX_EDITED))
      else {
        throw HostError(
          .invalidUpdate,
          "the edits change more than \(TESSERA_HOST_MAX_EDITED) items; give fewer, or set the new counts "
            + "with tessera_session_set_sections")
      }
      for step in 0..<steps { operations.append(try UpdateOperation(edit, step)) }
    }
    return try UpdateBatch(operations, before: before, after: after)
  }
}

@c @implementation package func tessera_session_update_identities(
  _ pointer: OpaquePointer?, _ before: In<Text>, _ after: In<Text>, _ itemCounts: In<UInt64>,
  _ sectionCount: UInt64, _ supply: tessera_supply?, _ context: UnsafeMutableRawPointer?,
  _ trackCount: Out<UInt64>
) -> Int32 {
  func identities(_ texts: In<Text>, _ counts: [Int], _ name: StaticString) throws -> [[String]] {
    var next = 0
    return try counts.map { count in
      defer { next += count }
      guard count > 0 else { return [] }
      let texts = try notNull(texts, name)
      _ = try boundedCount(UInt64(count), name, size: MemoryLayout<String>.stride)
      try CountedMemory.require(count, of: String.self)
      return try (next..<next + count).map { try notNullText(texts[$0], "identity") }
    }
  }
  return update(pointer, .all, supply, context, trackCount) { session in
    // Checks the counts before reading anything.
    let new = try identities(
      after, try boundedItemCounts(itemCounts, sectionCount), "identities after")
    return try UpdateBatch(
      from: try identities(before, session.itemCounts, "identities before"), to: new)
  }
}

private func update(
  _ pointer: OpaquePointer?, _ tracks: UpdateTracks, _ supply: tessera_supply?,
  _ context: UnsafeMutableRawPointer?, _ trackCount: Out<UInt64>,
  _ batch: (Session) throws -> UpdateBatch
) -> Int32 {
  session(pointer) { handle in
    let trackCount = try notNull(trackCount, "place for the track count")
    let batch = try batch(handle.session)
    let animation = try handle.session.update(batch, tracks: tracks) { _ throws(HostError) in
      guard let supply else { return }
      let status = handle.supplying { supply(context, pointer) }
      if status != 0 { throw handle.failureOfSupply(status) }
    }
    handle.answer = nil
    handle.animation = animation
    trackCount.pointee = UInt64(animation.tracks.count)
  }
}

extension SessionHandle {
  /// The first failed call in the callback, or else the status.
  fileprivate func failureOfSupply(_ status: Int32) -> HostError {
    switch supplyFailure {
    case let error as HostError: error
    case let misuse?: HostError(.callbackFailed, "\(misuse)")
    case nil: HostError(.callbackFailed, "supplying the new data failed with the status \(status)")
    }
  }
}

extension UpdateOperation {
  /// An item operation, or else a section operation, by index.
  fileprivate init(_ edit: tessera_edit, _ step: UInt64) throws(HostError) {
    let isOfSection = edit.operation >= TESSERA_HOST_OPERATION_INSERT_SECTION
    func place(_ section: UInt64, _ item: UInt64) -> ItemPath {
      func sum(_ number: UInt64, _ more: UInt64) -> Int {
        let (sum, isOver) = number.addingReportingOverflow(more)
        return isOver ? .max : Int(clamping: sum)
      }
      return ItemPath(
        section: sum(section, isOfSection ? step : 0), item: sum(item, isOfSection ? 0 : step))
    }
    let from = place(edit.from_section, edit.from_item)
    let to = place(edit.to_section, edit.to_item)
    switch edit.operation {
    case TESSERA_HOST_OPERATION_INSERT_ITEM: self = .insert(to)
    case TESSERA_HOST_OPERATION_DELETE_ITEM: self = .delete(from)
    case TESSERA_HOST_OPERATION_MOVE_ITEM: self = .move(from, to: to)
    case TESSERA_HOST_OPERATION_RELOAD_ITEM: self = .reload(from)
    case TESSERA_HOST_OPERATION_INSERT_SECTION: self = .insertSection(to.section)
    case TESSERA_HOST_OPERATION_DELETE_SECTION: self = .deleteSection(from.section)
    case TESSERA_HOST_OPERATION_MOVE_SECTION: self = .moveSection(from.section, to: to.section)
    case TESSERA_HOST_OPERATION_RELOAD_SECTION: self = .reloadSection(from.section)
    default:
      throw HostError(
        .invalidUpdate,
        "an edit has the operation \(edit.operation); give TESSERA_HOST_OPERATION_INSERT_ITEM to "
          + "TESSERA_HOST_OPERATION_RELOAD_SECTION, 1 to 8")
    }
  }
}

@c @implementation package func tessera_session_copy_tracks(
  _ pointer: OpaquePointer?, _ first: UInt64, _ from: Out<tessera_element>,
  _ to: Out<tessera_element>, _ fates: Out<UInt32>,
  _ elementSize: UInt64, _ capacity: UInt64, _ count: Out<UInt64>
) -> Int32 {
  session(pointer, reads: true) { handle in
    let count = try notNull(count, "place for the count")
    let origins = try ElementRoom(from, size: elementSize, capacity: capacity)
    let targets = try ElementRoom(to, size: elementSize, capacity: capacity)
    let tracks = try handle.lastAnimation().tracks
    let positions = tracks.indices.dropFirst(Int(clamping: first)).prefix(origins.capacity)
    let before = tracks.columns.before.reader(&handle.kinds)
    let after = tracks.columns.after.reader(&handle.kinds)
    for (place, position) in positions.enumerated() {
      if let (start, end) = tracks.columnPlaces(position) {
        origins.write(before(start), at: place)
        targets.write(after(end), at: place)
        fates?[place] = TESSERA_HOST_FATE_STAYS
        continue
      }
      let track = tracks[position]
      let (before, after) = (track.before ?? track.identity, track.after ?? track.identity)
      origins.write(tessera_element(track.from, as: before, &handle.kinds), at: place)
      targets.write(tessera_element(track.to, as: after, &handle.kinds), at: place)
      fates?[place] = track.fate
    }
    count.pointee = UInt64(positions.count)
  }
}

extension Elements {
  fileprivate func reader(_ kinds: inout KindNumbers) -> (_ place: Int) -> tessera_element {
    let (runs, write) = (memory.runs, writer(kinds: kinds.numbers(of: self.kinds)))
    return { place in
      var element = tessera_element()
      write(place, runs[runs.lastIndex(atOrBefore: place, from: 0)], &element)
      return element
    }
  }
}

@c @implementation package func tessera_session_query_moment(
  _ pointer: OpaquePointer?, _ progress: Double, _ elements: Out<tessera_element>,
  _ elementSize: UInt64, _ capacity: UInt64, _ count: Out<UInt64>
) -> Int32 {
  session(pointer, reads: true) { handle in
    let count = try notNull(count, "place for the count")
    let room = try ElementRoom(elements, size: elementSize, capacity: capacity)
    let moment = try handle.lastAnimation().elements(at: progress)
    for (place, element) in moment.prefix(room.capacity).enumerated() {
      room.write(tessera_element(element, as: element.identity, &handle.kinds), at: place)
    }
    count.pointee = UInt64(moment.count)
  }
}

@c @implementation package func tessera_session_moment_tracks(
  _ pointer: OpaquePointer?, _ progress: Double, _ tracks: Out<UInt64>,
  _ capacity: UInt64, _ count: Out<UInt64>
) -> Int32 {
  session(pointer, reads: true) { handle in
    let count = try notNull(count, "place for the count")
    let room = try boundedCount(capacity, "capacity")
    let tracks = room == 0 ? nil : try notNull(tracks, "place for the tracks")
    let positions = try handle.lastAnimation().trackPositions(at: progress)
    for (place, position) in positions.prefix(room).enumerated() {
      tracks?[place] = UInt64(position)
    }
    count.pointee = UInt64(positions.count)
  }
}

@c @implementation package func tessera_session_query_moment_columns(
  _ pointer: OpaquePointer?, _ progress: Double, _ columns: Out<tessera_columns>,
  _ columnsSize: UInt64
) -> Int32 {
  session(pointer, reads: true) { handle in
    let columns = try ProgramStruct(columns, size: columnsSize, "columns")
    columns.write(handle.keep(try handle.lastAnimation().moment(at: progress).elements))
  }
}

@c @implementation package func tessera_session_moment_content(
  _ pointer: OpaquePointer?, _ progress: Double, _ width: Out<Double>, _ height: Out<Double>,
  _ x: Out<Double>, _ y: Out<Double>
) -> Int32 {
  session(pointer, reads: true) { handle in
    let animation = try handle.lastAnimation()
    let (size, offset) = (animation.contentSize(at: progress), animation.offset(at: progress))
    width?.pointee = size.width
    height?.pointee = size.height
    x?.pointee = offset.x
    y?.pointee = offset.y
  }
}

extension SessionHandle {
  func lastAnimation() throws -> LayoutAnimation {
    guard let animation else {
      throw Misuse(
        "there is no update or transition; call tessera_session_update or "
          + "tessera_session_transition first")
    }
    return animation
  }
}

extension AnimationTrack {
  fileprivate var fate: UInt32 {
    before == nil
      ? TESSERA_HOST_FATE_APPEARS
      : after == nil ? TESSERA_HOST_FATE_DISAPPEARS : TESSERA_HOST_FATE_STAYS
  }
}
