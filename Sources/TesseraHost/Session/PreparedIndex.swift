import TesseraGeometry

/// Finds the rows of a prepared layout, by place and by element.
///
/// Made when first asked for, and anew after each prepare.
final class PreparedIndex {
  let store: RowStore
  private let kinds: [KindDescription]
  private let traits: ChainTraits
  private var knownOrder: RunOrder?
  private var knownRects: RectIndex?

  init(store: RowStore, numbering: Numbering, traits: ChainTraits) {
    self.store = store
    kinds = numbering.kinds
    self.traits = traits
  }

  /// Forgets what was found, because the rows are others now.
  func forget() {
    knownOrder = nil
    knownRects = nil
  }

  /// The runs in the order of listings.
  ///
  /// - Throws: `.brokenContract` for an element that was added twice.
  func order() throws(HostError) -> RunOrder {
    if let knownOrder { return knownOrder }
    let order = try RunOrder.checked(store.runs, kinds: kinds, traits)
    knownOrder = order
    return order
  }

  /// The rows that meet a rect, ascending.
  ///
  /// One whose frame is no frame is found by every rect, so that it is told.
  func rows(in rect: Rect) -> [Int] {
    let rects = knownRects ?? RectIndex(frames: store.frames, count: store.rowCount)
    knownRects = rects
    if let row = rects.unsoundRow { return [row] }
    var hits: [Int] = []
    rects.query(rect, into: &hits)
    return hits
  }

  /// The row of an element; nil where there is none.
  func row(of element: Run) throws(HostError) -> Int? {
    try order().run(
      holding: element.firstItem, element.category, kind: element.kind, section: element.section,
      in: store.runs
    ).map { store.runs[$0].row + Int(element.firstItem - store.runs[$0].firstItem) }
  }

  /// Copies rows, ascending, to another store: neighbours of one run become one run.
  ///
  /// - Returns: False where the store has no room for them.
  func copy(_ rows: [Int], to answer: RowStore) -> Bool {
    let runs = store.runs
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
      guard answer.append(runs[run], rows: first..<next, of: store) != nil else { return false }
    }
    return true
  }
}

extension RunOrder {
  /// The order of runs; an element that was added twice is told with the engine's name.
  static func checked(
    _ runs: ContiguousArray<Run>, kinds: [KindDescription], _ traits: ChainTraits
  ) throws(HostError) -> RunOrder {
    do throws(HostError) { return try RunOrder(runs, kinds: kinds) } catch {
      throw traits.broken(error.message)
    }
  }
}

extension ContiguousArray<Run> {
  /// The last run, from a place on, whose rows start at or before one.
  func lastIndex(atOrBefore row: Int, from start: Int) -> Int {
    var (low, high) = (start, count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if self[middle].row <= row { low = middle } else { high = middle }
    }
    return low
  }
}
