import CTessera
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime
import TesseraWorker

extension Session {
  /// Applies a batch update to the data, and returns how each element moves, appears or disappears.
  ///
  /// The sections get the batch's new item counts and lose their values; `supply` sets the new ones.
  /// The offset moves so that the first visible cell stays in place.
  ///
  /// - Parameters:
  ///   - batch: The changes, which start from the session's item counts.
  ///   - supply: Sets the section and item values of the new data.
  /// - Returns: An animation with exactly one track for each element of both layouts.
  /// - Throws: `.invalidInput` for a batch that starts from other counts, before anything changes; the
  ///   errors of `supply`; the error that the engine reports.
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
    try runner.beginUpdate(batch.operations.map(\.contract), context(layout))
    isUpdating = true
    let animation: LayoutAnimation
    do throws(HostError) {
      animation = try apply(
        from: old, sizeBefore, offsetBefore, anchor, batch, supply: supply)
    } catch {
      isUpdating = false
      // Report the first error.
      try? runner.endUpdate()
      throw error
    }
    isUpdating = false
    try runner.endUpdate()
    return animation
  }

  /// Applies a batch after its begin was announced to the engines.
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
      if Surroundings.isValid(moved) { offset = moved }
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

  /// Keeps the measured sizes of items that stay and whose proposed size is unchanged.
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
  /// The operation in the form of the C contract.
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

/// The elements of two layouts, paired by identity.
struct ElementPairing {
  /// The elements that only the new layout has, each with where it starts.
  var appearing: [(from: Element, to: Element)] = []
  /// The elements that only the old layout has, each with where it ends.
  var disappearing: [(from: Element, to: Element)] = []
  private var staying: [AnimationTrack] = []

  /// Pairs cells as the batch defines, and other elements by section, kind and number.
  ///
  /// - Complexity: O(*n*).
  init(old: Elements, new: Elements, _ batch: UpdateBatch) {
    var places: [ElementIdentity: Int] = [:]
    places.reserveCapacity(old.count)
    for place in old.indices { places[old.identity(at: place)] = place }
    var isPaired = Array(repeating: false, count: old.count)
    for element in new {
      guard let origin = Self.origin(of: element.identity, batch), let place = places[origin],
        !isPaired[place]
      else {
        appearing.append((Self.faded(element), element))
        continue
      }
      isPaired[place] = true
      staying.append(
        AnimationTrack(
          before: origin, after: element.identity, from: old[place], to: element))
    }
    for place in old.indices where !isPaired[place] {
      disappearing.append((old[place], Self.faded(old[place])))
    }
  }

  /// One track for each element of both layouts.
  var tracks: [AnimationTrack] {
    staying
      + appearing.map {
        AnimationTrack(before: nil, after: $0.to.identity, from: $0.from, to: $0.to)
      }
      + disappearing.map {
        AnimationTrack(before: $0.from.identity, after: nil, from: $0.from, to: $0.to)
      }
  }

  /// The identity in the old layout of an element of the new one; nil if it is inserted.
  private static func origin(
    of identity: ElementIdentity, _ batch: UpdateBatch
  ) -> ElementIdentity? {
    var origin = identity
    if identity.category == .cell {
      guard
        let path = batch.origin(of: ItemPath(section: identity.section, item: identity.item))
      else { return nil }
      (origin.section, origin.item) = (path.section, path.item)
    } else {
      guard let section = batch.origin(ofSection: identity.section) else { return nil }
      origin.section = section
    }
    return origin
  }

  private static func faded(_ element: Element) -> Element {
    var faded = element
    faded.alpha = 0
    return faded
  }
}

extension Array {
  /// The array in listing order, sorted stably; returns itself if it is already sorted.
  func inListingOrder(_ place: (Element) -> ListingPlace) -> [Element] {
    let isSorted = indices.dropFirst().allSatisfy { !(place(self[$0]) < place(self[$0 - 1])) }
    return isSorted ? self : sorted { place($0) < place($1) }
  }
}

/// The cell that should stay in place while the data change.
struct ScrollAnchor {
  let frame: Rect
  /// The identity of the cell after the update.
  let destination: ElementIdentity

  /// Selects the first visible cell, from top to bottom and left to right, that the batch does not
  /// delete; nil if there is none.
  init?(of elements: Elements, in viewport: Rect, _ batch: UpdateBatch) {
    var best: (frame: Rect, destination: ItemPath)?
    for place in elements.indices {
      let frame = elements.frame(at: place)
      guard frame.intersects(viewport) else { continue }
      let identity = elements.identity(at: place)
      guard identity.category == .cell,
        let destination = batch.destination(
          of: ItemPath(section: identity.section, item: identity.item))
      else { continue }
      if let best, (best.frame.y, best.frame.x) <= (frame.y, frame.x) { continue }
      best = (frame, destination)
    }
    guard let best else { return nil }
    frame = best.frame
    destination = .cell(section: best.destination.section, item: best.destination.item)
  }

  /// The offset at which the cell stays in place, clamped to the content.
  func offset(
    from offset: Point, to new: Rect, content: Size, _ session: Session
  ) -> Point {
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

/// Asks the engines of a session for initial and final attributes.
struct UpdateShapes {
  typealias Ends = (from: Element, to: Element)
  let session: Session

  /// Replaces where appearing elements start.
  func initial(_ elements: [Ends]) throws(HostError) -> [Ends] {
    let shaped = try shape(elements.map(\.from), as: .initial)
    return zip(elements, shaped).map { ($1, $0.to) }
  }

  /// Replaces where disappearing elements end, whose sections have their old numbers.
  func final(_ elements: [Ends], countsBefore: [Int]) throws(HostError) -> [Ends] {
    let shaped = try shape(elements.map(\.to), as: .final)
    return zip(elements, shaped).map { ($0.from, $1) }
  }

  private func shape(
    _ elements: [Element], as ends: UpdateEnds
  ) throws(HostError) -> [Element] {
    let runner = session.runner
    guard !elements.isEmpty, let layout = session.prepared, runner.traits.hasUpdates else {
      return elements
    }
    let store = try runner.shapeStore(limit: max(1, elements.count))
    for element in elements { load(element, into: store) }
    guard store.rowCount == elements.count else { throw session.tooMany(elements.count) }
    try runner.shape(store, as: ends, session.context(layout))
    var gatherer = ElementGatherer(
      store: store, numbering: runner.numbering, columns: .all,
      mirrorWidth: session.mirrorWidth(layout))
    for run in store.runs {
      try session.gather(&gatherer, run, run.row..<run.row + run.count)
    }
    return Array(gatherer.elements)
  }

  /// Appends an element as a row, extending the last run if possible.
  private func load(_ element: Element, into store: RowStore) {
    let runner = session.runner
    let kind = runner.numbering.kinds.firstIndex { $0.name == element.identity.kind } ?? 0
    let run = Run(
      category: element.identity.category, kind: UInt32(kind),
      section: UInt32(element.identity.section), firstItem: UInt64(element.identity.item),
      count: 1, row: 0)
    guard let added = store.append(run) else { return }
    let width = session.prepared.flatMap { session.mirrorWidth($0) }
    store.write(element, at: added.row, attributes: runner.numbering.attributes, mirroredIn: width)
  }
}
