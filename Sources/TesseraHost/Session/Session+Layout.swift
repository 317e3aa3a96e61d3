import CTessera
import TesseraGeometry

extension Session {
  /// How large the whole content is.
  ///
  /// - Throws: `.invalidInput` for surroundings that make no sense; what the engine refuses.
  public func contentSize() throws(HostError) -> Size { try prepareIfNeeded().contentSize }

  /// All elements.
  ///
  /// A lazy layout is asked for them band by band.
  ///
  /// - Throws: As `contentSize`, and `.invalidInput` for more than `rowLimit` elements.
  /// - Complexity: O(*n*).
  public func elements() throws(HostError) -> Elements {
    try settle { .everything }
    let layout = try prepareIfNeeded()
    if runner.traits.isLazy {
      let all = try LazyEnumeration(session: self, layout: layout).rows()
      guard runner.traits.hasAdjust else {
        return try gatherAnswer(all, layout, for: .everything) { _ in true }
      }
      // Engines adjust rows where they can write to them.
      let answer = try runner.answerStore(limit: rowLimit)
      for run in all.runs {
        guard answer.append(run, rows: run.row..<run.row + run.count, of: all) != nil else {
          throw tooMany(all.rowCount)
        }
      }
      return try gatherAnswer(answer, layout, for: .everything) { _ in true }
    }
    let store = runner.prepared
    guard store.rowCount <= rowLimit else { throw tooMany(store.rowCount) }
    let order = try runner.index.order()
    if runner.traits.hasAdjust {
      let answer = try runner.answerStore(limit: max(rowLimit, store.rowCount))
      for place in order.places { try copy(store.runs[place], to: answer) }
      return try gatherAnswer(answer, layout, for: .everything) { _ in true }
    }
    var gatherer = gatherer(store, layout)
    for place in order.places {
      let run = store.runs[place]
      try gather(&gatherer, run, run.row..<run.row + run.count)
    }
    return gatherer.elements
  }

  /// The elements whose frames meet a rect; touching edges do not meet.
  ///
  /// Frames are those after the engine has adjusted them for the viewport.
  ///
  /// - Throws: As `elements()`.
  /// - Complexity: O(log *n* + *k* log *k*) for *k* elements that meet it, where elements that are
  ///   near in order are near on the plane.
  public func elements(in rect: Rect) throws(HostError) -> Elements {
    guard rect.isFinite else {
      throw HostError(.invalidInput, "the rect \(Value.rect(rect)) is not finite; give numbers")
    }
    try settle { rect }
    let layout = try prepareIfNeeded()
    let mirror = mirrorWidth(layout)
    let sought = mirror.map { rect.soughtInMirror(of: $0) } ?? rect
    func isWanted(_ frame: Rect) -> Bool {
      (mirror.map { frame.mirrored(in: $0) } ?? frame).intersects(rect)
    }
    if runner.traits.isLazy {
      let answer = try runner.elements(in: sought, given(layout), limit: rowLimit)
      return try gatherAnswer(answer, layout, for: sought, isWanted: isWanted)
    }
    let order = try runner.index.order()
    var hits = runner.index.rows(in: sought)
    if mirror != nil, !runner.traits.hasAdjust {
      let frames = runner.prepared.frames
      hits.removeAll { frames[$0].isSound && !isWanted(frames[$0]) }
    }
    guard hits.count <= rowLimit else { throw tooMany(hits.count) }
    guard runner.traits.hasAdjust else { return try gatherHits(hits, order, layout) }
    let answer = try runner.answerStore(limit: rowLimit)
    try copy(hits, to: answer)
    return try gatherAnswer(answer, layout, for: sought, isWanted: isWanted)
  }

  /// One element, or nil where the layout has none such.
  ///
  /// - Throws: As `elements()`.
  /// - Complexity: O(log *r*) for *r* runs.
  public func element(_ identity: ElementIdentity) throws(HostError) -> Element? {
    guard let sought = run(of: identity) else {
      _ = try prepareIfNeeded()
      return nil
    }
    if identity.category == .cell { try settleItem(sought) }
    let layout = try prepareIfNeeded()
    if runner.traits.isLazy {
      let run = tessera_run(
        category: sought.category.rawValue, kind: sought.kind, section: sought.section,
        reserved: 0, first_item: sought.firstItem, count: 1)
      let answer = try runner.element(run, given(layout))
      let frame = answer.rowCount > 0 ? answer.frames[0] : .everything
      return try gatherAnswer(answer, layout, for: frame) { _ in true }
        .first { $0.identity == identity }
    }
    let row = try runner.index.row(of: sought)
    if runner.traits.hasAdjust {
      let answer = try runner.answerStore(limit: LayoutChain.lookUpRows)
      if let row { try copy([row], to: answer) }
      let frame = row.map { runner.prepared.frames[$0] } ?? .everything
      return try gatherAnswer(answer, layout, for: frame) { _ in true }
        .first { $0.identity == identity }
    }
    guard let row else { return nil }
    var gatherer = gatherer(runner.prepared, layout)
    var run = sought
    run.row = row
    try gather(&gatherer, run, row..<row + 1)
    return gatherer.elements.first
  }

  /// An element as the chain numbers it; nil where the layout can have none such.
  private func run(of identity: ElementIdentity) -> Run? {
    guard identity.item >= 0, let section = UInt32(exactly: identity.section),
      identity.section < starts.counts.count,
      identity.category != .cell || identity.item < starts.counts[identity.section]
    else { return nil }
    var kind = 0
    if identity.category != .cell {
      let number = runner.numbering.kinds.firstIndex {
        $0.name == identity.kind && $0.category == identity.category
      }
      guard let number else { return nil }
      kind = number
    }
    return Run(
      category: identity.category, kind: UInt32(kind), section: section,
      firstItem: UInt64(identity.item), count: 1, row: 0)
  }

  /// Prepares the layout unless what is prepared still holds.
  func prepareIfNeeded() throws(HostError) -> PreparedLayout {
    try surroundings.check()
    reloadIfReplaced()
    if runner.isLost {
      prepared = nil
      changes = UInt32(TESSERA_CHANGED_ALL)
    }
    if changes != 0 || prepared == nil { try refreshSizing() }
    if changes == UInt32(TESSERA_CHANGED_BOUNDS), var layout = prepared {
      var holds = layout.surroundings.equalsApartFromOffset(surroundings)
      if !holds { holds = try isStillValid() }
      if holds {
        layout.surroundings = surroundings
        prepared = layout
        changes = 0
      }
    }
    if changes == 0, let layout = prepared { return layout }
    prepared = nil
    var change = tessera_change(what: changes, first_section: 0, first_item: 0)
    let data = FirstChange.Data(starts: starts, columns: values.columns)
    if changes & TESSERA_CHANGED_ALL == 0, let preparedData {
      let first = FirstChange(
        from: preparedData, to: data, measured: values.sizing?.firstChange, chain: engine.chain)
      (change.first_section, change.first_item) = (first.section, first.item)
    }
    changes |= UInt32(TESSERA_CHANGED_ALL)
    let size = try runner.prepare(Given(surroundings: surroundings, change: change))
    changes = 0
    preparedData = data
    values.sizing?.prepared()
    let layout = PreparedLayout(contentSize: size, surroundings: surroundings)
    prepared = layout
    return layout
  }

  private func isStillValid() throws(HostError) -> Bool {
    let change = tessera_change(what: TESSERA_CHANGED_BOUNDS, first_section: 0, first_item: 0)
    return try runner.isStillValid(Given(surroundings: surroundings, change: change))
  }

  func mirrorWidth(_ layout: PreparedLayout) -> Double? {
    direction == .rightToLeft && runner.traits.isMirrored ? layout.contentSize.width : nil
  }

  func tooMany(_ count: Int) -> HostError {
    HostError(
      .invalidInput,
      "the layout has \(count) elements, more than \(rowLimit) at once; ask for a part of it, as "
        + "with --visible")
  }
}

extension Rect {
  /// Larger than any content.
  static let everything = Rect(x: -1e13, y: -1e13, width: 2e13, height: 2e13)

  /// The rect as seen in a mirror of content of a width.
  func mirrored(in width: Double) -> Rect {
    Rect(x: width - x - self.width, y: y, width: self.width, height: height)
  }

  /// Where frames lie that may meet this rect once they are mirrored.
  ///
  /// Mirroring rounds, so one that lies beside the rect by a whisker may come to touch it, or the
  /// other way round.
  fileprivate func soughtInMirror(of width: Double) -> Rect {
    var sought = mirrored(in: width)
    let slack = 1e-12 * width + 1e-12 * x.magnitude + 1e-12 * self.width.magnitude
    sought.x -= slack
    sought.width += 2 * slack
    return sought
  }
}
