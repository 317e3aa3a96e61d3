import CTessera
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime
import TesseraWorker

extension Session {
  /// Makes, keeps or drops the column of measured sizes, as the engine says for what it is given.
  ///
  /// - Throws: `.brokenContract` for an estimate or a proposal that is no size, or a value that the
  ///   engine does not have.
  func refreshSizing() throws(HostError) {
    guard measure != nil, runner.traits.hasSizing,
      let rule = try runner.sizing(CallContext(surroundings: surroundings))
    else { return dropSizing() }
    guard rule.estimate.isValid else {
      throw broken(
        "its estimate is \(Value.size(rule.estimate)); the contract wants 0 or more")
    }
    let value = engine.chain[rule.place.layer].values[rule.place.index]
    guard value.type == .size || value.type == .number else {
      throw broken(
        "it measures \(value.name), a \(value.type.name); the contract wants a size or number")
    }
    if values.sizing?.count != starts.total || values.sizing?.place != rule.place {
      values.sizing = try SizingColumn(
        place: rule.place, type: value.type, count: starts.total, estimate: rule.estimate,
        sections: starts.counts.count, memory: values.memory)
    }
    values.sizing?.setEstimate(rule.estimate)
    let proposals = try runner.proposals(
      CallContext(surroundings: surroundings), sections: starts.counts.indices)
    for (section, proposal) in proposals.enumerated() {
      guard proposal.isValid else {
        throw broken(
          "it offers the items of section \(section) \(Value.size(proposal)); the contract wants "
            + "0 or more")
      }
      values.sizing?.setProposal(
        proposal, section: section, items: starts.items(inSection: section))
    }
    if values.sizing?.firstChange != nil { changes |= UInt32(TESSERA_CHANGED_VALUES) }
  }

  private func dropSizing() {
    guard values.sizing != nil else { return }
    values.sizing = nil
    changes |= UInt32(TESSERA_CHANGED_ALL)
  }

  /// The elements in the viewport.
  ///
  /// Where items are measured, those that come into sight are, and the offset is corrected so that
  /// what was seen stays where it is; so ask for this rather than for the elements in `visibleRect`.
  ///
  /// - Throws: As `elements(in:)`.
  /// - Complexity: As `elements(in:)`, and a prepare where items are measured.
  public func visibleElements() throws(HostError) -> Elements {
    try settle { visibleRect }
    return try elements(in: visibleRect)
  }

  /// Measures the cells that a query finds, and prepares again, until it finds none that is not
  /// measured.
  ///
  /// The offset is corrected so that what was seen stays where it is. It ends: each round measures
  /// a cell for the first time, and an engine that has sizes forgotten round after round is told so.
  ///
  /// - Parameter rect: What is asked for now; it may move with the offset.
  func settle(_ rect: () -> Rect) throws(HostError) {
    var layout = try prepareIfNeeded()
    // One cell holds its place through all rounds: those measured meanwhile are new to the eye.
    var anchor: PreparedCell?
    var forgetful = 0
    while let sizing = values.sizing {
      let found = try preparedCells(in: rect(), layout).filter { !sizing.isMeasured($0.index) }
      guard !found.isEmpty else { return }
      if anchor == nil { anchor = try self.anchor(layout, sizing) }
      try measure(found.map { ($0.section, $0.item, $0.index) }, sizing)
      let before = layout.contentSize
      let known = sizing.forgotten
      layout = try prepareIfNeeded()
      if values.sizing !== sizing || sizing.forgotten != known { forgetful += 1 }
      guard forgetful <= Self.forgetfulRounds else {
        throw broken(
          "what it offers its items changes each time it is asked; the contract wants the same for "
            + "the same surroundings")
      }
      if let seen = anchor { anchor = try keep(seen, contentBefore: before, layout) }
    }
  }

  /// How often sizes may be forgotten while one question is answered: the offset moves meanwhile,
  /// and an offer may depend on it.
  private static let forgetfulRounds = 8

  /// Measures one item if it has not been measured, and prepares again.
  ///
  /// The offset is corrected as for `settle`.
  func settleItem(_ run: Run) throws(HostError) {
    let layout = try prepareIfNeeded()
    let index = Int(starts.buffer[Int(run.section)]) + Int(run.firstItem)
    guard let sizing = values.sizing, !sizing.isMeasured(index) else { return }
    let anchor = try anchor(layout, sizing)
    try measure([(Int(run.section), Int(run.firstItem), index)], sizing)
    let settled = try prepareIfNeeded()
    if let anchor { _ = try keep(anchor, contentBefore: layout.contentSize, settled) }
  }

  /// The cell that should stay where it is seen: the first visible one that was measured before, or
  /// else the first visible one; nil where none is visible.
  private func anchor(
    _ layout: PreparedLayout, _ sizing: SizingColumn
  ) throws(HostError) -> PreparedCell? {
    let visible = try preparedCells(in: visibleRect, layout)
    return visible.first { sizing.isMeasured($0.index) } ?? visible.first
  }

  /// Asks what items measure, and notes that sizes changed where one did.
  private func measure(
    _ items: [(section: Int, item: Int, index: Int)], _ sizing: SizingColumn
  ) throws(HostError) {
    guard let measure else { return }
    for (section, item, index) in items {
      let size = try measure(section, item, sizing.proposal(section: section))
      guard size.isValid else {
        throw HostError(
          .invalidInput,
          "item \(item) of section \(section) measures \(Value.size(size)); expected finite "
            + "numbers, 0 or more")
      }
      sizing.measure(index, as: size)
    }
    if sizing.firstChange != nil { changes |= UInt32(TESSERA_CHANGED_VALUES) }
  }

  /// Moves the offset as far as a cell has moved.
  ///
  /// Not along an axis that the content fills exactly: there lines end, and nothing scrolls.
  ///
  /// - Returns: The cell where it is now.
  private func keep(
    _ anchor: PreparedCell, contentBefore: Size, _ layout: PreparedLayout
  ) throws(HostError) -> PreparedCell? {
    let run = Run(
      category: .cell, kind: 0, section: UInt32(anchor.section), firstItem: UInt64(anchor.item),
      count: 1, row: 0)
    guard let row = try runner.index.row(of: run) else { return nil }
    let frame = runner.prepared.frames[row]
    // One that is no frame moves nothing; it is told where it is copied out.
    guard frame.isValid else { return nil }
    var moved = anchor
    moved.frame = mirrorWidth(layout).map { frame.mirrored(in: $0) } ?? frame
    let insets = contentInsets
    let width = max(0, bounds.width - insets.left - insets.right)
    let height = max(0, bounds.height - insets.top - insets.bottom)
    var corrected = offset
    if contentBefore.width != width || layout.contentSize.width != width {
      corrected.x += moved.frame.x - anchor.frame.x
    }
    if contentBefore.height != height || layout.contentSize.height != height {
      corrected.y += moved.frame.y - anchor.frame.y
    }
    guard Surroundings.isValid(corrected) else { return nil }
    offset = corrected
    return moved
  }

  /// The cells that meet a rect, from the top down, as they are prepared.
  private func preparedCells(
    in rect: Rect, _ layout: PreparedLayout
  ) throws(HostError) -> [PreparedCell] {
    let width = mirrorWidth(layout)
    let runs = runner.prepared.runs
    var cells: [PreparedCell] = []
    var place = 0
    for row in runner.index.rows(in: width.map { rect.mirrored(in: $0) } ?? rect) {
      while row >= runs[place].row + runs[place].count { place += 1 }
      let run = runs[place]
      guard run.category == .cell else { continue }
      let section = Int(run.section)
      let item = Int(run.firstItem) + row - run.row
      let frame = runner.prepared.frames[row]
      guard frame.isValid else { continue }
      cells.append(
        PreparedCell(
          section: section, item: item, index: Int(starts.buffer[section]) + item,
          frame: width.map { frame.mirrored(in: $0) } ?? frame))
    }
    return cells.sorted { ($0.frame.y, $0.frame.x) < ($1.frame.y, $1.frame.x) }
  }
}

/// A cell where it was prepared.
private struct PreparedCell {
  let section: Int
  let item: Int
  /// Its place among all items.
  let index: Int
  var frame: Rect
}
