import TesseraCatalog
import TesseraGeometry

/// Finds the rows of a prepared layout, by rect and by element.
///
/// Its parts are built on first use and rebuilt after each prepare.
package final class PreparedIndex {
  package let store: RowStore
  private let kinds: [KindDescription]
  private let traits: ChainTraits
  private var knownOrder: RunOrder?
  private var knownRects: RectIndex?

  package init(store: RowStore, numbering: Numbering, traits: ChainTraits) {
    self.store = store
    kinds = numbering.kinds
    self.traits = traits
  }

  /// Discards everything that was built, because the rows have changed.
  package func forget() {
    knownOrder = nil
    knownRects = nil
  }

  /// The order in which elements are listed.
  ///
  /// - Throws: `.brokenContract` for an element that was added twice.
  package func order() throws(HostError) -> RunOrder {
    if let knownOrder { return knownOrder }
    let order = try RunOrder.checked(store.runs, kinds: kinds, traits)
    knownOrder = order
    return order
  }

  /// The rows that intersect a rect, ascending.
  ///
  /// Invalid frames match every rect, so that the error surfaces.
  package func rows(in rect: Rect) -> [Int] {
    let rects = knownRects ?? RectIndex(frames: store.frames, count: store.rowCount)
    knownRects = rects
    if let row = rects.firstInvalidRow { return [row] }
    var hits: [Int] = []
    rects.query(rect, into: &hits)
    return hits
  }

  /// The row of an element, or nil if there is none.
  package func row(of element: Run) throws(HostError) -> Int? {
    try order().run(
      holding: element.firstItem, element.category, kind: element.kind, section: element.section,
      in: store.runs
    ).map { store.runs[$0].row + Int(element.firstItem - store.runs[$0].firstItem) }
  }

  /// Copies rows, ascending, to another store; adjacent rows of one run become one run.
  ///
  /// - Returns: False if the store has no space for them.
  package func copy(_ rows: [Int], to answer: RowStore) -> Bool {
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
  /// The order of runs; errors name the engine.
  package static func checked(
    _ runs: ContiguousArray<Run>, kinds: [KindDescription], _ traits: ChainTraits
  ) throws(HostError) -> RunOrder {
    do throws(HostError) { return try RunOrder(runs, kinds: kinds) } catch {
      throw traits.broken(error.message)
    }
  }
}

extension ContiguousArray<Run> {
  /// The index of the last run, at or after `start`, whose rows begin at or before `row`.
  package func lastIndex(atOrBefore row: Int, from start: Int) -> Int {
    var (low, high) = (start, count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if self[middle].row <= row { low = middle } else { high = middle }
    }
    return low
  }
}

/// The runs of a layout in listing order: by section, category, name of the kind, and item.
package struct RunOrder {
  /// The indexes of the runs in the store, in listing order.
  package let places: [Int]
  /// The position of each run of the store in listing order; nil if the store is in that order.
  package let rankOfPlace: [Int]?
  private let ranks: [Int]

  /// Sorts runs and checks that no element was added twice.
  ///
  /// - Throws: `.brokenContract`, naming an element that was added twice.
  /// - Complexity: O(*r*) for *r* runs that are in order, else O(*r* log *r*).
  package init(_ runs: ContiguousArray<Run>, kinds: [KindDescription]) throws(HostError) {
    ranks = Self.ranks(of: kinds)
    let ranks = ranks
    var places = Array(runs.indices)
    let isSorted = zip(runs, runs.dropFirst()).allSatisfy {
      !Self.precedes($1, $0, ranks)
    }
    if !isSorted { places.sort { Self.precedes(runs[$0], runs[$1], ranks) } }
    self.places = places
    var ranking: [Int]?
    if !isSorted {
      ranking = Array(repeating: 0, count: places.count)
      for (rank, place) in places.enumerated() { ranking?[place] = rank }
    }
    rankOfPlace = ranking
    for (place, next) in zip(places, places.dropFirst()) {
      let (run, after) = (runs[place], runs[next])
      if Self.isSameGroup(run, after), run.firstItem + UInt64(run.count) > after.firstItem {
        let kind = run.category == .cell ? "cell" : kinds[Int(run.kind)].name
        throw HostError(
          .brokenContract,
          "it added \(kind) \(after.firstItem) of section \(run.section) twice; "
            + "each element has one row")
      }
    }
  }

  /// The index in the store of the run that contains an element, or nil if there is none.
  ///
  /// - Complexity: O(log *r*).
  package func run(
    holding item: UInt64, _ category: ElementCategory, kind: UInt32, section: UInt32,
    in runs: ContiguousArray<Run>
  ) -> Int? {
    let sought = Run(
      category: category, kind: kind, section: section, firstItem: item, count: 1, row: 0)
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if Self.precedes(sought, runs[places[middle]], ranks) {
        high = middle
      } else {
        low = middle + 1
      }
    }
    guard low > 0 else { return nil }
    let run = runs[places[low - 1]]
    guard Self.isSameGroup(run, sought), item - run.firstItem < UInt64(run.count) else {
      return nil
    }
    return places[low - 1]
  }

  /// The position of each kind when all are sorted by name.
  private static func ranks(of kinds: [KindDescription]) -> [Int] {
    let byName = kinds.indices.sorted { kinds[$0].name < kinds[$1].name }
    var ranks = Array(repeating: 0, count: max(1, kinds.count))
    for (rank, kind) in byName.enumerated() { ranks[kind] = rank }
    return ranks
  }

  private static func precedes(_ left: Run, _ right: Run, _ ranks: [Int]) -> Bool {
    if left.section != right.section { return left.section < right.section }
    if left.category != right.category { return left.category < right.category }
    if left.kind != right.kind { return ranks[Int(left.kind)] < ranks[Int(right.kind)] }
    return left.firstItem < right.firstItem
  }

  private static func isSameGroup(_ left: Run, _ right: Run) -> Bool {
    left.section == right.section && left.category == right.category && left.kind == right.kind
  }
}
