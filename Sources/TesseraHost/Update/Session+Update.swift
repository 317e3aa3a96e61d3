import CTessera
import TesseraGeometry

extension Session {
  /// Applies a batch of changes to the data, and says where each element comes from and goes.
  ///
  /// The sections get the item counts that the batch ends with and forget their values; `supply`
  /// gives the new ones. The offset moves so that what was at the top stays at the top.
  ///
  /// - Parameters:
  ///   - batch: What changes; it starts from the session's item counts.
  ///   - supply: Sets the section and item values of the new data.
  /// - Returns: Every element of both layouts in exactly one track.
  /// - Throws: `.invalidInput` for a batch that starts from other counts, before anything changes;
  ///   what `supply` throws; what the engine refuses.
  /// - Complexity: O(*n*) for the elements before and after.
  public func update(
    _ batch: UpdateBatch, supply: (Session) throws(HostError) -> Void
  ) throws(HostError) -> LayoutAnimation {
    guard batch.before == itemCounts else {
      throw HostError(
        .invalidInput,
        "the batch starts from \(batch.before) items, the layout has \(itemCounts); "
          + "make it from the layout's counts")
    }
    let old = try elements()
    let sizeBefore = try contentSize()
    let offsetBefore = offset
    let anchor = ScrollAnchor(of: old, in: visibleRect, batch)
    let operations = batch.operations.map(\.contract)
    try tellUpdate(operations)
    defer { tellUpdateEnd() }
    let measured = values.sizing
    try setSections(batch.after)
    try supply(self)
    try adoptSizes(from: measured, batch)
    try settle { .everything }
    let sizeAfter = try contentSize()
    if let anchor, let element = try element(anchor.destination) {
      offset = anchor.offset(
        from: offsetBefore, to: element.frame, content: sizeAfter, self)
    }
    let new = try elements()
    var pairing = ElementPairing(old: old, new: new, batch)
    let shapes = UpdateShapes(session: self)
    pairing.appearing = try shapes.initial(pairing.appearing)
    pairing.disappearing = try shapes.final(pairing.disappearing, countsBefore: batch.before)
    return LayoutAnimation(
      tracks: pairing.tracks, attributes: new.attributes, contentSizeBefore: sizeBefore,
      contentSizeAfter: sizeAfter, offsetBefore: offsetBefore, offsetAfter: offset)
  }

  /// Keeps the measured sizes of items that stay and are offered what they were offered.
  private func adoptSizes(
    from old: SizingColumn?, _ batch: UpdateBatch
  ) throws(HostError) {
    guard let old else { return }
    try refreshSizing()
    guard let new = values.sizing else { return }
    let before = try SectionStarts(counts: batch.before)
    for section in batch.after.indices {
      for (item, index) in starts.items(inSection: section).enumerated() {
        guard let origin = batch.origin(of: ItemPath(section: section, item: item)),
          !batch.isReloaded(origin),
          old.proposal(section: origin.section) == new.proposal(section: section)
        else { continue }
        new.adopt(
          index, from: old, before.items(inSection: origin.section).lowerBound + origin.item)
      }
    }
  }

  /// Tells the engines of the chain, bases first, what is about to change.
  private func tellUpdate(_ operations: [tessera_update]) throws(HostError) {
    guard let layout = prepared else { return }
    chain.given = given(layout)
    chain.begin(.function, in: chain.prepared)
    defer { chain.state.call = .none }
    for layer in chain.layers.reversed() {
      guard let begin = layer.updates?.begin else { continue }
      let status = operations.withUnsafeBufferPointer { buffer in
        chain.traced("updates.begin(\(operations.count) operations)") {
          chain.withInput(layer) {
            // A batch without operations has no address; the count says that it is empty.
            begin(layer.instance, $0, buffer.baseAddress ?? noUpdate, UInt64(buffer.count))
          }
        } result: {
          "status \($0)"
        }
      }
      layer.isInUpdate = true
      do throws(HostError) {
        try chain.check(status, "updates.begin", in: chain.prepared)
      } catch {
        tellUpdateEnd()
        throw error
      }
    }
  }

  private func tellUpdateEnd() {
    for layer in chain.layers.reversed() where layer.isInUpdate {
      layer.isInUpdate = false
      chain.traced("updates.end()") {
        layer.updates?.end?(layer.instance)
      } result: { _ in
        "done"
      }
    }
  }
}

/// What an engine is handed where there are no operations.
private nonisolated(unsafe) let noUpdate: UnsafePointer<tessera_update> = {
  let empty = UnsafeMutablePointer<tessera_update>.allocate(capacity: 1)
  empty.initialize(to: tessera_update())
  return UnsafePointer(empty)
}()

extension UpdateOperation {
  /// The operation as the contract writes it.
  fileprivate var contract: tessera_update {
    func make(
      _ operation: tessera_operation, from: ItemPath = ItemPath(section: 0, item: 0),
      to: ItemPath = ItemPath(section: 0, item: 0)
    ) -> tessera_update {
      tessera_update(
        operation: operation, from_section: UInt32(from.section), from_item: UInt64(from.item),
        to_section: UInt32(to.section), reserved: 0, to_item: UInt64(to.item))
    }
    func section(_ number: Int) -> ItemPath { ItemPath(section: number, item: 0) }
    return switch self {
    case .insert(let path): make(TESSERA_INSERT_ITEM, to: path)
    case .delete(let path): make(TESSERA_DELETE_ITEM, from: path)
    case .move(let path, let target): make(TESSERA_MOVE_ITEM, from: path, to: target)
    case .reload(let path): make(TESSERA_RELOAD_ITEM, from: path)
    case .insertSection(let number): make(TESSERA_INSERT_SECTION, to: section(number))
    case .deleteSection(let number): make(TESSERA_DELETE_SECTION, from: section(number))
    case .moveSection(let number, let target):
      make(TESSERA_MOVE_SECTION, from: section(number), to: section(target))
    case .reloadSection(let number): make(TESSERA_RELOAD_SECTION, from: section(number))
    }
  }
}
