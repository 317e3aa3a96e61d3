import CTessera
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime
import TesseraWorker

extension Session {
  /// Returns the content size.
  ///
  /// - Throws: `.invalidInput` for an invalid viewport; the error that the engine reports.
  public func contentSize() throws(HostError) -> Size {
    enter()
    defer { leave() }
    return try prepareIfNeeded().contentSize
  }

  /// Prepares the layout and its indexes for the next query.
  ///
  /// - Throws: The errors of `contentSize()`; the error that the engine reports.
  public func prepare() throws(HostError) {
    enter()
    defer { leave() }
    let layout = try prepareIfNeeded()
    if !layout.traits.isLazy { _ = try layout.index.find(visibleRect, isListed: false) }
  }

  package var asksProgram: Bool { progress != nil || hasDelegates }

  var hasDelegates: Bool { values.delegates.contains { $0.contains { $0 != nil } } }

  /// Returns all elements; queries a lazy layout band by band.
  ///
  /// - Throws: `.invalidInput` for more than `rowLimit` elements.
  /// - Complexity: O(*n*).
  public func elements() throws(HostError) -> Elements {
    enter()
    defer { leave() }
    let layout = try measuredLayout { .everything }
    if runner.traits.isLazy {
      let all = try lazyRows(of: layout)
      guard layout.isAdjusted else { return try gatherAnswer(all, layout, for: .everything) }
      let answer = try runner.answerStore(limit: rowLimit)
      guard answer.append(all: all) else { throw tooMany(all.rowCount) }
      return try gatherAnswer(answer, layout, for: .everything)
    }
    let store = runner.prepared
    guard store.rowCount <= rowLimit else { throw tooMany(store.rowCount) }
    let order = try runner.index.order()
    if layout.isAdjusted {
      let answer = try runner.answerStore(limit: max(rowLimit, store.rowCount))
      for place in order.places { try copy(store.runs[place], to: answer) }
      return try gatherAnswer(answer, layout, for: .everything)
    }
    let columns = try columns(of: layout, count: store.rowCount)
    for place in order.places {
      let run = store.runs[place]
      try gather(run, run.row..<run.row + run.count, of: store, layout, into: columns)
    }
    return result(columns)
  }

  /// Returns the elements whose adjusted frames intersect a rect; touching edges don't.
  ///
  /// - Complexity: O(log *n* + *k* log *k*) for *k* results that are close in order too.
  /// - Throws: The errors of `elements()`.
  public func elements(in rect: Rect) throws(HostError) -> Elements {
    enter()
    defer { leave() }
    guard rect.isFinite else { throw .notFinite("rect", Value.rect(rect)) }
    return try elements(in: rect, try measuredLayout { rect })
  }

  func elements(in rect: Rect, _ layout: PreparedLayout) throws(HostError) -> Elements {
    if layout.traits.isLazy || layout.isAdjusted || mirrorWidth(layout) != nil {
      return try adjustedElements(in: rect, layout)
    }
    let count = try layout.index.find(rect, isListed: true)
    return try gatherPieces(of: layout.index, count, layout)
  }

  /// For engines with nothing to adjust: what their adjust returns; nil for other engines.
  package func elementsAdjustedAnyway() throws(HostError) -> Elements? {
    enter()
    defer { leave() }
    let layout = try prepareIfNeeded()
    guard layout.traits.hasAdjust, !layout.isAdjusted else { return nil }
    layout.isAdjusted = true
    defer { layout.isAdjusted = false }
    return try elements()
  }

  private func adjustedElements(
    in rect: Rect, _ layout: PreparedLayout
  ) throws(HostError) -> Elements {
    let mirror = mirrorWidth(layout)
    let sought = mirror.map { rect.soughtInMirror(of: $0) } ?? rect
    if layout.traits.isLazy {
      let answer = try runner.answerStore(limit: rowLimit)
      try runner.ask(ElementsQuestion(rect: sought), context(layout), rows: answer)
      return try gatherAnswer(answer, layout, for: sought, within: rect)
    }
    let index = layout.index
    guard layout.isAdjusted else {
      let count = try index.find(sought, isListed: true) { $0.intersects(rect, mirroredIn: mirror) }
      return try gatherPieces(of: index, count, layout)
    }
    let count = try index.find(sought, isListed: false)
    guard count <= rowLimit else { throw tooMany(count) }
    let answer = try runner.answerStore(limit: rowLimit)
    guard index.copyPieces(to: answer) else { throw tooMany(count) }
    return try gatherAnswer(answer, layout, for: sought, within: rect)
  }

  /// Returns an element; nil if the layout doesn't have it.
  ///
  /// - Complexity: O(log *r*) for *r* runs.
  /// - Throws: The errors of `elements()`.
  public func element(_ identity: ElementIdentity) throws(HostError) -> Element? {
    enter()
    defer { leave() }
    guard let sought = run(of: identity) else {
      _ = try prepareIfNeeded()
      return nil
    }
    return try element(identity, sought, try settleElement(sought))
  }

  func element(
    _ identity: ElementIdentity, in layout: PreparedLayout
  ) throws(HostError) -> Element? {
    guard let sought = run(of: identity) else { return nil }
    return try element(identity, sought, layout)
  }

  @inline(__always)
  private func element(
    _ identity: ElementIdentity, _ sought: Run, _ layout: PreparedLayout
  ) throws(HostError) -> Element? {
    if layout.traits.isLazy {
      let answer = try lookUp(sought, layout)
      let frame = answer.rowCount > 0 ? answer.frames[0] : .everything
      return try gatherAnswer(answer, layout, for: frame)
        .first { $0.identity == identity }
    }
    let row = try layout.index.row(of: sought)
    if layout.isAdjusted {
      let answer = try runner.answerStore(limit: ElementQuestion.rowLimit)
      if let row { try copy([row], to: answer) }
      let frame = row.map { layout.index.store.frames[$0] } ?? .everything
      return try gatherAnswer(answer, layout, for: frame)
        .first { $0.identity == identity }
    }
    guard let row else { return nil }
    var run = sought
    run.row = row
    let store = layout.index.store
    let columns = try columns(of: layout, count: 1)
    try gather(run, row..<row + 1, of: store, layout, into: columns)
    return Elements(columns)[0]
  }

  func lookUp(_ sought: Run, _ layout: PreparedLayout) throws(HostError) -> RowStore {
    let answer = try runner.answerStore(limit: ElementQuestion.rowLimit)
    try runner.ask(ElementQuestion(run: sought.contract), context(layout), rows: answer)
    return answer
  }

  func run(of identity: ElementIdentity) -> Run? {
    guard identity.item >= 0, let section = UInt32(exactly: identity.section),
      identity.section < input.starts.counts.count,
      identity.category != .cell || identity.item < input.starts.counts[identity.section]
    else { return nil }
    guard let kind = runner.numbering.kinds.number(of: identity) else { return nil }
    return Run(
      category: identity.category, kind: UInt32(kind), section: section,
      firstItem: UInt64(identity.item), count: 1, row: 0)
  }

  func prepareIfNeeded() throws(HostError) -> PreparedLayout {
    try input.viewport.check()
    if !state.areValuesChecked {
      try values.checkCounts(input.starts)
      try values.checkFaults(input.starts)
      state.areValuesChecked = true
    }
    if runner.isLost { state.forgetLayout() }
    if state.offersAreStale || state.layout == nil { try refreshSizing() }
    if values.isMeasuring { noteMeasuredSizes() }
    if state.changes == UInt32(TESSERA_CHANGED_BOUNDS), let layout = state.layout,
      layout.viewport.equalsApartFromOffset(viewport)
    {
      layout.viewport = viewport
      state.changes = 0
    }
    if state.changes == 0, let layout = state.layout { return layout }
    // If only the bounds changed, engines may keep the layout.
    var kept = state.changes == UInt32(TESSERA_CHANGED_BOUNDS) ? state.layout : nil
    if let layout = kept, layout.traits.isMirrored, values.hasGeometricDelegates,
      [layout.viewport.direction, viewport.direction].contains(.rightToLeft)
    {
      // Delegate functions would still be mirrored in the old bounds.
      kept = nil
    }
    state.layout = nil
    var change = tessera_change(what: state.changes, first_section: 0, first_item: 0, last_count: 0)
    let data: EngineInput.Data = (input.starts, values.columns, values.lists)
    if state.changes & UInt32(TESSERA_CHANGED_ALL | TESSERA_CHANGED_COUNTS | TESSERA_CHANGED_VALUES)
      == 0
    {
      (change.first_section, change.last_count) = (
        UInt32(input.starts.counts.count), UInt64(input.starts.total)
      )
    } else if state.changes & TESSERA_CHANGED_ALL == 0, let before = state.data {
      let (first, last) = EngineInput.changedItems(
        from: before, to: data, measured: values.sizing, values.chain)
      (change.first_section, change.first_item) = (UInt32(first.section), UInt64(first.item))
      change.last_count = UInt64(last)
    }
    state.changes |= UInt32(TESSERA_CHANGED_ALL)
    let context = CallContext(viewport: viewport, change: change)
    let reply = try runner.ask(PrepareQuestion(unlessValid: kept != nil), context)
    guard let layout = PreparedLayout(reply, viewport: viewport, runner) else {
      kept?.viewport = viewport
      (state.layout, state.changes) = (kept, 0)
      return kept!
    }
    return finishPrepare(layout, data)
  }

  private func finishPrepare(_ layout: PreparedLayout, _ data: EngineInput.Data) -> PreparedLayout {
    (state.layout, state.changes) = (layout, 0)
    state.data = data
    values.prepared()
    if measuring.pushed != nil { keepPushed(layout) }
    return layout
  }

  func mirrorWidth(_ layout: PreparedLayout) -> Double? {
    input.viewport.direction == .rightToLeft && layout.traits.isMirrored
      ? layout.contentSize.width : nil
  }

  func tooMany(_ count: Int) -> HostError {
    HostError(
      .tooManyRows, "the layout has \(count) elements, more than \(rowLimit) at once", .askForPart)
  }
}

extension Rect {
  @inline(__always)
  func image(in width: Double?) -> Rect { width.map { mirrored(in: $0) } ?? self }

  @inline(__always)
  fileprivate func intersects(_ other: Rect, mirroredIn width: Double?) -> Bool {
    image(in: width).intersects(other)
  }

  /// Finds all frames that intersect after mirroring; slightly larger, because that rounds.
  func soughtInMirror(of width: Double) -> Rect {
    var sought = mirrored(in: width)
    let slack = 1e-12 * width + 1e-12 * x.magnitude + 1e-12 * self.width.magnitude
    sought.x -= slack
    sought.width += 2 * slack
    if sought.isFinite { return sought }
    return Rect(minX: width - maxX, minY: minY, maxX: width - minX, maxY: maxY)
  }

  func surroundings(upTo reach: Double) -> Rect {
    let around = Rect(
      x: x - reach, y: y - reach, width: width + 2 * reach, height: height + 2 * reach)
    if around.isFinite { return around }
    return Rect(minX: minX - reach, minY: minY - reach, maxX: maxX + reach, maxY: maxY + reach)
  }
}

// Values between program and engines: mirrored if needed, then checked.
extension Session {
  /// `subject` starts the error: "argument 1 of columnAt is".
  func asEnginesSee(
    _ value: Value, _ layout: PreparedLayout, _ subject: @autoclosure () -> String
  ) throws(HostError) -> Value {
    guard let width = mirrorWidth(layout) else { return value }
    let image = value.mirrored(in: width)
    guard image.isFinite else { throw .noMirrorImage(.invalidValue, subject(), value, in: width) }
    return image
  }

  func asProgramSees(
    _ value: Value, _ layout: PreparedLayout, _ code: HostError.Code,
    _ subject: @autoclosure () -> String
  ) throws(HostError) -> Value {
    guard let width = mirrorWidth(layout) else { return value }
    let image = value.mirrored(in: width)
    guard image.isFinite else { throw broken(.noMirrorImage(code, subject(), value, in: width)) }
    return image
  }
}

extension Session {
  func context(_ layout: PreparedLayout) -> CallContext {
    CallContext(viewport: viewport, mirrorWidth: mirrorWidth(layout), rowLimit: rowLimit)
  }

  func broken(_ error: HostError) -> HostError { runner.traits.broken(error) }

  /// Rows must ascend.
  func copy(_ rows: [Int], to answer: RowStore) throws(HostError) {
    guard runner.index.copy(rows, to: answer) else { throw tooMany(answer.rowCount + rows.count) }
  }

  func copy(_ run: Run, to answer: RowStore) throws(HostError) {
    let rows = run.row..<run.row + run.count
    guard answer.append(run, rows: rows, of: runner.prepared) != nil else {
      throw tooMany(answer.rowCount + rows.count)
    }
  }

  private func columns(of layout: PreparedLayout, count: Int) throws(HostError) -> ElementColumns {
    if isKnownUniquelyReferenced(&state.spareColumns), let spare = state.spareColumns,
      spare.fits(layout.columns, isAdjusted: layout.traits.asksEachTime)
    {
      try spare.clear(capacity: count)
      return spare
    }
    let columns = try ElementColumns(
      kinds: runner.numbering.kinds, attributes: runner.numbering.attributes,
      columns: layout.columns, isAdjusted: layout.traits.asksEachTime, capacity: count)
    state.spareColumns = columns
    return columns
  }

  private func result(_ columns: ElementColumns) -> Elements {
    if columns.isLarge { state.spareColumns = nil }
    return Elements(columns)
  }

  func gather(
    _ run: Run, _ rows: Range<Int>, of store: RowStore, _ layout: PreparedLayout,
    into columns: ElementColumns
  ) throws(HostError) {
    do throws(HostError) {
      try columns.append(run, rows: rows, of: store, mirrorWidth: mirrorWidth(layout))
    } catch {
      throw broken(error)
    }
  }

  private func gatherPieces(
    of index: PreparedIndex, _ count: Int, _ layout: PreparedLayout
  ) throws(HostError) -> Elements {
    guard count <= rowLimit else { throw tooMany(count) }
    let columns = try columns(of: layout, count: count)
    let mirror = mirrorWidth(layout)
    do throws(HostError) { try columns.append(found: index, mirrorWidth: mirror) } catch {
      throw broken(error)
    }
    return result(columns)
  }

  // Lets engines adjust an answer, then checks and copies it. `wanted` filters after mirroring.
  func gatherAnswer(
    _ store: RowStore, _ layout: PreparedLayout, for rect: Rect, within wanted: Rect? = nil
  ) throws(HostError) -> Elements {
    if layout.isAdjusted {
      try runner.ask(AdjustQuestion(rect: rect), context(layout), rows: store)
    }
    let order = try RunOrder.checked(store.runs, runner.numbering, runner.traits)
    let columns = try columns(of: layout, count: store.rowCount)
    let (frames, mirror) = (store.frames, mirrorWidth(layout))
    for place in order.places {
      let run = store.runs[place]
      guard let wanted else {
        try gather(run, run.row..<run.row + run.count, of: store, layout, into: columns)
        continue
      }
      var first = run.row
      for row in run.row..<run.row + run.count
      where !frames[row].intersects(wanted, mirroredIn: mirror) {
        // Don't drop invalid frames silently: copying reports them.
        guard frames[row].isValid, frames[row].image(in: mirror).isValid else { continue }
        if first < row { try gather(run, first..<row, of: store, layout, into: columns) }
        first = row + 1
      }
      let end = run.row + run.count
      if first < end { try gather(run, first..<end, of: store, layout, into: columns) }
    }
    return result(columns)
  }
}

/// What the engine has prepared, and what has changed since.
struct PreparedState {
  /// TESSERA_CHANGED bits since the last successful prepare.
  var changes = UInt32(TESSERA_CHANGED_ALL) {
    didSet {
      offersAreStale = changes != 0
      if offersAreStale { areValuesChecked = false }
    }
  }
  var areValuesChecked = false
  /// Whether more than measured sizes changed since the engine was asked for offers.
  var offersAreStale = true
  var layout: PreparedLayout?
  /// The last prepare's data.
  var data: EngineInput.Data?
  /// The last result's memory, reused once no `Elements` refers to it.
  var spareColumns: ElementColumns?

  mutating func forgetLayout() {
    layout = nil
    changes = UInt32(TESSERA_CHANGED_ALL)
  }
}

// Queries use this instead of the runner, an existential with reference counting per access.
final class PreparedLayout {
  let contentSize: Size
  var isAdjusted: Bool
  var viewport: Viewport
  /// Empty for a lazy layout.
  let index: PreparedIndex
  let traits: ChainTraits
  let columns: BuiltInColumns

  /// Nil if the layout is still valid.
  init?(_ reply: PrepareQuestion.Reply, viewport: Viewport, _ runner: any LayoutRunner) {
    guard case .prepared(let size, let isAdjusted) = reply else { return nil }
    (contentSize, self.viewport) = (size, viewport)
    (index, traits) = (runner.index, runner.traits)
    // A worker may send anything.
    self.isAdjusted = isAdjusted && traits.hasAdjust
    columns = index.elementColumns
  }
}

extension Session {
  /// Target number of elements per band.
  private static let bandAim = 100_000

  private func lazyRows(of layout: PreparedLayout) throws(HostError) -> RowStore {
    guard input.starts.total <= rowLimit else { throw tooMany(input.starts.total) }
    let content = layout.contentSize
    let isVertical = content.height >= content.width
    let end = isVertical ? content.height : content.width
    // Bands exceed every element across; the first and last do so along the axis too.
    let far = max(1e13, min(2 * max(content.width, content.height), .greatestFiniteMagnitude / 4))
    let numbering = runner.numbering
    let all = try RowStore(
      numbering: numbering, columns: numbering.adjustedColumns, adjusted: true,
      capacity: rowLimit)
    var start = -far
    var length = max(1, isVertical ? bounds.height : bounds.width)
    while start < end || start == -far {
      let from = max(start, 0)
      let next = from + length >= end ? max(far, end) : from + length
      let band =
        isVertical
        ? Rect(x: -far, y: start, width: 2 * far, height: next - start)
        : Rect(x: start, y: -far, width: next - start, height: 2 * far)
      let before = all.rowCount
      let answer = try runner.answerStore(limit: rowLimit)
      try runner.ask(ElementsQuestion(rect: band), context(layout), rows: answer)
      for run in answer.runs {
        try append(run, of: answer, to: all) { frame in
          (start..<next).contains(isVertical ? frame.y : frame.x)
        }
      }
      let found = all.rowCount - before
      if found < Self.bandAim / 2 { length *= 2 } else if found > Self.bandAim * 2 { length /= 2 }
      start = next
    }
    try all.forEachMissingCell(UnsafeBufferPointer(input.starts.buffer)) { cell throws(HostError) in
      let answer = try lookUp(cell, layout)
      guard all.append(all: answer) else { throw tooMany(all.rowCount + answer.rowCount) }
    }
    return all
  }

  /// Appends only rows that start in the band: an element in several is added once.
  private func append(
    _ run: Run, of answer: RowStore, to all: RowStore, isWanted: (Rect) -> Bool
  ) throws(HostError) {
    let end = run.row + run.count
    var row = run.row
    while row < end {
      guard isWanted(answer.frames[row]) else {
        row += 1
        continue
      }
      let first = row
      while row < end, isWanted(answer.frames[row]) { row += 1 }
      guard all.append(run, rows: first..<row, of: answer) != nil else {
        throw tooMany(all.rowCount + row - first)
      }
    }
  }
}
