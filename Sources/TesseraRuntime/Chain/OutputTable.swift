import CTessera
import TesseraCatalog
import TesseraGeometry

/// The `tessera_output` of one engine of a chain.
final class OutputTable {
  private struct Box {
    var table: tessera_output
    var owner: Unmanaged<OutputTable>
  }
  private let box: UnsafeMutablePointer<Box>
  private let state: OutputState
  private let kinds: [KindDescription]
  /// The engine's number of a kind → the chain's.
  private let kindNumbers: [Int]
  private let views: ViewArena
  private var known: KnownRuns

  /// Whether the engine knows of rows that are kept.
  private let isIncremental: Bool

  init(state: OutputState, numbering: Numbering, layer: Int, isIncremental: Bool) {
    self.isIncremental = isIncremental
    self.state = state
    kinds = numbering.kinds
    kindNumbers = numbering.kindNumbers[layer]
    views = ViewArena(attributeNumbers: numbering.attributeNumbers[layer])
    known = KnownRuns(kindNumbers: kindNumbers, kindCount: kinds.count)
    box = .allocate(capacity: 1)
    box.initialize(
      to: Box(
        table: tessera_output(
          struct_size: UInt32(MemoryLayout<tessera_output>.size), reserved: 0, add: addRun,
          run_count: countRuns, get: getRun, set_content_size: setContentSize,
          content_size: getContentSize),
        owner: .passUnretained(self)))
  }

  deinit { box.deallocate() }

  /// What the engine is handed; valid as long as this object.
  var pointer: UnsafeMutablePointer<tessera_output> {
    UnsafeMutableRawPointer(box).assumingMemoryBound(to: tessera_output.self)
  }

  /// Takes all views back, after the engine's call has returned.
  func callReturned() { views.clear() }

  fileprivate static func owner(of table: UnsafeMutablePointer<tessera_output>) -> OutputTable {
    UnsafeRawPointer(table).assumingMemoryBound(to: Box.self).pointee.owner.takeUnretainedValue()
  }

  fileprivate typealias Rows = UnsafeMutablePointer<UnsafePointer<tessera_rows>?>

  fileprivate func add(_ raw: tessera_run, _ rows: Rows) -> tessera_status {
    guard state.acceptsRows else { return TESSERA_WRONG_STATE }
    guard let run = checked(raw) else { return TESSERA_INVALID_VALUE }
    if state.call == .adjust { return addAdjusted(run, rows) }
    guard raw.count <= UInt64(state.store.capacity),
      let placed = state.store.append(run, keeping: isIncremental)
    else {
      state.store.refuse()
      return TESSERA_NO_SPACE
    }
    rows.pointee = views.view(of: placed, in: state.store)
    return TESSERA_OK
  }

  /// In adjust an element has one row: the one that the query is about to return, or else one that
  /// starts as a copy of the prepared row.
  private func addAdjusted(_ run: Run, _ rows: Rows) -> tessera_status {
    guard run.count == 1 else {
      return refuse("a run of \(run.count) elements in adjust; the contract wants one")
    }
    guard let placed = state.rowInAdjust(run) else {
      state.store.refuse()
      return TESSERA_NO_SPACE
    }
    rows.pointee = views.view(of: placed, in: state.store)
    return TESSERA_OK
  }

  /// Notes why a run is not taken.
  private func refuse(_ found: String) -> tessera_status {
    state.problem = state.problem ?? "it added \(found)"
    return TESSERA_INVALID_VALUE
  }

  /// The run as the chain numbers it, or nil where it is none that this engine may add.
  private func checked(_ raw: tessera_run) -> Run? {
    func refuse(_ found: String) -> Run? {
      _ = self.refuse(found)
      return nil
    }
    guard let category = ElementCategory(rawValue: raw.category) else {
      return refuse("a run of category \(raw.category); the contract has 0 to 2")
    }
    guard Int(raw.section) < state.sectionCount else {
      return refuse("elements of section \(raw.section); there are \(state.sectionCount) sections")
    }
    let (end, overflows) = raw.first_item.addingReportingOverflow(raw.count)
    guard !overflows, end <= UInt64(Int64.max) else {
      return refuse("\(raw.count) elements from \(raw.first_item) on; no number reaches so far")
    }
    var kind = 0
    if category == .cell {
      let count = state.itemCount(section: Int(raw.section))
      guard raw.kind == 0, end <= count else {
        return refuse(
          "cells \(raw.first_item) to \(end) of kind \(raw.kind) in section \(raw.section); it has "
            + "\(count) items, and cells have the kind 0")
      }
    } else {
      guard Int(raw.kind) < kindNumbers.count,
        kinds[kindNumbers[Int(raw.kind)]].category == category
      else {
        return refuse("\(category.name) elements of kind \(raw.kind), which it does not declare")
      }
      kind = kindNumbers[Int(raw.kind)]
    }
    return Run(
      category: category, kind: UInt32(kind), section: raw.section, firstItem: raw.first_item,
      count: Int(clamping: raw.count), row: 0)
  }

  /// A run as another engine of the chain numbers its kinds; nil where that does not know the kind.
  func translated(_ raw: tessera_run, for other: OutputTable) -> tessera_run? {
    var raw = raw
    guard raw.category != TESSERA_CELL else { return raw }
    guard Int(raw.kind) < kindNumbers.count,
      let kind = other.kindNumbers.firstIndex(of: kindNumbers[Int(raw.kind)])
    else { return nil }
    raw.kind = UInt32(kind)
    return raw
  }

  fileprivate var runCount: Int { state.call == .none ? 0 : known.count(in: state) }

  fileprivate func get(
    _ index: UInt64, _ out: UnsafeMutablePointer<tessera_run>, _ rows: Rows
  ) -> tessera_status {
    guard state.call != .none, let place = known.place(of: index, in: state) else {
      return TESSERA_NOT_FOUND
    }
    let run = state.store.runs[place]
    let kind = run.category == .cell ? 0 : kindNumbers.firstIndex(of: Int(run.kind))
    guard let kind else { return TESSERA_NOT_FOUND }
    out.pointee = tessera_run(
      category: run.category.rawValue, kind: UInt32(kind), section: run.section, reserved: 0,
      first_item: run.firstItem, count: UInt64(run.count))
    rows.pointee = views.view(of: run, in: state.store)
    if state.call == .prepare { state.areRowsEdited = true }
    return TESSERA_OK
  }

  fileprivate var contentSize: Size {
    get { state.contentSize ?? .zero }
    set { if state.call == .prepare { state.contentSize = newValue } }
  }
}

private func addRun(
  _ output: UnsafeMutablePointer<tessera_output>, _ run: UnsafePointer<tessera_run>,
  _ rows: UnsafeMutablePointer<UnsafePointer<tessera_rows>?>
) -> tessera_status {
  OutputTable.owner(of: output).add(run.pointee, rows)
}

private func countRuns(_ output: UnsafeMutablePointer<tessera_output>) -> UInt64 {
  UInt64(OutputTable.owner(of: output).runCount)
}

private func getRun(
  _ output: UnsafeMutablePointer<tessera_output>, _ index: UInt64,
  _ run: UnsafeMutablePointer<tessera_run>,
  _ rows: UnsafeMutablePointer<UnsafePointer<tessera_rows>?>
) -> tessera_status {
  OutputTable.owner(of: output).get(index, run, rows)
}

private func setContentSize(_ output: UnsafeMutablePointer<tessera_output>, _ size: tessera_size) {
  OutputTable.owner(of: output).contentSize = Size(width: size.width, height: size.height)
}

private func getContentSize(_ output: UnsafeMutablePointer<tessera_output>) -> tessera_size {
  let size = OutputTable.owner(of: output).contentSize
  return tessera_size(width: size.width, height: size.height)
}

/// What all engines of a chain write into in one call, and what the call is.
package final class OutputState {
  /// What an engine is doing.
  package enum Call { case none, prepare, adjust, query, stillValid, function }

  /// Where rows go.
  var store: RowStore {
    didSet { takenBack += 1 }
  }
  var call = Call.none {
    didSet { adjusted = nil }
  }
  /// Finds prepared rows while an adjust runs over them.
  var preparedRows: PreparedIndex?
  private var adjusted: AdjustedRows?
  var contentSize: Size?
  /// Items before each section, and all of them at the end.
  package var sectionStarts: UnsafeBufferPointer<UInt64>

  init(store: RowStore, sectionStarts: UnsafeBufferPointer<UInt64>) {
    self.store = store
    self.sectionStarts = sectionStarts
  }

  /// Why a run was not taken, first since the call began.
  var problem: String?
  /// Whether a derived engine has fetched rows of its base in the last prepare: it may have changed
  /// them, so the base cannot take them for its own.
  var areRowsEdited = false

  /// Whether the call that runs may add rows.
  var acceptsRows: Bool { call == .prepare || call == .adjust || call == .query }

  /// The row of one element in adjust; nil where there is no room for one.
  func rowInAdjust(_ element: Run) -> Run? {
    if adjusted == nil { adjusted = AdjustedRows(store.runs) }
    if let row = adjusted?.row(of: element) {
      var found = element
      found.row = row
      return found
    }
    let added: Run?
    if let prepared = preparedRows, let source = try? prepared.row(of: element) {
      var run = element
      run.row = source
      added = store.append(run, rows: source..<source + 1, of: prepared.store)
    } else {
      added = store.append(element)
    }
    if let added { adjusted?.insert(added) }
    return added
  }

  /// How often runs that engines have seen were taken back: with each store to write to, and when a
  /// base is prepared again.
  var takenBack = 0

  var sectionCount: Int { max(0, sectionStarts.count - 1) }

  /// The counts in a line of a trace.
  var traceText: String { "sections \(sectionCount), items \(sectionStarts.last ?? 0)" }

  func itemCount(section: Int) -> UInt64 { sectionStarts[section + 1] - sectionStarts[section] }
}

/// Which runs an engine of a chain is shown: cells, and the kinds that it can number.
///
/// Elements of a kind that only a derived engine declares are no business of its bases.
struct KnownRuns {
  private let kinds: Set<UInt32>
  private let isAll: Bool
  /// The places of the runs that are shown, among those looked at so far.
  private var places: [Int] = []
  private var end = 0
  /// How often runs had been taken back then.
  private var takenBack = 0

  /// - Parameters:
  ///   - kindNumbers: The engine's number of a kind → the chain's.
  ///   - kindCount: How many kinds the chain has.
  init(kindNumbers: [Int], kindCount: Int) {
    kinds = Set(kindNumbers.map { UInt32($0) })
    isAll = kindNumbers.count == kindCount
  }

  /// How many runs are shown.
  ///
  /// - Complexity: O(1) for an engine that knows every kind; else O(*r*) for *r* runs that came since.
  mutating func count(in state: OutputState) -> Int {
    guard !isAll else { return state.store.runs.count }
    look(at: state)
    return places.count
  }

  /// The place of a run that is shown, by its number among those; nil: there is none.
  mutating func place(of number: UInt64, in state: OutputState) -> Int? {
    guard number < UInt64(count(in: state)) else { return nil }
    return isAll ? Int(number) : places[Int(number)]
  }

  private mutating func look(at state: OutputState) {
    if takenBack != state.takenBack {
      takenBack = state.takenBack
      places.removeAll(keepingCapacity: true)
      end = 0
    }
    let runs = state.store.runs
    while end < runs.count {
      if runs[end].category == .cell || kinds.contains(runs[end].kind) { places.append(end) }
      end += 1
    }
  }
}

/// Finds the row of an element among those that a query is about to return.
struct AdjustedRows {
  private struct Group: Hashable {
    let category: ElementCategory
    let kind: UInt32
    let section: UInt32
  }
  /// The runs of each group, in the order of items.
  private var groups: [Group: [Run]] = [:]

  init(_ runs: ContiguousArray<Run>) {
    for run in runs { groups[Self.group(of: run), default: []].append(run) }
    for group in groups.keys { groups[group]?.sort { $0.firstItem < $1.firstItem } }
  }

  /// The row of an element; nil where there is none.
  ///
  /// - Complexity: O(log *r*) for *r* runs of the element's section and kind.
  func row(of element: Run) -> Int? {
    guard let runs = groups[Self.group(of: element)] else { return nil }
    let place = Self.place(of: element.firstItem, in: runs)
    guard place > 0 else { return nil }
    let run = runs[place - 1]
    let offset = element.firstItem - run.firstItem
    return offset < UInt64(run.count) ? run.row + Int(offset) : nil
  }

  /// Notes a row that was added.
  mutating func insert(_ run: Run) {
    let group = Self.group(of: run)
    let place = Self.place(of: run.firstItem, in: groups[group] ?? [])
    groups[group, default: []].insert(run, at: place)
  }

  private static func group(of run: Run) -> Group {
    Group(category: run.category, kind: run.kind, section: run.section)
  }

  /// How many runs start at or before an item.
  private static func place(of item: UInt64, in runs: [Run]) -> Int {
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].firstItem <= item { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// The `tessera_rows` that an engine is shown: each stays where it is until the call returns.
final class ViewArena {
  private static let chunk = 256
  private let attributeNumbers: [Int]
  private var rows: [UnsafeMutablePointer<tessera_rows>] = []
  private var attributes: [UnsafeMutablePointer<UnsafeMutableRawPointer?>] = []
  private var count = 0

  /// - Parameter attributeNumbers: The engine's number of an attribute → the chain's.
  init(attributeNumbers: [Int]) { self.attributeNumbers = attributeNumbers }

  deinit {
    for chunk in rows { chunk.deallocate() }
    for chunk in attributes { chunk.deallocate() }
  }

  /// Takes all views back.
  func clear() { count = 0 }

  /// A view of a run of a store.
  func view(of run: Run, in store: RowStore) -> UnsafePointer<tessera_rows> {
    let (chunk, place) = (count / Self.chunk, count % Self.chunk)
    if chunk == rows.count { grow() }
    count += 1
    let view = rows[chunk] + place
    var columns: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    if !attributeNumbers.isEmpty {
      let first = attributes[chunk] + place * attributeNumbers.count
      for (own, number) in attributeNumbers.enumerated() {
        let column = store.attributes[number]
        first[own] = column.memory.map { $0.base + run.row * column.stride }
      }
      columns = first
    }
    view.initialize(
      to: tessera_rows(
        struct_size: UInt32(MemoryLayout<tessera_rows>.size), reserved: 0,
        count: UInt64(run.count), kept: UInt64(run.kept),
        frame: UnsafeMutableRawPointer(store.frames + run.row)
          .assumingMemoryBound(to: tessera_rect.self),
        transform: store.transforms.map {
          UnsafeMutableRawPointer($0 + run.row).assumingMemoryBound(to: tessera_transform.self)
        },
        alpha: store.alphas.map { $0 + run.row }, z_index: store.zIndexes.map { $0 + run.row },
        hidden: store.hidden.map { $0 + run.row }, attributes: UnsafePointer(columns)))
    return UnsafePointer(view)
  }

  private func grow() {
    rows.append(.allocate(capacity: Self.chunk))
    if !attributeNumbers.isEmpty {
      attributes.append(.allocate(capacity: Self.chunk * attributeNumbers.count))
    }
  }
}
