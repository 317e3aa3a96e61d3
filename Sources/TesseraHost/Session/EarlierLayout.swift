import CTessera
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime
import TesseraWorker

// The layout before an update: all elements, or the ones in and near the viewport. Others that turn
// out to be needed come from a second prepare of the old input.
struct EarlierLayout {
  let elements: Elements
  var contentSize = Size.zero
  let visibleRect: Rect
  /// Not among `elements`.
  fileprivate private(set) var others: [ElementIdentity: Element] = [:]
  private let viewport: Viewport
  private let input: EngineInput
  /// Known to be absent from a lazy layout.
  private var missing: Set<ElementIdentity> = []
  /// Nil for a lazy layout.
  private let runs: (order: RunOrder, ContiguousArray<Run>)?
  private var splices: [(layer: Int, index: Int, splices: [ValueMemory.Splice])] = []

  init(_ elements: Elements, of session: Session) { self.init(elements, nil, session) }

  private init(
    _ elements: Elements, _ runs: (RunOrder, ContiguousArray<Run>)?, _ session: Session
  ) {
    self.elements = elements
    self.runs = runs
    (viewport, visibleRect) = (session.viewport, session.visibleRect)
    let values = session.values
    input = EngineInput(
      starts: session.input.starts, settings: values.settings, columns: values.columns,
      lists: values.lists,
      sizing: values.sizing.map { ($0.place, ValueMemory(borrowing: $0.column, of: $0)) })
  }

  // Predicts what the update brings into sight. O(*k* log *n*) for *k* visible elements.
  init(near session: Session, _ batch: UpdateBatch) throws(HostError) {
    let layout = try session.measuredLayout { session.visibleRect }
    let elements = try session.nearbyElements(layout)
    let runs: (RunOrder, ContiguousArray<Run>)? =
      layout.traits.isLazy ? nil : (try layout.index.order(), layout.index.store.runs)
    self.init(elements, runs, session)
    if layout.traits.isLazy { try lookUpNumbered(session, layout, batch) }
    guard !batch.items.departures.isEmpty || !batch.sections.departures.isEmpty else { return }
    // Cells after the first visible one move up to replace deleted ones.
    let cells = visibleCells
    guard let first = cells.first, cells.count <= Self.mostForeseen,
      let section = batch.destination(ofSection: first.section)
    else { return }
    let count = batch.after[section]
    let place = batch.items.destination(of: first, in: section)
    let start = max(0, min(place.item, count - cells.count))
    for item in start..<min(start + cells.count, count) {
      guard let origin = batch.origin(of: ElementIdentity.cell(section: section, item: item)),
        elements.position(of: origin) == nil, others[origin] == nil
      else { continue }
      others[origin] = try session.element(origin, in: layout)
    }
  }

  /// In a lazy layout with insertions, looks up numbers after the visible ones.
  private mutating func lookUpNumbered(
    _ session: Session, _ layout: PreparedLayout, _ batch: UpdateBatch
  ) throws(HostError) {
    var last: [ElementIdentity: Int] = [:]
    let runs = elements.memory.runs
    for run in runs where run.category == .decoration {
      let group = ElementIdentity(
        category: .decoration, kind: elements.kinds[Int(run.kind)].name, section: Int(run.section),
        item: 0)
      last[group] = max(last[group] ?? 0, Int(run.firstItem) + run.count - 1)
    }
    for (group, item) in last {
      let section = batch.destination(ofSection: group.section)
      let arriving = section.map { batch.after[$0] - batch.before[group.section] } ?? 0
      for number in (item + 1..<Int.max).prefix(max(0, min(arriving, Self.mostForeseen))) {
        var next = group
        next.item = number
        others[next] = try session.element(next, in: layout)
        if others[next] == nil { missing.insert(next) }
      }
    }
  }

  /// With more visible cells, nothing is looked up in advance.
  private static let mostForeseen = 4096

  var visibleCells: [ItemPath] {
    var cells: [ItemPath] = []
    let frames = elements.memory.frames
    for run in elements.memory.runs where run.category == .cell {
      for row in run.row..<run.row + run.count where frames[row].intersects(visibleRect) {
        cells.append(ItemPath(section: Int(run.section), item: run.item(atRow: row)))
      }
    }
    return cells
  }

  /// Call before a prepare reads the values.
  mutating func noteSplices() {
    for (layer, columns) in input.columns.enumerated() {
      for (index, column) in columns.enumerated() {
        guard let column, !column.splices.isEmpty else { continue }
        splices.append((layer, index, column.splices))
      }
    }
  }

  fileprivate func mayHave(_ identity: ElementIdentity, _ numbering: ChainNumbers) -> Bool {
    guard let runs else { return !missing.contains(identity) }
    guard let kind = numbering.kinds.number(of: identity) else { return false }
    return runs.order.run(
      holding: UInt64(identity.item), identity.category, kind: UInt32(kind),
      section: UInt32(identity.section), in: runs.1) != nil
  }

  fileprivate func wholeInput() throws(HostError) -> EngineInput {
    var columns = input.columns
    for splice in splices {
      columns[splice.layer][splice.index] =
        try columns[splice.layer][splice.index]?.copy(before: splice.splices)
    }
    return EngineInput(
      viewport: viewport, starts: input.starts, settings: input.settings, columns: columns,
      lists: input.lists, sizing: input.sizing)
  }
}

extension Session {
  /// Where elements are measured, only the viewport.
  func nearbyElements() throws(HostError) -> Elements {
    values.isMeasuring ? try visibleElements() : try nearbyElements(try prepareIfNeeded())
  }

  fileprivate func nearbyElements(_ layout: PreparedLayout) throws(HostError) -> Elements {
    let visible = visibleRect
    let around = Rect(
      x: visible.x - visible.width / 2, y: visible.y - visible.height / 2,
      width: 2 * visible.width, height: 2 * visible.height)
    do throws(HostError) { return try elements(in: around, layout) } catch {
      // There may be too many around the viewport, but not in it.
      guard error.code == .tooManyRows else { throw error }
      return try elements(in: visible, layout)
    }
  }

  /// Old elements that `earlier.elements` lacks, by their new identity.
  func lookUpOrigins(
    of new: [ElementIdentity], _ earlier: EarlierLayout, _ batch: UpdateBatch
  ) throws(HostError) -> [ElementIdentity: Element] {
    var found: [ElementIdentity: Element] = [:]
    var missing: [(new: ElementIdentity, origin: ElementIdentity)] = []
    for new in new {
      guard let origin = batch.origin(of: new) else { continue }
      if let known = earlier.others[origin] {
        found[new] = known
      } else if earlier.mayHave(origin, runner.numbering) {
        missing.append((new, origin))
      }
    }
    guard !missing.isEmpty else { return found }
    try withRunner(of: try earlier.wholeInput()) { (layout) throws(HostError) in
      for (new, origin) in missing {
        if let element = try element(origin, in: layout) { found[new] = element }
      }
    }
    return found
  }

  /// Runs a second instance of the engines on other input.
  private func withRunner<Result>(
    of data: EngineInput, _ body: (PreparedLayout) throws(HostError) -> Result
  ) throws(HostError) -> Result {
    let present = (
      runner: runner, starts: input.starts, prepared: state.layout, changes: state.changes
    )
    let presentViewport = viewport
    let other = try engine.runner(try SessionValues(values, as: data), data.starts, sharedInput)
    other.timeLimit = runner.timeLimit
    other.time = time
    defer {
      // Don't keep its worker for other sessions: it shares this session's input.
      try? other.close()
      viewport = presentViewport
      (runner, input.starts) = (present.runner, present.starts)
      (state.layout, state.changes) = (present.prepared, present.changes)
    }
    viewport = data.viewport
    (runner, input.starts) = (other, data.starts)
    let context = CallContext(
      viewport: viewport,
      change: tessera_change(
        what: UInt32(TESSERA_CHANGED_ALL), first_section: 0, first_item: 0, last_count: 0))
    // A new runner has no layout to keep, so the reply contains one.
    let layout = PreparedLayout(
      try other.ask(PrepareQuestion(), context), viewport: viewport, other)!
    state.layout = layout
    return try body(layout)
  }
}
