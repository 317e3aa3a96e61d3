import CTesseraExamination
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime

final class ExaminedRows: RowMemory {
  private(set) var prepared: RowStore?
  private(set) var answer: RowStore?
  private(set) var numbering: ChainNumbers?
  private let capacity: Int
  private let obtain: (Int, String) -> ColumnMemory?

  /// `obtain` returns memory for a column by bytes and name, or nil.
  private init(capacity: Int, obtain: @escaping (Int, String) -> ColumnMemory?) {
    self.capacity = capacity
    self.obtain = obtain
  }

  /// Lent rows with a guard page: accesses beyond the end or after a move fault.
  static func checked(capacity: Int) -> ExaminedRows {
    ExaminedRows(capacity: capacity, obtain: checkedColumn)
  }

  /// Lent memory for one column; nil if out of memory.
  static func checkedColumn(byteCount: Int, _ name: String) -> ColumnMemory? {
    let name = "the column \(name) of the rows"
    guard let base = tessera_checked_lend(UInt64(byteCount), name, 0) else { return nil }
    return ColumnMemory(
      base: base, byteCount: byteCount, owner: OwnedBlock { tessera_checked_retire(base) })
  }

  /// Rows for many layouts within a sandbox's address space; stray writes are harmless.
  static func modest(capacity: Int) -> ExaminedRows {
    let space = 4096
    return ExaminedRows(capacity: capacity) { byteCount, _ in
      guard let whole = ColumnMemory.obtain(byteCount: byteCount + 2 * space) else { return nil }
      return ColumnMemory(base: whole.base + space, byteCount: byteCount, owner: whole)
    }
  }

  func preparedStore(_ numbering: ChainNumbers) throws(HostError) -> RowStore {
    self.numbering = numbering
    let store = try RowStore(
      numbering: numbering, columns: numbering.columns, adjusted: false, capacity: capacity,
      obtain: Self.naming(numbering, numbering.columns, adjusted: false, obtain))
    prepared = store
    return store
  }

  func answerStore(
    _ numbering: ChainNumbers, columns: BuiltInColumns, capacity: Int
  ) throws(HostError) -> RowStore {
    let store = try RowStore(
      numbering: numbering, columns: columns, adjusted: true, capacity: capacity,
      obtain: Self.naming(numbering, columns, adjusted: true, obtain))
    answer = store
    return store
  }

  private static func naming(
    _ numbering: ChainNumbers, _ columns: BuiltInColumns, adjusted: Bool,
    _ obtain: @escaping (Int, String) -> ColumnMemory?
  ) -> (Int) -> ColumnMemory? {
    var names = ["frame"] + columns.headerNames
    names += numbering.attributes.filter { adjusted || !$0.isAdjusted }.map(\.name)
    names.reverse()
    return { obtain($0, names.popLast() ?? "frame") }
  }
}

private final class OwnedBlock {
  private let giveBack: () -> Void

  init(_ giveBack: @escaping () -> Void) { self.giveBack = giveBack }

  deinit { giveBack() }
}

extension RowStore {
  private static let space = 4
  private static let spacePattern: UInt8 = 0xA5

  func columns(
    _ numbering: ChainNumbers? = nil
  ) -> [(name: String, base: UnsafeMutableRawPointer, stride: Int)] {
    let builtIn = ["frame", "transform", "alpha", "z_index", "hidden"]
    return existing.map { number, base, stride in
      let name =
        number < builtIn.count
        ? builtIn[number] : numbering?.attributes[number - builtIn.count].name ?? "attribute"
      return (name, base, stride)
    }
  }

  /// Moves the columns, which invalidates the engine's pointers.
  func moveToCheckedMemory(_ numbering: ChainNumbers) {
    var names = columns(numbering).map(\.name)
    names.reverse()
    move { ExaminedRows.checkedColumn(byteCount: $0, names.popLast() ?? "frame") }
  }

  func leaveSpace() {
    let rows = rowCount..<min(rowCount + Self.space, capacity)
    for (_, base, stride) in columns() {
      (base + rows.lowerBound * stride).initializeMemory(
        as: UInt8.self, repeating: Self.spacePattern, count: rows.count * stride)
    }
    truncate(runs: runs.count, rows: rows.upperBound)
  }

  /// Such as "the frame of row 1 after the 12 rows of run 0".
  func strayWrite(atEnd: Bool, _ numbering: ChainNumbers) -> String? {
    let half = Self.space / 2
    for (number, run) in runs.enumerated() {
      let end = run.row + run.count
      let (space, place) =
        atEnd
        ? (end..<min(end + half, capacity), "after") : (max(run.row - half, 0)..<run.row, "before")
      for (name, base, stride) in columns(numbering) {
        let bytes = UnsafeRawBufferPointer(
          start: base + space.lowerBound * stride, count: space.count * stride)
        guard let byte = bytes.firstIndex(where: { $0 != Self.spacePattern }) else { continue }
        let row = atEnd ? byte / stride + 1 : space.count - byte / stride
        return "the \(name) of row \(row) \(place) the \(run.count) rows of run \(number)"
      }
    }
    return nil
  }
}
