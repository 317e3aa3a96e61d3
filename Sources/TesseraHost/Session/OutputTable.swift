import CTessera
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
