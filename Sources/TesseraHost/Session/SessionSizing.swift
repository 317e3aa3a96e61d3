import CTessera
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime
import TesseraWorker

extension Session {
  /// Creates, keeps or removes the column of measured sizes, as the engine requires for the current
  /// input.
  ///
  /// - Throws: `.brokenContract` for an invalid estimate or proposal, or for a value that cannot be
  ///   measured.
  func refreshSizing() throws(HostError) {
    guard measure != nil, runner.traits.hasSizing,
      let rule = try runner.ask(SizingQuestion(), CallContext(viewport: viewport))
    else { return dropSizing() }
    guard rule.estimate.isValid else {
      throw broken(.invalidEstimate(rule.estimate))
    }
    let place = try rule.place(in: engine.chain)
    let value = engine.chain[place.layer].values[place.index]
    guard value.type == .size || value.type == .number else {
      throw broken(.measuresWrongType(value.name, value.type))
    }
    if values.sizing?.count != starts.total || values.sizing?.place != place {
      values.sizing = try SizingColumn(
        place: place, type: value.type, count: starts.total, estimate: rule.estimate,
        sections: starts.counts.count, memory: values.memory)
    }
    values.sizing?.setEstimate(rule.estimate)
    let sections = starts.counts.count
    for first in stride(from: 0, to: sections, by: ProposalsQuestion.limit) {
      let part = first..<min(first + ProposalsQuestion.limit, sections)
      let proposals = try runner.ask(
        ProposalsQuestion(sections: part), CallContext(viewport: viewport))
      for (section, proposal) in zip(part, proposals) { try adopt(proposal, of: section) }
    }
    if values.sizing?.firstChange != nil { changes |= UInt32(TESSERA_CHANGED_VALUES) }
  }

  /// Stores the size that the items of a section are offered.
  private func adopt(_ proposal: Size, of section: Int) throws(HostError) {
    guard proposal.isValid else {
      throw broken(.invalidProposal(proposal, section: section))
    }
    values.sizing?.setProposal(
      proposal, section: section, items: starts.items(inSection: section))
  }

  private func dropSizing() {
    guard values.isMeasuring else { return }
    values.sizing = nil
    changes |= UInt32(TESSERA_CHANGED_ALL)
  }

  /// Returns the elements in the viewport.
  ///
  /// If items are measured, items that become visible are measured first, and the offset is corrected
  /// so that visible items stay in place. Prefer this to querying the elements in `visibleRect`, which
  /// may be out of date after the correction.
  ///
  /// - Throws: The errors of `elements(in:)`.
  /// - Complexity: That of `elements(in:)`, and a prepare if items are measured.
  public func visibleElements() throws(HostError) -> Elements {
    try measuredLayout { visibleRect }
    return try elements(in: visibleRect)
  }

  /// Measures the cells that a query finds and prepares again, until all cells found are measured.
  ///
  /// The offset is corrected so that visible cells stay in place. The loop ends because each round
  /// measures a cell for the first time, and because an engine that keeps invalidating sizes is an
  /// error.
  ///
  /// - Parameter rect: The rect of the query, which can move with the offset.
  /// - Returns: The layout with measured cells.
  @discardableResult
  func measuredLayout(_ rect: () -> Rect) throws(HostError) -> PreparedLayout {
    var layout = try prepareIfNeeded()
    guard values.isMeasuring else { return layout }
    // The anchor is the same cell in all rounds: cells measured meanwhile were not visible before.
    var anchor: (section: Int, item: Int, index: Int, frame: Rect)?
    var resets = 0
    while let sizing = values.sizing {
      let found = try preparedCells(in: rect(), layout).filter { !sizing.isMeasured($0.index) }
      guard !found.isEmpty else { return layout }
      if anchor == nil { anchor = try self.anchor(layout, sizing) }
      try measure(found.map { ($0.section, $0.item, $0.index) }, sizing)
      let before = layout.contentSize
      let known = sizing.forgotten
      layout = try prepareIfNeeded()
      if values.sizing !== sizing || sizing.forgotten != known { resets += 1 }
      guard resets <= Self.resetLimit else {
        throw broken(.changingProposals)
      }
      if let seen = anchor { anchor = try keep(seen, contentBefore: before, layout) }
    }
    return layout
  }

  /// How often measured sizes may be invalidated during one query: the offset can move meanwhile, and
  /// a proposal can depend on it.
  private static let resetLimit = 8

  /// Measures one item unless it is measured already, and prepares again.
  ///
  /// The offset is corrected as in `settle`.
  ///
  /// - Returns: The layout in which it is measured.
  func settleItem(_ run: Run) throws(HostError) -> PreparedLayout {
    let layout = try prepareIfNeeded()
    let index = Int(starts.buffer[Int(run.section)]) + Int(run.firstItem)
    guard let sizing = values.sizing, !sizing.isMeasured(index) else { return layout }
    let anchor = try anchor(layout, sizing)
    try measure([(Int(run.section), Int(run.firstItem), index)], sizing)
    let settled = try prepareIfNeeded()
    if let anchor { _ = try keep(anchor, contentBefore: layout.contentSize, settled) }
    return try prepareIfNeeded()
  }

  /// The cell that should stay in place: the first visible cell that is measured, or else the first
  /// visible cell; nil if none is visible.
  private func anchor(
    _ layout: PreparedLayout, _ sizing: SizingColumn
  ) throws(HostError) -> (section: Int, item: Int, index: Int, frame: Rect)? {
    let visible = try preparedCells(in: visibleRect, layout)
    return visible.first { sizing.isMeasured($0.index) } ?? visible.first
  }

  /// Measures items, and records the change if a size changed.
  private func measure(
    _ items: [(section: Int, item: Int, index: Int)], _ sizing: SizingColumn
  ) throws(HostError) {
    guard let measure else { return }
    for (section, item, index) in items {
      let size = try measure(section, item, sizing.proposal(section: section))
      guard size.isValid else {
        throw .invalidMeasure(size, item: item, section: section)
      }
      sizing.measure(index, as: size)
    }
    if sizing.firstChange != nil { changes |= UInt32(TESSERA_CHANGED_VALUES) }
  }

  /// Moves the offset by the distance that a cell moved.
  ///
  /// An axis that the content fills exactly does not scroll, so the offset stays there.
  ///
  /// - Returns: The cell with its new frame; nil if it cannot serve as the anchor any more.
  private func keep(
    _ anchor: (section: Int, item: Int, index: Int, frame: Rect), contentBefore: Size,
    _ layout: PreparedLayout
  ) throws(HostError) -> (section: Int, item: Int, index: Int, frame: Rect)? {
    let run = Run(
      category: .cell, kind: 0, section: UInt32(anchor.section), firstItem: UInt64(anchor.item),
      count: 1, row: 0)
    guard let row = try runner.index.row(of: run) else { return nil }
    let frame = runner.prepared.frames[row]
    // An invalid frame moves nothing; copying it to the result reports the error.
    guard frame.isValid else { return nil }
    var moved = anchor
    moved.frame = mirrorWidth(layout).map { frame.mirrored(in: $0) } ?? frame
    let insets = viewport.contentInsets
    let width = max(0, bounds.width - insets.left - insets.right)
    let height = max(0, bounds.height - insets.top - insets.bottom)
    var corrected = offset
    if contentBefore.width != width || layout.contentSize.width != width {
      corrected.x += moved.frame.x - anchor.frame.x
    }
    if contentBefore.height != height || layout.contentSize.height != height {
      corrected.y += moved.frame.y - anchor.frame.y
    }
    guard Viewport.isValid(corrected) else { return nil }
    offset = corrected
    return moved
  }

  /// The prepared cells that intersect a rect, from top to bottom; `index` counts the items of all
  /// sections.
  private func preparedCells(
    in rect: Rect, _ layout: PreparedLayout
  ) throws(HostError) -> [(section: Int, item: Int, index: Int, frame: Rect)] {
    let width = mirrorWidth(layout)
    let runs = runner.prepared.runs
    var cells: [(section: Int, item: Int, index: Int, frame: Rect)] = []
    var place = 0
    for row in runner.index.rows(in: width.map { rect.mirrored(in: $0) } ?? rect) {
      while row >= runs[place].row + runs[place].count { place += 1 }
      let run = runs[place]
      guard run.category == .cell else { continue }
      let section = Int(run.section)
      let item = run.item(atRow: row)
      let frame = runner.prepared.frames[row]
      guard frame.isValid else { continue }
      cells.append(
        (
          section, item, Int(starts.buffer[section]) + item,
          width.map { frame.mirrored(in: $0) } ?? frame
        ))
    }
    return cells.sorted { ($0.frame.y, $0.frame.x) < ($1.frame.y, $1.frame.x) }
  }
}
