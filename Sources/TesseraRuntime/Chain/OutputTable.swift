import CTessera
import TesseraCatalog
import TesseraGeometry

final class OutputTable {
  /// For the engine; valid as long as this object.
  private(set) var pointer: UnsafeMutablePointer<tessera_output>!
  let state: OutputState
  private let kinds: [KindDescription]
  /// The engine's number → the chain's.
  private let kindNumbers: [Int]
  private let views: ViewArena
  private var known: KnownRuns

  private let isIncremental: Bool

  init(state: OutputState, numbering: ChainNumbers, layer: Int, isIncremental: Bool) {
    self.isIncremental = isIncremental
    self.state = state
    kinds = numbering.kinds
    kindNumbers = numbering.kindNumbers[layer]
    views = ViewArena(attributeNumbers: numbering.attributeNumbers[layer])
    known = KnownRuns(kindNumbers: kindNumbers, kindCount: kinds.count)
    pointer = OwnedTable.allocate(
      tessera_output(
        struct_size: UInt32(MemoryLayout<tessera_output>.size), reserved: 0,
        add: { owner(of: $0).add($1.pointee, $2) },
        run_count: { UInt64(owner(of: $0).runCount) },
        get: { owner(of: $0).get($1, $2, $3) },
        set_content_size: {
          owner(of: $0).contentSize = Size(width: $1.width, height: $1.height)
        },
        content_size: {
          let size = owner(of: $0).contentSize
          return tessera_size(width: size.width, height: size.height)
        },
        leave: { owner(of: $0).leave($1, $2) }),
      of: .passUnretained(self))
  }

  deinit { pointer.deallocate() }

  func callReturned() { views.clear() }

  /// In an examination, the engine gets a copy of the table for one call.
  func lent<Result>(by examiner: any CallExaminer, _ body: () -> Result) -> Result {
    let outer = pointer
    defer { pointer = outer }
    let size = MemoryLayout<OwnedTable<tessera_output, OutputTable>>.size
    if let outer, let copy = examiner.lend(byteCount: size, "the tessera_output") {
      copy.copyMemory(from: outer, byteCount: size)
      pointer = copy.assumingMemoryBound(to: tessera_output.self)
    }
    return body()
  }

  /// In an examination, the engine gets a copy of `tessera_rows`.
  private func lend(_ rows: Rows, isFetched: Bool, by examiner: any CallExaminer) {
    guard let given = rows.pointee else { return }
    if state.call == .prepare { examiner.willGive(given.pointee, isFetched: isFetched) }
    guard let lent = examiner.lend(byteCount: MemoryLayout<tessera_rows>.size, "a tessera_rows"),
      let attributes = examiner.lend(byteCount: views.attributeBytes, "the attributes of rows")
    else { return }
    let copy = lent.bindMemory(to: tessera_rows.self, capacity: 1)
    copy.initialize(to: given.pointee)
    if let columns = given.pointee.attributes {
      attributes.copyMemory(from: columns, byteCount: views.attributeBytes)
      copy.pointee.attributes = UnsafePointer(
        attributes.assumingMemoryBound(to: UnsafeMutableRawPointer?.self))
    }
    rows.pointee = UnsafePointer(copy)
  }

  fileprivate typealias Rows = UnsafeMutablePointer<UnsafePointer<tessera_rows>?>

  fileprivate func add(_ raw: tessera_run, _ rows: Rows) -> tessera_status {
    guard let examiner = state.examiner else { return place(raw, rows) }
    let status = examiner.add(raw.count, to: state.store) { place(raw, rows) }
    if status == TESSERA_OK { lend(rows, isFetched: false, by: examiner) }
    return status
  }

  private func place(_ raw: tessera_run, _ rows: Rows) -> tessera_status {
    guard state.acceptsRows else { return TESSERA_ERROR_WRONG_STATE }
    guard let run = checked(raw) else { return TESSERA_ERROR_INVALID_VALUE }
    if state.call == .adjust { return addAdjusted(run, rows) }
    guard raw.count <= UInt64(state.store.capacity),
      let placed = state.store.append(run, keeping: isIncremental)
    else {
      state.store.refuse()
      return TESSERA_ERROR_NO_SPACE
    }
    rows.pointee = views.view(of: placed, in: state.store)
    return TESSERA_OK
  }

  fileprivate func leave(_ rows: UnsafePointer<tessera_rows>, _ count: UInt64) -> tessera_status {
    guard state.call == .prepare else { return state.refuse("leave", onlyIn: "prepare") }
    let frame = UnsafeMutableRawPointer(rows.pointee.frame)
    guard state.store.leave(count, rowsAt: frame, isIncremental: isIncremental) else {
      return TESSERA_ERROR_INVALID_VALUE
    }
    state.examiner?.wereLeft(rows.pointee, Int(count))
    return TESSERA_OK
  }

  /// In adjust: the row in the query result, else a copy of the prepared row.
  private func addAdjusted(_ run: Run, _ rows: Rows) -> tessera_status {
    guard run.count == 1 else {
      return refuse(.invalidRun, "a run of \(run.count) elements in adjust; expected one")
    }
    guard let placed = state.rowInAdjust(run) else {
      state.store.refuse()
      return TESSERA_ERROR_NO_SPACE
    }
    rows.pointee = views.view(of: placed, in: state.store)
    return TESSERA_OK
  }

  private func refuse(_ code: HostError.Code, _ found: String) -> tessera_status {
    state.problem = state.problem ?? (code, "added \(found)")
    return TESSERA_ERROR_INVALID_VALUE
  }

  /// With the chain's kind number; nil if the engine may not add it.
  private func checked(_ raw: tessera_run) -> Run? {
    func refuse(_ code: HostError.Code, _ found: String) -> Run? {
      _ = self.refuse(code, found)
      return nil
    }
    guard raw.reserved == 0 else {
      return refuse(
        .invalidRun,
        "a run whose reserved member is \(raw.reserved); initialize every member, so "
          + "that it is 0")
    }
    guard let category = ElementCategory(rawValue: raw.category) else {
      return refuse(.undeclaredKind, "a run of category \(raw.category); expected 0 to 2")
    }
    guard Int(raw.section) < state.sectionCount else {
      return refuse(
        .elementOutOfRange,
        "elements of section \(raw.section); there are \(counted(state.sectionCount, "section")), counted "
          + "from 0")
    }
    let (end, overflows) = raw.first_item.addingReportingOverflow(raw.count)
    guard !overflows, end <= UInt64(Int64.max) else {
      return refuse(
        .elementOutOfRange,
        "\(raw.count) elements from \(raw.first_item) on; indexes end at 2^63 - 1")
    }
    var kind = 0
    if category == .cell {
      let count = state.itemCount(section: Int(raw.section))
      guard raw.kind == 0 else {
        return refuse(
          .elementOutOfRange, "cells of the kind \(raw.kind); cells have the kind 0")
      }
      guard end <= count else {
        let items = count == 1 ? "1 item" : "\(count) items"
        return refuse(
          .elementOutOfRange,
          "cell \(max(count, raw.first_item)) of section \(raw.section), which has \(items); first_item "
            + "counts from 0 in its section")
      }
    } else {
      guard Int(raw.kind) < kindNumbers.count,
        kinds[kindNumbers[Int(raw.kind)]].category == category
      else {
        return refuse(
          .undeclaredKind,
          "\(category.name) elements of kind \(raw.kind), which it does not declare")
      }
      kind = kindNumbers[Int(raw.kind)]
    }
    return Run(
      category: category, kind: UInt32(kind), section: raw.section, firstItem: raw.first_item,
      count: Int(clamping: raw.count), row: 0)
  }

  /// With the other engine's kind number; nil if it lacks the kind.
  func translated(_ raw: tessera_run, for other: OutputTable) -> tessera_run? {
    var raw = raw
    guard raw.category != TESSERA_CATEGORY_CELL else { return raw }
    guard Int(raw.kind) < kindNumbers.count,
      let kind = other.kindNumbers.firstIndex(of: kindNumbers[Int(raw.kind)])
    else { return nil }
    raw.kind = UInt32(kind)
    return raw
  }

  fileprivate var runCount: Int { state.call == nil ? 0 : known.count(in: state) }

  fileprivate func get(
    _ index: UInt64, _ out: UnsafeMutablePointer<tessera_run>, _ rows: Rows
  ) -> tessera_status {
    guard state.call != nil, let place = known.place(of: index, in: state) else {
      return TESSERA_ERROR_NOT_FOUND
    }
    var run = state.store.runs[place]
    let kind = run.category == .cell ? 0 : kindNumbers.firstIndex(of: Int(run.kind))
    guard let kind else { return TESSERA_ERROR_NOT_FOUND }
    out.pointee = tessera_run(
      category: run.category.rawValue, kind: UInt32(kind), section: run.section, reserved: 0,
      first_item: run.firstItem, count: UInt64(run.count))
    if state.call == .prepare {
      state.store.edit(run: place, isIncremental: isIncremental)
      run = state.store.runs[place]
    }
    rows.pointee = views.view(of: run, in: state.store)
    if let examiner = state.examiner { lend(rows, isFetched: true, by: examiner) }
    return TESSERA_OK
  }

  fileprivate var contentSize: Size {
    get { state.contentSize ?? .zero }
    set {
      guard state.call == .prepare else {
        _ = state.refuse("set_content_size", onlyIn: "prepare")
        return
      }
      state.contentSize = newValue
    }
  }
}

private func owner(of table: UnsafeMutablePointer<tessera_output>) -> OutputTable {
  OwnedTable.owner(of: UnsafePointer(table))
}

/// The state of one call, shared by a chain's engines.
package final class OutputState {
  var store: RowStore {
    didSet { discardCount += 1 }
  }
  /// Nil between calls.
  var call: EngineCall? {
    didSet { adjusted = nil }
  }
  /// The last call begun, for a host to read.
  package var noted: UnsafeMutablePointer<UInt32>?
  var examiner: (any CallExaminer)?
  /// Memory for sizes contains this before an engine writes it.
  package var unwrittenSize = tessera_size()
  var preparedRows: PreparedIndex?
  private var adjusted: AdjustedRows?
  var contentSize: Size?
  /// Nil if the host doesn't mirror; prepare doesn't know the width yet.
  var mirroring: (viewport: Viewport, width: Double?)?
  var mirrorWidth: Double? {
    guard let (viewport, width) = mirroring else { return nil }
    let (bounds, insets) = (viewport.bounds, viewport.contentInsets)
    return width ?? contentSize?.width ?? max(0, bounds.width - insets.left - insets.right)
  }
  /// Items before each section, then the total.
  package var sectionStarts: UnsafeBufferPointer<UInt64>

  init(store: RowStore, sectionStarts: UnsafeBufferPointer<UInt64>) {
    self.store = store
    self.sectionStarts = sectionStarts
  }

  /// Why the first run or override of this call was rejected.
  var problem: (code: HostError.Code, what: String)?

  /// The first misplaced call: "set_content_size in adjust, which may be called only in prepare".
  package private(set) var misplacedCall: String?

  /// The first invalid result, such as "still_valid returned 2; expected 0 or 1".
  package var oddNumber: String?

  func refuse(_ function: String, onlyIn calls: String) -> tessera_status {
    if misplacedCall == nil {
      misplacedCall =
        "\(function) in \(call?.name ?? "no call"), which may be called only in \(calls)"
    }
    return TESSERA_ERROR_WRONG_STATE
  }

  var acceptsRows: Bool { call == .prepare || call == .adjust || isQuery }

  var isQuery: Bool { call == .elements || call == .element }

  func note(_ call: EngineCall) { noted?.pointee = call.rawValue }

  // Nil without space. A row that is new gets initial values and an empty frame.
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
      if let added, added.count > 0 { store.frames[added.row] = .zero }
    }
    if let added { adjusted?.insert(added) }
    return added
  }

  /// Counts new stores and bases prepared again: runs that engines saw are gone then.
  var discardCount = 0

  var sectionCount: Int { max(0, sectionStarts.count - 1) }

  var traceText: String { "sections \(sectionCount), items \(sectionStarts.last ?? 0)" }

  func itemCount(section: Int) -> UInt64 { sectionStarts[section + 1] - sectionStarts[section] }
}

/// The runs that an engine can read: cells, and kinds that it declares or inherits.
struct KnownRuns {
  private let kinds: Set<UInt32>
  private let isAll: Bool
  /// Known runs before `end`.
  private var places: [Int] = []
  private var end = 0
  private var discardCount = 0

  init(kindNumbers: [Int], kindCount: Int) {
    kinds = Set(kindNumbers.map { UInt32($0) })
    isAll = kindNumbers.count == kindCount
  }

  /// O(1) if the engine knows every kind; else O(*r*) for *r* new runs.
  mutating func count(in state: OutputState) -> Int {
    guard !isAll else { return state.store.runs.count }
    update(from: state)
    return places.count
  }

  mutating func place(of number: UInt64, in state: OutputState) -> Int? {
    guard number < UInt64(count(in: state)) else { return nil }
    return isAll ? Int(number) : places[Int(number)]
  }

  private mutating func update(from state: OutputState) {
    if discardCount != state.discardCount {
      discardCount = state.discardCount
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

struct AdjustedRows {
  /// By section, category, kind and item.
  private let found: [Run]
  private var added: [Run] = []

  /// O(*r*) if in order, else O(*r* log *r*).
  init(_ runs: ContiguousArray<Run>) {
    let isInOrder = zip(runs, runs.dropFirst()).allSatisfy { !Self.precedes($1, $0) }
    found = isInOrder ? Array(runs) : runs.sorted(by: Self.precedes)
  }

  func row(of element: Run) -> Int? {
    Self.row(of: element, in: found) ?? Self.row(of: element, in: added)
  }

  /// O(1) at the end, else O(*r*).
  mutating func insert(_ run: Run) { added.insert(run, at: Self.place(of: run, in: added)) }

  private static func row(of element: Run, in runs: [Run]) -> Int? {
    let place = place(of: element, in: runs)
    guard place > 0 else { return nil }
    let run = runs[place - 1]
    guard run.section == element.section, run.category == element.category, run.kind == element.kind
    else { return nil }
    let offset = element.firstItem - run.firstItem
    return offset < UInt64(run.count) ? run.row + Int(offset) : nil
  }

  /// Counts runs that start at or before the element.
  private static func place(of element: Run, in runs: [Run]) -> Int {
    guard let last = runs.last, precedes(element, last) else { return runs.count }
    return runs.indices.partitioningIndex { precedes(element, runs[$0]) }
  }

  private static func precedes(_ one: Run, _ other: Run) -> Bool {
    (one.section, one.category.rawValue, one.kind, one.firstItem)
      < (other.section, other.category.rawValue, other.kind, other.firstItem)
  }
}

/// Allocates the `tessera_rows` of an engine, valid until its call returns.
final class ViewArena {
  private static let chunk = 256
  private let attributeNumbers: [Int]
  private var rows: [UnsafeMutablePointer<tessera_rows>] = []
  private var attributes: [UnsafeMutablePointer<UnsafeMutableRawPointer?>] =
    []
  private var count = 0

  init(attributeNumbers: [Int]) { self.attributeNumbers = attributeNumbers }

  deinit {
    for chunk in rows { chunk.deallocate() }
    for chunk in attributes { chunk.deallocate() }
  }

  var attributeBytes: Int { attributeNumbers.count * MemoryLayout<UnsafeRawPointer>.size }

  func clear() { count = 0 }

  private func next() -> (
    UnsafeMutablePointer<tessera_rows>, UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  ) {
    let (chunk, place) = (count / Self.chunk, count % Self.chunk)
    if chunk == rows.count { grow() }
    count += 1
    return (
      rows[chunk] + place,
      attributeNumbers.isEmpty ? nil : attributes[chunk] + place * attributeNumbers.count
    )
  }

  func view(of run: Run, in store: RowStore) -> UnsafePointer<tessera_rows> {
    let (view, columns) = next()
    if let columns {
      for (own, number) in attributeNumbers.enumerated() {
        columns[own] = store.attribute(number).map { $0.base + run.row * $0.stride }
      }
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
