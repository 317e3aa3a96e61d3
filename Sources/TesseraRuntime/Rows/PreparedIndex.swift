import TesseraCatalog
import TesseraGeometry

/// Finds prepared rows by rect and by element; refreshes only rows that engines changed.
package final class PreparedIndex {
  package typealias Piece = (run: Int, rows: Range<Int>)

  package let store: RowStore
  private let numbering: ChainNumbers
  private let traits: ChainTraits
  private var knownOrder: RunOrder?
  private let rects = RectIndex()
  private var isCurrent = false
  /// Since `rects` read them; nil for all.
  private var changed: [Range<Int>]?
  private var changedBefore: [Range<Int>]?
  /// A row that changed although the engine left it.
  private var moved: Int?
  private let hits = Scratch<Range<Int>>()
  package let pieces = Scratch<Piece>()

  /// Besides the frame; with the columns for adjust if an engine adjusts.
  package var elementColumns: BuiltInColumns {
    traits.asksEachTime ? numbering.adjustedColumns : numbering.columns
  }

  package init(store: RowStore, numbering: ChainNumbers, traits: ChainTraits) {
    (self.store, self.numbering, self.traits) = (store, numbering, traits)
  }

  package func forget() {
    rowsWillChange()
    changedBefore = nil
  }

  /// Unless `rowsChanged` follows, all rows have changed.
  package func rowsWillChange() {
    knownOrder = nil
    isCurrent = false
    (changedBefore, changed) = (changed, nil)
  }

  /// `isEverything` if no row is known to be unchanged.
  package func rowsChanged(isEverything: Bool) {
    guard !isEverything, var ranges = changedBefore else { return }
    for run in store.runs where run.unchanged < run.count {
      let rows = run.row + run.unchanged..<run.row + run.count
      if let last = ranges.last, last.lowerBound <= rows.upperBound,
        rows.lowerBound <= last.upperBound
      {
        ranges[ranges.count - 1] =
          min(last.lowerBound, rows.lowerBound)..<max(last.upperBound, rows.upperBound)
      } else {
        ranges.append(rows)
      }
    }
    changed = ranges.count <= Self.mostRanges ? ranges : nil
  }

  /// With more changed ranges, all rows are read.
  private static let mostRanges = 64

  /// Throws `.brokenContract` for an element added twice.
  package func order() throws(HostError) -> RunOrder {
    if let knownOrder { return knownOrder }
    let order = try RunOrder.checked(store.runs, numbering, traits)
    knownOrder = order
    return order
  }

  // `pieces` has the rows, in listing order or ascending. Invalid frames match, to report the
  // error. O(log *n* + *k*) for *k* results; allocates only in first calls.
  package func find(
    _ rect: Rect, isListed: Bool, isWanted: ((Rect) -> Bool)? = nil
  ) throws(HostError) -> Int {
    if knownOrder == nil { _ = try order() }
    if !isCurrent || rects.isSortingDue {
      try CountedMemory.require(store.rowCount, size: RectIndex.mostBytes)
    }
    search(rect)
    if let row = moved { throw traits.broken(error(aboutMoved: row)) }
    pieces.clear()
    let runs = store.runs
    var count = 0
    var run = 0
    for hit in hits.buffer {
      if hit.lowerBound >= runs[run].row + runs[run].count {
        run = runs.lastIndex(atOrBefore: hit.lowerBound, from: run)
      }
      var first = hit.lowerBound
      while true {
        let end = min(hit.upperBound, runs[run].row + runs[run].count)
        if first < end {
          if let isWanted {
            count += append(first..<end, run, where: isWanted)
          } else {
            pieces.append((run: run, rows: first..<end))
            count += end - first
          }
        }
        guard end < hit.upperBound, run + 1 < runs.count else { break }
        run += 1
        first = runs[run].row
      }
    }
    if isListed, pieces.count > 1, let rank = knownOrder?.rankOfPlace {
      pieces.sort { (rank[$0.run], $0.rows.lowerBound) < (rank[$1.run], $1.rows.lowerBound) }
    }
    return count
  }

  private func append(_ rows: Range<Int>, _ run: Int, where isWanted: (Rect) -> Bool) -> Int {
    var count = 0
    for row in rows where !store.frames[row].isValid || isWanted(store.frames[row]) {
      pieces.append((run: run, rows: row..<row + 1))
      count += 1
    }
    return count
  }

  private func search(_ rect: Rect) {
    if !isCurrent { readChanged() }
    hits.clear()
    if let row = rects.firstInvalidRow {
      hits.append(row..<row + 1)
    } else {
      rects.query(rect, store.frames, into: hits)
    }
  }

  private func readChanged() {
    moved = changed.flatMap { rects.firstMoved(store.frames, count: store.rowCount, changed: $0) }
    rects.update(store.frames, count: store.rowCount, changed: moved == nil ? changed : nil)
    changed = []
    isCurrent = true
  }

  private func error(aboutMoved row: Int) -> HostError {
    let run = store.runs[store.runs.lastIndex(atOrBefore: row, from: 0)]
    let kind = run.category == .cell ? "cell" : numbering.kinds[Int(run.kind)].name
    let element = "\(kind) \(run.firstItem + UInt64(row - run.row)) of section \(run.section)"
    return HostError(
      .movedRow,
      "it said that it left \(element) or one of the \(RectIndex.rowsPerBox - 1) after it as they "
        + "were, but a frame differs; call leave only for rows that prepare does not change")
  }

  /// Ascending; invalid frames match every rect, to report the error.
  package func rows(in rect: Rect) -> [Int] {
    search(rect)
    return hits.buffer.flatMap { $0 }
  }

  package func row(of element: Run) throws(HostError) -> Int? {
    if knownOrder == nil { _ = try order() }
    guard
      let place = knownOrder?.run(
        holding: element.firstItem, element.category, kind: element.kind, section: element.section,
        in: store.runs)
    else { return nil }
    return store.runs[place].row + Int(element.firstItem - store.runs[place].firstItem)
  }

  // The rows that `find` found. False without space.
  package func copyPieces(to answer: RowStore) -> Bool {
    pieces.buffer.allSatisfy { piece in
      answer.append(store.runs[piece.run], rows: piece.rows, of: store) != nil
    }
  }

  // Ascending; merges adjacent rows. False without space.
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
  package static func checked(
    _ runs: ContiguousArray<Run>, _ numbering: ChainNumbers, _ traits: ChainTraits
  ) throws(HostError) -> RunOrder {
    do throws(HostError) {
      return try RunOrder(runs, kinds: numbering.kinds, ranks: numbering.kindRanks)
    } catch {
      throw traits.broken(error)
    }
  }
}

extension RandomAccessCollection<Run> where Index == Int {
  /// The last run from `start` on whose rows begin at or before `row`.
  package func lastIndex(atOrBefore row: Int, from start: Int) -> Int {
    Swift.max(start, (start..<count).partitioningIndex { self[$0].row > row } - 1)
  }
}

/// By section, category, name of the kind, and item.
package final class RunOrder {
  package let places: [Int]
  /// Nil if the store is in listing order.
  package private(set) lazy var rankOfPlace = isSorted ? nil : positions()
  private let isSorted: Bool
  private let ranks: [Int]

  // `ranks` has kind positions by name. O(*r*) in order, else O(*r* log *r*).
  package init(
    _ runs: ContiguousArray<Run>, kinds: [KindDescription], ranks: [Int]
  ) throws(HostError) {
    self.ranks = ranks
    var places = Array(runs.indices)
    isSorted = runs.indices.dropFirst().allSatisfy { !Self.precedes(runs[$0], runs[$0 - 1], ranks) }
    if !isSorted { places.sort { Self.precedes(runs[$0], runs[$1], ranks) } }
    self.places = places
    for rank in places.indices.dropFirst() {
      let (run, after) = (runs[places[rank - 1]], runs[places[rank]])
      if Self.isSameGroup(run, after), run.firstItem + UInt64(run.count) > after.firstItem {
        let kind = run.category == .cell ? "cell" : kinds[Int(run.kind)].name
        throw HostError(
          .elementTwice,
          "it added \(kind) \(after.firstItem) of section \(run.section) twice; each element has "
            + "one row")
      }
    }
  }

  private func positions() -> [Int] {
    var positions = Array(repeating: 0, count: places.count)
    for (rank, place) in places.enumerated() { positions[place] = rank }
    return positions
  }

  package func run(
    holding item: UInt64, _ category: ElementCategory, kind: UInt32, section: UInt32,
    in runs: ContiguousArray<Run>
  ) -> Int? {
    let sought = Run(
      category: category, kind: kind, section: section, firstItem: item, count: 1, row: 0)
    let next = places.indices.partitioningIndex { Self.precedes(sought, runs[places[$0]], ranks) }
    guard next > 0 else { return nil }
    let run = runs[places[next - 1]]
    guard Self.isSameGroup(run, sought), item - run.firstItem < UInt64(run.count) else {
      return nil
    }
    return places[next - 1]
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
