import CTessera
import TesseraGeometry

/// Asks a lazy layout for everything, band by band along the longer side of its content.
struct LazyEnumeration {
  let session: Session
  let layout: PreparedLayout

  /// Bands grow until each brings about so many elements.
  private static let aim = 100_000

  /// The rows of all elements.
  ///
  /// - Throws: `.invalidInput` for more than the session's `rowLimit`; what the engine refuses.
  func rows() throws(HostError) -> RowStore {
    guard session.starts.total <= session.rowLimit else {
      throw session.tooMany(session.starts.total)
    }
    let content = layout.contentSize
    let isVertical = content.height >= content.width
    let end = isVertical ? content.height : content.width
    // Beyond every element on the other axis, and on the first and last band along this one.
    let far = max(1e13, min(2 * max(content.width, content.height), .greatestFiniteMagnitude / 4))
    let runner = session.runner
    let numbering = runner.numbering
    let all = try RowStore(
      numbering: numbering, columns: numbering.adjustedColumns, adjusted: true,
      capacity: session.rowLimit)
    var start = -far
    var length = max(1, isVertical ? session.bounds.height : session.bounds.width)
    while start < end || start == -far {
      let from = max(start, 0)
      let next = from + length >= end ? max(far, end) : from + length
      let band =
        isVertical
        ? Rect(x: -far, y: start, width: 2 * far, height: next - start)
        : Rect(x: start, y: -far, width: next - start, height: 2 * far)
      let before = all.rowCount
      let answer = try runner.elements(
        in: band, session.given(layout), limit: session.rowLimit)
      for run in answer.runs {
        try Self.append(run, of: answer, to: all, session) { frame in
          (start..<next).contains(isVertical ? frame.y : frame.x)
        }
      }
      let found = all.rowCount - before
      if found < Self.aim / 2 { length *= 2 } else if found > Self.aim * 2 { length /= 2 }
      start = next
    }
    try addCellsWithoutArea(to: all)
    return all
  }

  /// Looks up the cells that no band has shown: one without width or height meets no rect.
  private func addCellsWithoutArea(to all: RowStore) throws(HostError) {
    let shown = all.runs.filter { $0.category == .cell }
      .sorted { ($0.section, $0.firstItem) < ($1.section, $1.firstItem) }
    guard shown.reduce(0, { $0 + $1.count }) < session.starts.total else { return }
    var place = 0
    for (section, count) in session.starts.counts.enumerated() {
      var next: UInt64 = 0
      while place < shown.count, Int(shown[place].section) == section {
        let run = shown[place]
        try addCells(next, before: run.firstItem, section, to: all)
        next = run.firstItem + UInt64(run.count)
        place += 1
      }
      try addCells(next, before: UInt64(count), section, to: all)
    }
  }

  private func addCells(
    _ first: UInt64, before end: UInt64, _ section: Int, to all: RowStore
  ) throws(HostError) {
    var item = first
    while item < end {
      let sought = tessera_run(
        category: TESSERA_CELL, kind: 0, section: UInt32(section), reserved: 0, first_item: item,
        count: 1)
      let answer = try session.runner.element(sought, session.given(layout))
      for run in answer.runs {
        guard all.append(run, rows: run.row..<run.row + run.count, of: answer) != nil else {
          throw session.tooMany(all.rowCount + run.count)
        }
      }
      item += 1
    }
  }

  /// Appends the rows of a run that start in the band: one that reaches into several bands is
  /// taken once.
  private static func append(
    _ run: Run, of answer: RowStore, to all: RowStore, _ session: Session,
    isWanted: (Rect) -> Bool
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
        throw session.tooMany(all.rowCount + row - first)
      }
    }
  }
}
