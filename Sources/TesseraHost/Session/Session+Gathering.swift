import CTessera
import TesseraGeometry

extension Session {
  /// What an engine is given in a query.
  func given(_ layout: PreparedLayout) -> Given {
    Given(surroundings: surroundings, mirrorWidth: mirrorWidth(layout), rowLimit: rowLimit)
  }

  func broken(_ sentence: String) -> HostError { runner.traits.broken(sentence) }

  /// Copies prepared rows, ascending, to a store.
  func copy(_ rows: [Int], to answer: RowStore) throws(HostError) {
    guard runner.index.copy(rows, to: answer) else { throw tooMany(answer.rowCount + rows.count) }
  }

  /// Copies a prepared run to a store.
  func copy(_ run: Run, to answer: RowStore) throws(HostError) {
    let rows = run.row..<run.row + run.count
    guard answer.append(run, rows: rows, of: runner.prepared) != nil else {
      throw tooMany(answer.rowCount + rows.count)
    }
  }

  func gatherer(_ store: RowStore, _ layout: PreparedLayout) -> ElementGatherer {
    let columns =
      store === runner.prepared ? runner.numbering.columns : runner.numbering.adjustedColumns
    return ElementGatherer(
      store: store, numbering: runner.numbering, columns: columns,
      mirrorWidth: mirrorWidth(layout))
  }

  /// Copies rows of a run; what is wrong with one is told with the engine's name.
  func gather(
    _ gatherer: inout ElementGatherer, _ run: Run, _ rows: Range<Int>
  ) throws(HostError) {
    do throws(HostError) { try gatherer.append(run, rows: rows) } catch {
      throw broken(error.message)
    }
  }

  /// Copies rows that were found by place, in the order of listings.
  func gatherHits(
    _ hits: [Int], _ order: RunOrder, _ layout: PreparedLayout
  ) throws(HostError) -> Elements {
    let store = runner.prepared
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
    if runner.traits.hasAdjust { try runner.adjust(store, for: rect, given(layout)) }
    let order = try RunOrder.checked(store.runs, kinds: runner.numbering.kinds, runner.traits)
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
