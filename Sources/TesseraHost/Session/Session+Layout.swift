import CTessera
import TesseraGeometry

extension Session {
  /// How large the whole content is.
  ///
  /// - Throws: `.invalidInput` for surroundings that make no sense; what the engine refuses.
  public func contentSize() throws(HostError) -> Size { try prepareIfNeeded().contentSize }

  /// All elements. A lazy layout is asked for them band by band.
  ///
  /// - Throws: As `contentSize`, and `.invalidInput` for more than `rowLimit` elements.
  /// - Complexity: O(*n*).
  public func elements() throws(HostError) -> Elements {
    var layout = try prepareIfNeeded()
    if chain.isLazy { return try LazyEnumeration(session: self, layout: layout).elements() }
    let store = chain.prepared
    guard store.rowCount <= rowLimit else { throw tooMany(store.rowCount) }
    let order = try layout.order(of: chain)
    prepared = layout
    var gatherer = gatherer(store, layout)
    for place in order.places {
      let run = store.runs[place]
      try gather(&gatherer, run, run.row..<run.row + run.count)
    }
    return gatherer.elements
  }

  /// The elements whose frames meet a rect; touching edges do not meet.
  ///
  /// - Throws: As `elements()`.
  /// - Complexity: O(log *n* + *k* log *k*) for *k* elements that meet it, where elements that are
  ///   near in order are near on the plane.
  public func elements(in rect: Rect) throws(HostError) -> Elements {
    guard rect.isFinite else {
      throw HostError(.invalidInput, "the rect \(Value.rect(rect)) is not finite; give numbers")
    }
    var layout = try prepareIfNeeded()
    let sought = mirrorWidth(layout).map { rect.mirrored(in: $0) } ?? rect
    if chain.isLazy {
      let store = try chain.elements(in: sought, surroundings, limit: rowLimit)
      return try gatherAnswer(store, layout) { $0.intersects(sought) }
    }
    let order = try layout.order(of: chain)
    var hits: [Int] = []
    let index = layout.index(of: chain)
    prepared = layout
    if let row = index.unsoundRow { hits = [row] } else { index.query(sought, into: &hits) }
    guard hits.count <= rowLimit else { throw tooMany(hits.count) }
    return try gatherHits(hits, order, layout)
  }

  /// One element, or nil where the layout has none such.
  ///
  /// - Throws: As `elements()`.
  /// - Complexity: O(log *r*) for *r* runs.
  public func element(_ identity: ElementIdentity) throws(HostError) -> Element? {
    var layout = try prepareIfNeeded()
    guard identity.item >= 0, let section = UInt32(exactly: identity.section),
      identity.section < starts.counts.count,
      identity.category != .cell || identity.item < starts.counts[identity.section]
    else { return nil }
    let kinds = chain.numbering.kinds
    var kind = 0
    if identity.category != .cell {
      guard
        let number = kinds.firstIndex(where: {
          $0.name == identity.kind && $0.category == identity.category
        })
      else { return nil }
      kind = number
    }
    if chain.isLazy {
      let run = tessera_run(
        category: identity.category.rawValue, kind: UInt32(kind), section: section, reserved: 0,
        first_item: UInt64(identity.item), count: 1)
      let store = try chain.element(run, surroundings)
      return try gatherAnswer(store, layout) { _ in true }.first { $0.identity == identity }
    }
    let order = try layout.order(of: chain)
    prepared = layout
    let store = chain.prepared
    guard
      let place = order.run(
        holding: UInt64(identity.item), identity.category, kind: UInt32(kind), section: section,
        in: store.runs)
    else { return nil }
    let run = store.runs[place]
    let row = run.row + identity.item - Int(run.firstItem)
    var gatherer = gatherer(store, layout)
    try gather(&gatherer, run, row..<row + 1)
    return gatherer.elements.first
  }

  /// Prepares the layout unless what is prepared still holds.
  func prepareIfNeeded() throws(HostError) -> PreparedLayout {
    try surroundings.check()
    if changes == UInt32(TESSERA_CHANGED_BOUNDS), var layout = prepared {
      values.fill(chain.layers)
      if layout.surroundings.equalsApartFromOffset(surroundings)
        || chain.isStillValid(surroundings)
      {
        layout.surroundings = surroundings
        prepared = layout
        changes = 0
      }
    }
    if changes == 0, let layout = prepared { return layout }
    prepared = nil
    values.fill(chain.layers)
    let change = tessera_change(what: changes, first_section: 0, first_item: 0)
    changes |= UInt32(TESSERA_CHANGED_ALL)
    let size = try chain.prepare(surroundings, change: change)
    changes = 0
    let layout = PreparedLayout(contentSize: size, surroundings: surroundings)
    prepared = layout
    return layout
  }

  func mirrorWidth(_ layout: PreparedLayout) -> Double? {
    direction == .rightToLeft && chain.isMirrored ? layout.contentSize.width : nil
  }

  func tooMany(_ count: Int) -> HostError {
    HostError(
      .invalidInput,
      "the layout has \(count) elements, more than \(rowLimit) at once; ask for a part of it, as "
        + "with --visible")
  }
}

extension Rect {
  /// The rect as seen in a mirror of content of a width.
  func mirrored(in width: Double) -> Rect {
    Rect(x: width - x - self.width, y: y, width: self.width, height: height)
  }
}
