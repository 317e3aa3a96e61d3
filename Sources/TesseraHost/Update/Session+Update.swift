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
    let layout = try prepareIfNeeded()
    let sizeBefore = layout.contentSize
    let offsetBefore = offset
    let anchor = ScrollAnchor(of: old, in: visibleRect, batch)
    try runner.beginUpdate(batch.operations.map(\.contract), given(layout))
    isUpdating = true
    let animation: LayoutAnimation
    do throws(HostError) {
      animation = try apply(
        from: old, sizeBefore, offsetBefore, anchor, batch, supply: supply)
    } catch {
      isUpdating = false
      // The first error is the one that counts.
      try? runner.endUpdate()
      throw error
    }
    isUpdating = false
    try runner.endUpdate()
    return animation
  }

  /// Applies a batch that the engines know of.
  private func apply(
    from old: Elements, _ sizeBefore: Size, _ offsetBefore: Point, _ anchor: ScrollAnchor?,
    _ batch: UpdateBatch, supply: (Session) throws(HostError) -> Void
  ) throws(HostError) -> LayoutAnimation {
    let measured = values.sizing
    try setSections(batch.after)
    try supply(self)
    try adoptSizes(from: measured, batch)
    try settle { .everything }
    let sizeAfter = try contentSize()
    if let anchor, let element = try element(anchor.destination) {
      let moved = anchor.offset(
        from: offsetBefore, to: element.frame, content: sizeAfter, self)
      if Surroundings.isSound(moved) { offset = moved }
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
}

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
