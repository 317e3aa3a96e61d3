import CTessera
import TesseraGeometry

extension Session {
  /// What an engine is given in a query.
  func given(_ layout: PreparedLayout) -> LayoutChain.Given {
    LayoutChain.Given(
      surroundings: surroundings, change: tessera_change(), mirrorWidth: mirrorWidth(layout))
  }

  /// The prepared runs in the order of listings, made once a prepare.
  func preparedOrder() throws(HostError) -> RunOrder {
    guard var layout = prepared else { throw chain.broken("nothing is prepared") }
    let order = try layout.order(of: chain)
    prepared = layout
    return order
  }

  /// The prepared rows that meet a rect, ascending.
  ///
  /// One whose frame is no frame is found by every rect, so that it is told.
  func preparedRows(in rect: Rect) throws(HostError) -> [Int] {
    guard var layout = prepared else { throw chain.broken("nothing is prepared") }
    let index = layout.index(of: chain)
    prepared = layout
    if let row = index.unsoundRow { return [row] }
    var hits: [Int] = []
    index.query(rect, into: &hits)
    return hits
  }

  /// Copies prepared rows, ascending, to a store: neighbours of one run become one run.
  func copy(_ rows: [Int], to answer: RowStore) throws(HostError) {
    let runs = chain.prepared.runs
    var run = 0
    var index = 0
    while index < rows.count {
      let first = rows[index]
      if first >= runs[run].row + runs[run].count {
        run = runs.lastIndex(atOrBefore: first, from: run)
      }
      let end = runs[run].row + runs[run].count
      var next = first + 1
      index += 1
      while index < rows.count, rows[index] == next, next < end {
        next += 1
        index += 1
      }
      try copy(runs[run], first..<next, to: answer)
    }
  }

  /// Copies a prepared run to a store.
  func copy(_ run: Run, to answer: RowStore) throws(HostError) {
    try copy(run, run.row..<run.row + run.count, to: answer)
  }

  private func copy(_ run: Run, _ rows: Range<Int>, to answer: RowStore) throws(HostError) {
    guard answer.append(run, rows: rows, of: chain.prepared) != nil else {
      throw tooMany(answer.rowCount + rows.count)
    }
  }

  func gatherer(_ store: RowStore, _ layout: PreparedLayout) -> ElementGatherer {
    let columns =
      store === chain.prepared ? chain.numbering.columns : chain.numbering.adjustedColumns
    return ElementGatherer(
      store: store, numbering: chain.numbering, columns: columns,
      mirrorWidth: mirrorWidth(layout))
  }

  /// Copies rows of a run; what is wrong with one is told with the engine's name.
  func gather(
    _ gatherer: inout ElementGatherer, _ run: Run, _ rows: Range<Int>
  ) throws(HostError) {
    do throws(HostError) { try gatherer.append(run, rows: rows) } catch {
      throw chain.broken(error.message)
    }
  }

  /// Copies rows that were found by place, in the order of listings.
  func gatherHits(
    _ hits: [Int], _ order: RunOrder, _ layout: PreparedLayout
  ) throws(HostError) -> Elements {
    let store = chain.prepared
    var gatherer = gatherer(store, layout)
    // Rows ascend, and so do the runs that hold them: one walk gives each row its run.
    var found: [(run: Int, row: Int)] = []
    found.reserveCapacity(hits.count)
    var run = 0
    for row in hits {
      if row >= store.runs[run].row + store.runs[run].count {
        run = store.runs.lastIndex(atOrBefore: row, from: run)
      }
      found.append((run, row))
    }
    if let rank = order.rankOfPlace {
      found.sort { (rank[$0.run], $0.row) < (rank[$1.run], $1.row) }
    }
    for (run, row) in found { try gather(&gatherer, store.runs[run], row..<row + 1) }
    return gatherer.elements
  }

  /// Has what a query is about to return adjusted for the viewport, then copies it: checked, in
  /// order, and only what `isWanted`.
  func gatherAnswer(
    _ store: RowStore, _ layout: PreparedLayout, for rect: Rect, isWanted: (Rect) -> Bool
  ) throws(HostError) -> Elements {
    if chain.hasAdjust {
      let rows =
        chain.isLazy
        ? nil : PreparedRows(store: chain.prepared, order: try preparedOrder())
      try chain.adjust(store, for: rect, given(layout), preparedRows: rows)
    }
    let order: RunOrder
    do throws(HostError) {
      order = try RunOrder(store.runs, kinds: chain.numbering.kinds)
    } catch { throw chain.broken(error.message) }
    var gatherer = gatherer(store, layout)
    for place in order.places {
      let run = store.runs[place]
      var first = run.row
      for row in run.row..<run.row + run.count where !isWanted(store.frames[row]) {
        // A frame that is no frame is not silently dropped: it is copied, and told there.
        guard store.frames[row].isSound else { continue }
        if first < row { try gather(&gatherer, run, first..<row) }
        first = row + 1
      }
      if first < run.row + run.count { try gather(&gatherer, run, first..<run.row + run.count) }
    }
    return gatherer.elements
  }
}

extension ContiguousArray<Run> {
  /// The last run, from a place on, whose rows start at or before one.
  fileprivate func lastIndex(atOrBefore row: Int, from start: Int) -> Int {
    var (low, high) = (start, count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if self[middle].row <= row { low = middle } else { high = middle }
    }
    return low
  }
}
