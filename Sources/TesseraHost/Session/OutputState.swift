import CTessera
import TesseraGeometry

/// What all engines of a chain write into in one call, and what the call is.
final class OutputState {
  /// What an engine is doing.
  enum Call { case none, prepare, adjust, query, stillValid, function }

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
  var sectionStarts: UnsafeBufferPointer<UInt64>

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
