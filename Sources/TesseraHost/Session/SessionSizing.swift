import CTessera
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime
import TesseraWorker

/// A cell to keep in place; `index` counts the items of all sections.
typealias MeasuringAnchor = (section: Int, item: Int, index: Int, frame: Rect)

extension Session {
  /// Sets sizes of consecutive items that the program has measured.
  ///
  /// The session doesn't ask for them; others keep estimates. The next query corrects the offset.
  ///
  /// - Parameter sizes: In points, for `proposedSize(ofKind:at:)`; forgotten when that changes.
  /// - Throws: `.invalidInput` for invalid sizes, unknown items, or an engine that doesn't measure.
  /// - Complexity: O(1) for each size, and a prepare if more than sizes changed since the last one.
  public func setMeasuredSizes(_ sizes: [Size], from first: ItemPath) throws(HostError) {
    enter()
    defer { leave() }
    try changeMeasured(nil, first, count: sizes.count, to: sizes)
  }

  /// Sets the measured size of a section's supplementary element.
  public func setMeasuredSize(
    _ size: Size, ofKind kind: String, inSection section: Int
  ) throws(HostError) {
    enter()
    defer { leave() }
    try changeMeasured(kind, ItemPath(section: section, item: 0), count: 1, to: [size])
  }

  /// Forgets measured sizes of items, or of a supplementary kind, until they are next in sight.
  ///
  /// - Throws: The errors of `setMeasuredSizes(_:from:)`.
  public func withdrawMeasuredSizes(
    ofKind kind: String? = nil, from first: ItemPath, count: Int = 1
  ) throws(HostError) {
    enter()
    defer { leave() }
    try changeMeasured(kind, first, count: count, to: nil)
  }

  /// Returns the size to measure an element for; 0 means unlimited.
  ///
  /// - Throws: As `setMeasuredSizes(_:from:)`.
  public func proposedSize(
    ofKind kind: String? = nil, at place: ItemPath
  ) throws(HostError) -> Size {
    enter()
    defer { leave() }
    let (column, index) = try measuredPlace(kind, place, count: 1)
    return column.offer(index)
  }

  /// Nil withdraws the sizes; the next prepare keeps visible elements in place.
  private func changeMeasured(
    _ kind: String?, _ first: ItemPath, count: Int, to sizes: [Size]?
  ) throws(HostError) {
    if let sizes, let place = sizes.firstIndex(where: { !$0.isValid }) {
      if let kind { throw .invalidMeasure(sizes[place], kind: kind, section: first.section) }
      throw .invalidMeasure(
        sizes[place], item: first.item.addingReportingOverflow(place).partialValue,
        section: first.section)
    }
    let (column, start) = try measuredPlace(kind, first, count: count)
    var known = measuring.pushed
    if known == nil, let layout = state.layout, let anchor = try anchor(layout) {
      known = (anchor, layout.contentSize)
    }
    for place in 0..<count {
      if let sizes {
        column.measure(start + place, as: sizes[place], isGiven: true)
      } else {
        column.withdraw(start + place)
      }
    }
    if column.changed != nil { measuring.pushed = known }
  }

  /// The first call turns measuring on.
  private func measuredPlace(
    _ kind: String?, _ first: ItemPath, count: Int
  ) throws(HostError) -> (column: SizingColumn, index: Int) {
    let isOfItems = kind == nil
    let before = measuring.pushes
    if isOfItems { measuring.pushes.items = true } else { measuring.pushes.supplementaries = true }
    let isFirst = measuring.pushes != before
    if isFirst { state.changes |= LayoutField.measure.changes }
    do throws(HostError) { return try knownPlace(kind, first, count: count) } catch {
      if isFirst {
        measuring.pushes = before
        state.changes |= LayoutField.measure.changes
      }
      throw error
    }
  }

  private func knownPlace(
    _ kind: String?, _ first: ItemPath, count: Int
  ) throws(HostError) -> (column: SizingColumn, index: Int) {
    let isOfItems = kind == nil
    if state.layout == nil || state.changes != 0 || values.sizing.isEmpty {
      _ = try prepareIfNeeded()
    }
    let found = values.sizing.first { column in
      column.kind.map { runner.numbering.kinds[Int($0)].name } == kind
    }
    guard let column = found else {
      throw HostError(
        .wrongState,
        "\(engine.description.id) does not size \(kind ?? "items") by their content now; give "
          + "their sizes as values, or set the parameter that turns measuring on")
    }
    let room =
      isOfItems
      ? itemCounts.indices.contains(first.section) ? itemCounts[first.section] : 0
      : itemCounts.indices.contains(first.section) ? 1 : 0
    guard first.item >= 0, count >= 0, first.item <= room, count <= room - first.item else {
      guard let kind else {
        let item = first.item < 0 ? first.item : max(first.item, room)
        throw .noItem(item, inSection: first.section, of: itemCounts)
      }
      throw HostError(
        .invalidValue,
        "there is no \(kind) \(first.item) in section \(first.section); give item 0 of one of "
          + "\(counted(itemCounts.count, "section"))")
    }
    return (
      column, isOfItems ? Int(input.starts.buffer[first.section]) + first.item : first.section
    )
  }

  func keepPushed(_ layout: PreparedLayout) {
    guard let pushed = measuring.pushed else { return }
    measuring.pushed = nil
    _ = try? keep(pushed.anchor, contentBefore: pushed.contentBefore, layout)
  }
}

/// What the program measures, and how the layout stays in place meanwhile.
struct MeasuredSizes {
  var measure: ((_ section: Int, _ item: Int, _ proposed: Size) throws(HostError) -> Size)?
  var measureSupplementary:
    ((_ kind: String, _ section: Int, _ proposed: Size) throws(HostError) -> Size)?
  /// Whether sizes were given unasked.
  var pushes = (items: false, supplementaries: false)
  /// The cell to keep in place while sizes are pushed, and the content size before.
  var pushed: (anchor: MeasuringAnchor, contentBefore: Size)?

  var suppliesItems: Bool { measure != nil || pushes.items }
  var suppliesSupplementaries: Bool { measureSupplementary != nil || pushes.supplementaries }
  var isSupplied: Bool { suppliesItems || suppliesSupplementaries }
}

extension Session {
  /// After a change of the functions that measure.
  func measuresAnew() {
    values.forgetSizes()
    state.changes |= LayoutField.measure.changes
  }

  func refreshSizing() throws(HostError) {
    var columns: [SizingColumn] = []
    // A small prepare is cheaper than searching the chain.
    let isMeasured = runner.traits.hasSizing && measuring.isSupplied
    guard isMeasured || values.isMeasuring else {
      values.keptSizes = []
      state.offersAreStale = false
      return
    }
    if isMeasured, let layer = engine.chain.firstIndex(where: { !$0.measured.isEmpty }) {
      for place in engine.chain[layer].measured.indices {
        if let column = try refreshed(place, ofEngine: layer) { columns.append(column) }
      }
    }
    if values.sizing.contains(where: { column in !columns.contains { $0 === column } }) {
      state.changes |= UInt32(TESSERA_CHANGED_ALL)
    }
    (values.sizing, values.keptSizes) = (columns, [])
    // Not after a refusal, to ask again; changes set it too.
    state.offersAreStale = false
  }

  func noteMeasuredSizes() {
    if values.sizing.contains(where: { $0.changed != nil }) {
      state.changes |= UInt32(TESSERA_CHANGED_VALUES)
    }
  }

  private func refreshed(_ number: Int, ofEngine layer: Int) throws(HostError) -> SizingColumn? {
    let description = engine.chain[layer]
    let measured = description.measured[number]
    guard measured.kind == nil ? measuring.suppliesItems : measuring.suppliesSupplementaries
    else { return nil }
    let scope: ValueDescription.Scope = measured.kind == nil ? .item : .section
    guard let index = description.valueIndex(measured.value, scope) else { return nil }
    let count = measured.kind == nil ? input.starts.total : input.starts.counts.count
    // The engine is asked for every element, and each has a size.
    guard count <= SizingColumn.limit else {
      throw HostError(
        .tooManyItems,
        "the layout has \(count) elements that are measured; expected at most "
          + "\(SizingColumn.limit); give fewer, or do not measure")
    }
    let place = SessionValues.Place(layer: layer, index: index)
    let known = values.sizing.first { $0.place == place && $0.count == count }
    var found = try answers(
      number, ofEngine: layer, isKind: measured.kind != nil,
      most: known?.hasEach == true ? SizesQuestion.limit : SizesQuestion.longest)
    if found == nil {
      found = try answers(
        number, ofEngine: layer, isKind: measured.kind != nil, most: SizesQuestion.limit)
    }
    guard let answers = found else { throw broken(.wrongSizeCount(0, from: "it", elements: 1)) }
    guard !answers.areOff else { return nil }
    let column: SizingColumn
    if let known {
      column = known
    } else {
      let kind = measured.kind.flatMap { kind in
        runner.numbering.kinds.firstIndex { $0.name == kind }
      }
      column = try SizingColumn(
        place: place, kind: kind.map { UInt32($0) }, type: description.values[index].type,
        count: count, memory: values.memory)
    }
    values.withUsualColumn(place) { column.adopt(answers, usual: $0) }
    if let kept = values.keptSizes.first(where: { $0.kind == measured.kind }) { column.adopt(kept) }
    return column
  }

  /// Nil if the engine answers nothing; `most` limits a run.
  private func answers(
    _ number: Int, ofEngine layer: Int, isKind: Bool, most: Int
  ) throws(HostError) -> SizingColumn.Answers? {
    var answers = SizingColumn.Answers()
    let buffer = UnsafeBufferPointer(input.starts.buffer)
    var next: ItemPath? = input.starts.counts.isEmpty ? nil : ItemPath(section: 0, item: 0)
    while let start = next {
      let reply = try runner.ask(
        SizesQuestion(layer: layer, measured: number, start: start, most: most),
        CallContext(viewport: viewport))
      let counts = try reply.checkedCounts()
      var (run, first) = (0, 0)
      while let place = next {
        let length = SizesQuestion.length(at: place, isKind: isKind, buffer, most)
        if length > 0 {
          guard run < counts.count else { break }
          let element = isKind ? place.section : Int(buffer[place.section]) + place.item
          let ends = (first + counts[run], first + counts[run] + counts[run + 1])
          let (estimates, offers) = (reply.sizes[first..<ends.0], reply.sizes[ends.0..<ends.1])
          guard [0, 1, length].contains(estimates.count),
            estimates.isEmpty ? offers.isEmpty : [1, length].contains(offers.count)
          else { throw broken(.wrongSizeCount(UInt64(offers.count), from: "it", elements: length)) }
          try check(estimates, "the estimate", at: place)
          try check(offers, "the proposal", at: place)
          answers.append(element..<element + length, estimates: estimates, offers: offers)
          (run, first) = (run + 2, ends.1)
        }
        next = SizesQuestion.next(after: place, length, isKind: isKind, buffer)
      }
      // An engine that answers nothing would be asked forever.
      guard run > 0 || next == nil else { return nil }
    }
    return answers
  }

  private func check(
    _ sizes: ArraySlice<Size>, _ what: String, at place: ItemPath
  ) throws(HostError) {
    for (offset, size) in sizes.enumerated() where !size.isValid {
      throw HostError(
        .invalidSizing,
        "\(what) of element \(place.item + offset) of section \(place.section) is "
          + "\(Value.size(size)); expected 0 or more", engine: runner.traits.id)
    }
  }

  /// Returns the elements in the viewport, measuring new ones first.
  ///
  /// Corrects the offset to keep visible elements in place; prefer this to querying `visibleRect`.
  ///
  /// - Throws: The errors of `elements(in:)`.
  /// - Complexity: As `elements(in:)`, and a prepare if items are measured.
  public func visibleElements() throws(HostError) -> Elements {
    enter()
    defer { leave() }
    while true {
      let layout = try measuredLayout { visibleRect }
      guard visibleRect.isFinite else { throw .notFinite("rect", Value.rect(visibleRect)) }
      let shown = try elements(in: visibleRect, layout)
      if try !measureMoved(among: shown, layout) { return shown }
    }
  }

  /// Measures elements that engines moved into the viewport, such as pinned headers.
  private func measureMoved(
    among shown: Elements, _ layout: PreparedLayout
  ) throws(HostError) -> Bool {
    guard measureSupplementary != nil, layout.isAdjusted, values.isMeasuring else { return false }
    var found: [Measurable] = []
    for run in shown.memory.runs where run.category == .supplementary {
      for row in run.row..<run.row + run.count {
        guard let measurable = measurable(run, item: run.item(atRow: row)),
          isAsked(measurable.sizing), !measurable.sizing.isMeasured(measurable.index)
        else { continue }
        found.append(measurable)
      }
    }
    guard !found.isEmpty else { return false }
    let anchor = try anchor(layout)
    try measure(found)
    let settled = try prepareIfNeeded()
    if let anchor { try keep(anchor, contentBefore: layout.contentSize, settled) }
    return true
  }

  // Measures and prepares until everything in the rect is measured; visible cells stay in place.
  // Ends because each round measures an element for the first time.
  @discardableResult
  func measuredLayout(_ rect: () -> Rect) throws(HostError) -> PreparedLayout {
    var layout = try prepareIfNeeded()
    // The same cell in all rounds: cells measured meanwhile weren't visible before.
    var anchor: MeasuringAnchor?
    var contentBefore: Size?
    while values.isMeasuring {
      let area = rect()
      let (found, cells) = try survey(area, layout)
      if let seen = anchor, let before = contentBefore {
        let now = cells.first { $0.index == seen.index }
        anchor = try keep(seen, as: now, contentBefore: before, layout)
        contentBefore = nil
        if rect() != area { continue }
      }
      guard !found.isEmpty else { return layout }
      if anchor == nil {
        anchor = area == visibleRect ? self.anchor(of: cells) : try self.anchor(layout)
      }
      try measure(found)
      contentBefore = layout.contentSize
      layout = try prepareIfNeeded()
    }
    return layout
  }

  /// Corrects the offset as `measuredLayout` does.
  func settleElement(_ run: Run) throws(HostError) -> PreparedLayout {
    let layout = try prepareIfNeeded()
    guard let found = measurable(run, item: Int(run.firstItem)), isAsked(found.sizing),
      !found.sizing.isMeasured(found.index)
    else { return layout }
    let anchor = try anchor(layout)
    try measure([found])
    let settled = try prepareIfNeeded()
    if let anchor { _ = try keep(anchor, contentBefore: layout.contentSize, settled) }
    return try prepareIfNeeded()
  }

  /// The first visible cell that is measured, else the first visible cell.
  func anchor(_ layout: PreparedLayout) throws(HostError) -> MeasuringAnchor? {
    anchor(of: try survey(visibleRect, layout).cells)
  }

  private func anchor(of visible: [MeasuringAnchor]) -> MeasuringAnchor? {
    let sizing = values.sizing.first { $0.kind == nil }
    func isBefore(_ one: MeasuringAnchor, _ other: MeasuringAnchor) -> Bool {
      (one.frame.y, one.frame.x) < (other.frame.y, other.frame.x)
    }
    let measured = visible.lazy.filter { sizing?.isMeasured($0.index) == true }
    return measured.min(by: isBefore) ?? visible.min(by: isBefore)
  }

  private typealias Measurable = (sizing: SizingColumn, section: Int, item: Int, index: Int)

  private func measurable(_ run: Run, item: Int) -> Measurable? {
    let section = Int(run.section)
    switch run.category {
    case .cell:
      return values.sizing.first { $0.kind == nil }.map {
        ($0, section, item, Int(input.starts.buffer[section]) + item)
      }
    case .supplementary where item == 0:
      return values.sizing.first { $0.kind == run.kind }.map { ($0, section, item, section) }
    default:
      return nil
    }
  }

  private func isAsked(_ sizing: SizingColumn) -> Bool {
    sizing.kind == nil ? measure != nil : measureSupplementary != nil
  }

  private func survey(
    _ rect: Rect, _ layout: PreparedLayout
  ) throws(HostError) -> (unmeasured: [Measurable], cells: [MeasuringAnchor]) {
    var (unmeasured, cells) = ([Measurable](), [MeasuringAnchor]())
    try visitPrepared(in: rect, layout) { run, item, frame in
      if run.category == .cell {
        let section = Int(run.section)
        cells.append((section, item, Int(input.starts.buffer[section]) + item, frame))
      }
      guard let measurable = measurable(run, item: item),
        !measurable.sizing.isMeasured(measurable.index), isAsked(measurable.sizing)
      else { return }
      unmeasured.append(measurable)
    }
    return (unmeasured, cells)
  }

  /// `body` gets the run, item and mirrored frame; invalid frames are skipped.
  private func visitPrepared(
    in rect: Rect, _ layout: PreparedLayout, _ body: (Run, Int, Rect) -> Void
  ) throws(HostError) {
    let width = mirrorWidth(layout)
    func visit(_ run: Run, _ row: Int, _ frame: Rect) {
      let image = frame.image(in: width)
      guard frame.isValid, image.isValid else { return }
      body(run, run.item(atRow: row), image)
    }
    var sought = rect.image(in: width)
    if let width, !sought.isFinite { sought = rect.soughtInMirror(of: width) }
    guard !layout.traits.isLazy else {
      let answer = try runner.answerStore(limit: rowLimit)
      try runner.ask(ElementsQuestion(rect: sought), context(layout), rows: answer)
      for run in answer.runs {
        for row in run.row..<run.row + run.count where answer.frames[row].intersects(sought) {
          visit(run, row, answer.frames[row])
        }
      }
      return
    }
    let store = layout.index.store
    var place = 0
    for row in layout.index.rows(in: sought) {
      while row >= store.runs[place].row + store.runs[place].count { place += 1 }
      visit(store.runs[place], row, store.frames[row])
    }
  }

  private func measure(_ elements: [Measurable]) throws(HostError) {
    for (sizing, section, item, index) in elements {
      let offer = sizing.offer(index)
      let size: Size
      if let kind = sizing.kind {
        let name = runner.numbering.kinds[Int(kind)].name
        guard let measureSupplementary else { continue }
        size = try measureSupplementary(name, section, offer)
        guard size.isValid else { throw .invalidMeasure(size, kind: name, section: section) }
      } else {
        guard let measure else { continue }
        size = try measure(section, item, offer)
        guard size.isValid else { throw .invalidMeasure(size, item: item, section: section) }
      }
      sizing.measure(index, as: size)
    }
  }

  /// Doesn't prepare.
  func measureCells(from first: ItemPath, count: Int) throws(HostError) {
    guard measure != nil, let sizing = values.sizing.first(where: { $0.kind == nil }) else {
      return
    }
    let start = Int(input.starts.buffer[first.section])
    let end = min(first.item + count, itemCounts[first.section])
    try measure(
      (first.item..<end).filter { !sizing.isMeasured(start + $0) }
        .map { (sizing, first.section, $0, start + $0) })
  }

  // Moves the offset with a cell, except on an axis that the content fills exactly. Returns nil if
  // the cell can't be the anchor any more.
  @discardableResult
  func keep(
    _ anchor: MeasuringAnchor, as found: MeasuringAnchor? = nil, contentBefore: Size,
    _ layout: PreparedLayout
  ) throws(HostError) -> MeasuringAnchor? {
    var moved = found ?? anchor
    if found == nil {
      let run = Run(
        category: .cell, kind: 0, section: UInt32(anchor.section), firstItem: UInt64(anchor.item),
        count: 1, row: 0)
      // An invalid frame moves nothing; copying reports it.
      guard let frame = try preparedFrame(of: run, layout), frame.isValid else { return nil }
      moved.frame = frame.image(in: mirrorWidth(layout))
    }
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

  private func preparedFrame(of run: Run, _ layout: PreparedLayout) throws(HostError) -> Rect? {
    guard layout.traits.isLazy else {
      return try layout.index.row(of: run).map { layout.index.store.frames[$0] }
    }
    let answer = try lookUp(run, layout)
    return answer.rowCount > 0 ? answer.frames[0] : nil
  }
}

extension HostError {
  fileprivate static func invalidMeasure(_ size: Size, item: Int, section: Int) -> HostError {
    HostError(
      .invalidValue,
      "item \(item) of section \(section) measures \(Value.size(size)); expected finite numbers, "
        + "0 or more")
  }

  fileprivate static func invalidMeasure(_ size: Size, kind: String, section: Int) -> HostError {
    HostError(
      .callbackFailed,
      "the measured size of the \(kind) of section \(section) is \(Value.size(size)); expected "
        + "0 or more")
  }
}
