import TesseraGeometry

extension Session {
  func gatherer(_ store: RowStore, _ layout: PreparedLayout) -> ElementGatherer {
    let columns = chain.isLazy ? chain.numbering.adjustedColumns : chain.numbering.columns
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

  /// Copies what a lazy engine answered: checked, in order, and only what `isWanted`.
  func gatherAnswer(
    _ store: RowStore, _ layout: PreparedLayout, isWanted: (Rect) -> Bool
  ) throws(HostError) -> Elements {
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
