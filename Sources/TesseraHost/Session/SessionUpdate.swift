import CTessera
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime
import TesseraWorker

extension Session {
  /// Applies a batch update and returns how each element moves, appears or disappears.
  ///
  /// Sections get the new item counts and lose their values; `supply` sets new ones. The first
  /// visible cell stays in place.
  ///
  /// - Throws: `.invalidInput` before any change for a batch from other counts; errors of `supply`.
  /// - Complexity: O(*n*); with `.visible`, a prepare (rarely two) and O(*k* log *n*).
  public func update(
    _ batch: UpdateBatch, tracks: UpdateTracks = .all, supply: (Session) throws(HostError) -> Void
  ) throws(HostError) -> LayoutAnimation {
    enter()
    defer { leave() }
    guard batch.before == itemCounts else {
      throw HostError(
        .invalidUpdate,
        "the batch starts from \(batch.before) items, the layout has \(itemCounts); make it from "
          + "the layout's counts")
    }
    var earlier: EarlierLayout
    switch tracks {
    case .all: earlier = EarlierLayout(try elements(), of: self)
    case .visible: earlier = try EarlierLayout(near: self, batch)
    }
    let layout = try prepareIfNeeded()
    earlier.contentSize = layout.contentSize
    if runner.traits.hasUpdates {
      let operations = batch.operations.map(\.contract)
      try runner.ask(BeginUpdateQuestion(operations: operations), context(layout))
    }
    let animation: LayoutAnimation
    do throws(HostError) {
      animation = try apply(from: &earlier, batch, tracks, supply: supply)
    } catch {
      // Report the first error.
      try? endUpdate()
      throw error
    }
    try endUpdate()
    return animation
  }

  private func endUpdate() throws(HostError) {
    guard runner.traits.hasUpdates, !runner.isLost else { return }
    try runner.ask(EndUpdateQuestion(), CallContext(viewport: viewport))
  }

  private func apply(
    from earlier: inout EarlierLayout, _ batch: UpdateBatch, _ tracks: UpdateTracks,
    supply: (Session) throws(HostError) -> Void
  ) throws(HostError) -> LayoutAnimation {
    let anchor = ScrollAnchor(of: earlier.elements, in: visibleRect, batch)
    let offsetBefore = offset
    let measured = values.sizing
    try setSections(batch.after)
    try supply(self)
    earlier.noteSplices()
    try adoptSizes(from: measured, batch)
    if let anchor, values.isMeasuring {
      // Measure what will likely be in sight, or the first prepare uses estimates.
      try measureCells(
        from: ItemPath(section: anchor.destination.section, item: anchor.destination.item),
        count: earlier.visibleCells.count)
    }
    if tracks == .all { try measuredLayout { .everything } }
    let sizeAfter = try contentSize()
    // Usually the anchor is still near and hasn't moved.
    var seen = tracks == .all || values.isMeasuring ? nil : try nearbyElements()
    if let anchor {
      var frame = seen.flatMap { seen in
        seen.position(of: anchor.destination).map { seen.memory.frames[$0] }
      }
      if frame == nil { frame = try element(anchor.destination)?.frame }
      let moved = frame.map { anchor.offset(from: offsetBefore, to: $0, content: sizeAfter, self) }
      if let moved, moved != offset, Viewport.isValid(moved) { (offset, seen) = (moved, nil) }
    }
    var layouts: PairedLayouts
    switch tracks {
    case .visible:
      let new = if let seen { seen } else { try nearbyElements() }
      layouts = try PairedLayouts(
        earlier.elements, new, batch, sight: (earlier.visibleRect, visibleRect),
        origins: { (appearing) throws(HostError) in
          try lookUpOrigins(of: appearing, earlier, batch)
        },
        destinations: { (leaving) throws(HostError) in
          try lookUp(leaving, as: { batch.destination(of: $0) })
        })
    case .all: layouts = PairedLayouts(earlier.elements, try elements(), batch)
    }
    if runner.traits.hasUpdates {
      layouts.starts = try shape(layouts.appearing, appears: true)
      layouts.ends = try shape(layouts.disappearing, appears: false)
    }
    return LayoutAnimation(
      AnimationTracks(layouts), attributes: layouts.after.attributes,
      contentSizeBefore: earlier.contentSize, contentSizeAfter: try contentSize(),
      offsetBefore: offsetBefore, offsetAfter: offset)
  }

  /// Keeps sizes of elements that stay and have the same proposal.
  private func adoptSizes(from columns: [SizingColumn], _ batch: UpdateBatch) throws(HostError) {
    guard !columns.isEmpty else { return }
    try refreshSizing()
    let before = try SectionStarts(counts: batch.before)
    for old in columns {
      guard let new = values.sizing.first(where: { $0.kind == old.kind }) else { continue }
      if old.kind == nil {
        for section in batch.before.indices {
          for (item, index) in before.items(inSection: section).enumerated()
          where old.isMeasured(index) {
            let origin = ItemPath(section: section, item: item)
            guard !batch.isReloaded(origin), let place = batch.destination(of: origin) else {
              continue
            }
            new.adopt(
              input.starts.items(inSection: place.section).lowerBound + place.item, from: old, index
            )
          }
        }
      } else {
        // Supplementary elements are few: ask again where the program answers.
        for section in batch.after.indices {
          guard let origin = batch.origin(ofSection: section), !batch.isSectionReloaded(origin)
          else { continue }
          new.adopt(section, from: old, origin, onlyGiven: measureSupplementary != nil)
        }
      }
      new.compare(with: old)
    }
  }
}

/// Which elements of an update get a track.
public enum UpdateTracks: Sendable {
  case all
  /// Elements in the viewport before or after.
  case visible
}

extension UpdateOperation {
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
    case .insert(let path): make(TESSERA_OPERATION_INSERT_ITEM, to: path)
    case .delete(let path): make(TESSERA_OPERATION_DELETE_ITEM, from: path)
    case .move(let path, let target): make(TESSERA_OPERATION_MOVE_ITEM, from: path, to: target)
    case .reload(let path): make(TESSERA_OPERATION_RELOAD_ITEM, from: path)
    case .insertSection(let number): make(TESSERA_OPERATION_INSERT_SECTION, to: section(number))
    case .deleteSection(let number): make(TESSERA_OPERATION_DELETE_SECTION, from: section(number))
    case .moveSection(let number, let target):
      make(TESSERA_OPERATION_MOVE_SECTION, from: section(number), to: section(target))
    case .reloadSection(let number): make(TESSERA_OPERATION_RELOAD_SECTION, from: section(number))
    }
  }
}

struct ScrollAnchor {
  let frame: Rect
  let destination: ElementIdentity

  /// The first visible cell, top to bottom then left to right, that the batch keeps.
  init?(of elements: Elements, in viewport: Rect, _ batch: UpdateBatch) {
    var best: (frame: Rect, destination: ItemPath)?
    let frames = elements.memory.frames
    for run in elements.memory.runs where run.category == .cell {
      for place in run.row..<run.row + run.count {
        let frame = frames[place]
        if let best, (best.frame.y, best.frame.x) <= (frame.y, frame.x) { continue }
        let path = ItemPath(section: Int(run.section), item: run.item(atRow: place))
        guard frame.intersects(viewport), let destination = batch.destination(of: path)
        else { continue }
        best = (frame, destination)
      }
    }
    guard let best else { return nil }
    frame = best.frame
    destination = .cell(section: best.destination.section, item: best.destination.item)
  }

  /// Clamped to the content.
  func offset(from offset: Point, to new: Rect, content: Size, _ session: Session) -> Point {
    let insets = session.contentInsets
    let bounds = session.bounds
    func clamp(_ value: Double, _ low: Double, _ high: Double) -> Double {
      max(low, min(value, high))
    }
    return Point(
      x: clamp(
        offset.x + new.x - frame.x, min(offset.x, -insets.left),
        max(offset.x, content.width + insets.right - bounds.width)),
      y: clamp(
        offset.y + new.y - frame.y, min(offset.y, -insets.top),
        max(offset.y, content.height + insets.bottom - bounds.height)))
  }
}

extension Session {
  /// Where elements appear from or disappear to; the latter have old section numbers.
  fileprivate func shape(_ elements: [Element], appears: Bool) throws(HostError) -> [Element] {
    guard !elements.isEmpty, let layout = state.layout else { return elements }
    let store = try runner.answerStore(limit: elements.count, columns: .all)
    for element in elements { load(element, into: store, mirrorWidth(layout)) }
    guard store.rowCount == elements.count else { throw tooMany(elements.count) }
    try runner.ask(AppearanceQuestion(appears: appears), context(layout), rows: store)
    let columns = try ElementColumns(
      kinds: runner.numbering.kinds, attributes: runner.numbering.attributes,
      capacity: store.rowCount)
    for run in store.runs {
      try gather(run, run.row..<run.row + run.count, of: store, layout, into: columns)
    }
    return Array(Elements(columns))
  }

  private func load(_ element: Element, into store: RowStore, _ width: Double?) {
    let kind = runner.numbering.kinds.firstIndex { $0.name == element.identity.kind } ?? 0
    let run = Run(
      category: element.identity.category, kind: UInt32(kind),
      section: UInt32(element.identity.section), firstItem: UInt64(element.identity.item),
      count: 1, row: 0)
    guard let added = store.append(run) else { return }
    store.write(element, at: added.row, attributes: runner.numbering.attributes, mirroredIn: width)
  }
}

extension Session {
  /// `identity` maps old elements to this layout; returns the found ones by old identity.
  fileprivate func lookUp(
    _ elements: [ElementIdentity], as identity: (ElementIdentity) -> ElementIdentity?
  ) throws(HostError) -> [ElementIdentity: Element] {
    var found: [ElementIdentity: Element] = [:]
    for other in elements {
      guard let own = identity(other) else { continue }
      found[other] = try element(own)
    }
    return found
  }
}

extension LayoutAnimation {
  /// Creates a transition between sessions over the same items, for visible elements only.
  ///
  /// - Throws: The errors of queries.
  /// - Complexity: As a query of each viewport, and a look-up of each element that is visible in
  ///   only one.
  public init(fromVisible before: Session, to after: Session) throws(HostError) {
    before.enter()
    defer { before.leave() }
    after.enter()
    defer { after.leave() }
    let (old, new) = (try before.visibleElements(), try after.visibleElements())
    let attributes = Self.union(old.attributes, new.attributes)
    var layouts = try PairedLayouts(
      old, new, nil, sight: (before.visibleRect, after.visibleRect),
      origins: { (appearing) throws(HostError) in try before.lookUp(appearing, as: { $0 }) },
      destinations: { (leaving) throws(HostError) in try after.lookUp(leaving, as: { $0 }) })
    layouts.adopt(
      (
        AttributeAdoption(from: old.attributes, to: attributes),
        AttributeAdoption(from: new.attributes, to: attributes)
      ))
    self.init(
      AnimationTracks(layouts), attributes: attributes,
      contentSizeBefore: try before.contentSize(), contentSizeAfter: try after.contentSize(),
      offsetBefore: before.offset, offsetAfter: after.offset)
  }
}
