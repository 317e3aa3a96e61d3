import TesseraSDK

/// The search for the rows that come nearest to the target height, all of them together.
///
/// A row of height h costs ((h - target) / target)². The least cost of the first j items follows from
/// that of fewer items and of the row that ends with item j, so that each item takes only a look at
/// the rows that can end with it. The costs of the first items do not depend on those after them: a
/// search continues from the first item that changed.
struct RowSearch {
  /// The best rows of the first items.
  private struct Best {
    var cost = 0.0
    /// The first item of the last row.
    var first: Int32 = 0
    var rows: Int32 = 0
    /// Orders the best rows of which there are equally many: those with a longer first row come later;
    /// or second row, where the first ones are equal, and so on.
    var rank: Int32 = 0
    /// The number of items before that have equally many best rows, or -1.
    var previous: Int32 = -1
  }

  /// For no items, for one, and so on.
  private var best: [Best] = [Best()]
  /// The greatest number of items whose best rows are so many.
  private var latest: [Int32] = [0]

  /// Searches for the best rows of all items, the first `kept` of which did not change.
  mutating func run(
    _ style: RowStyle, _ placer: RowPlacer, from kept: Int, _ output: Output
  ) throws(LayoutFailure) {
    let count = placer.ratios.count
    guard count < Int32.max else {
      throw .invalidValue("section \(placer.section) has \(count) items; balance at most 2 billion")
    }
    let known = min(kept, best.count - 1)
    while let last = best.last, best.count > known + 1 {
      if latest.count == last.rows + 1, last.previous < 0 {
        latest.removeLast()
      } else {
        latest[Int(last.rows)] = last.previous
      }
      best.removeLast()
    }
    best.append(contentsOf: repeatElement(Best(), count: count - known))
    var latest: [Int32] = []
    swap(&latest, &self.latest)
    var span = best.mutableSpan
    var work = 0
    for item in known..<count {
      _ = try placer.ratio(item)
      work += Self.find(&span, &latest, after: item + 1, style, placer)
      // A row can have very many items.
      guard work >= 1 << 20 else { continue }
      work = 0
      try output.progress(Double(placer.items.lowerBound + item) / Double(placer.total))
    }
    self.latest = latest
  }

  /// Finds the best rows of the first `end` items.
  ///
  /// - Returns: The number of items that a row that ends there can have.
  @inline(__always) private static func find(
    _ best: inout MutableSpan<Best>, _ latest: inout [Int32], after end: Int, _ style: RowStyle,
    _ placer: RowPlacer
  ) -> Int {
    var choice = RowChoice()
    let longest = eachRow(endingAt: end, style, placer) { first, height in
      guard first == end - 1 || height <= style.target * 2 else { return }
      let part = (min(height, highest) - style.target) / style.target
      let before = best[first]
      choice.consider(first, before.cost + part * part, before.rows, before.rank)
    }
    var found = Best(
      cost: choice.cost, first: Int32(truncatingIfNeeded: choice.first), rows: choice.rows + 1)
    let place = Int(found.rows)
    if place == latest.count { latest.append(-1) }
    found.previous = latest[place]
    latest[place] = Int32(truncatingIfNeeded: end)
    rank(&found, &best)
    best[end] = found
    return longest
  }

  /// Gives rows their rank among those of which there are equally many.
  @inline(__always) private static func rank(_ found: inout Best, _ best: inout MutableSpan<Best>) {
    let before = best[Int(found.first)].rank
    var index = Int(found.previous)
    while index >= 0 {
      let other = best[index]
      // With the same rows before, the longer last row comes later, and `found` has the longest.
      if other.first != found.first, best[Int(other.first)].rank > before {
        best[index].rank = other.rank &+ 1
      } else {
        found.rank = max(found.rank, other.rank &+ 1)
      }
      index = Int(other.previous)
    }
  }

  /// Calls `body` with the first item and the height of every row that ends with an item and is high
  /// enough, or has one item.
  ///
  /// - Returns: The number of items of the longest one.
  @inline(__always) private static func eachRow(
    endingAt end: Int, _ style: RowStyle, _ placer: RowPlacer, body: (Int, Double) -> Void
  ) -> Int {
    var (first, sum) = (end - 1, placer.ratios[end - 1])
    body(first, style.free(1) / sum)
    while first > 0 {
      sum += placer.ratios[first - 1]
      let height = style.free(end - first + 1) / sum
      guard height >= style.target / 2 else { break }
      first -= 1
      body(first, height)
    }
    return end - first
  }

  /// A height beyond which all are alike, so that costs stay finite.
  private static var highest: Double { 1e100 }

  /// The best rows from the first one on that is not as it was.
  ///
  /// - Parameters:
  ///   - frames: The frames before.
  ///   - kept: The number of items at the start that did not change.
  func rows(
    _ style: RowStyle, _ placer: RowPlacer, _ frames: inout MutableSpan<Rect>, kept: Int
  ) -> [Row] {
    let count = placer.ratios.count
    var (choice, isOpen) = (RowChoice(), false)
    // The last row costs nothing if it is high enough, however high it is.
    _ = Self.eachRow(endingAt: count, style, placer) { first, height in
      let part = height >= style.target ? 0 : (height - style.target) / style.target
      let before = best[first]
      if choice.consider(first, before.cost + part * part, before.rows, before.rank) {
        isOpen = height >= style.target
      }
    }
    var (rows, first, end) = ([Row](), choice.first, count)
    while true {
      var sum = 0.0
      for item in first..<end { sum += placer.ratios[item] }
      rows.append(Row(items: first..<end, sum: sum, isOpen: isOpen && end == count))
      // A row that began here before has the same rows above it.
      if first == 0 || first < kept && frames[first].y != frames[first - 1].y { break }
      (first, end) = (Int(best[first].first), first)
    }
    rows.reverse()
    return rows
  }
}

/// The best of several last rows.
private struct RowChoice {
  private(set) var first = -1
  private(set) var cost = Double.infinity
  private(set) var rows: Int32 = 0
  private var rank: Int32 = 0
  private var least = Double.infinity

  /// Costs that differ by less are equal: the rest is rounding.
  private static var tolerance: Double { 1e-9 }

  /// Chooses a row if it costs less than those before, or as much and comes first by the number of
  /// rows or the rank.
  ///
  /// - Returns: Whether it is chosen.
  @discardableResult @inline(__always) mutating func consider(
    _ first: Int, _ cost: Double, _ rows: Int32, _ rank: Int32
  ) -> Bool {
    guard self.first >= 0, cost >= least - Self.tolerance else {
      (self.first, self.cost, self.rows, self.rank, least) = (first, cost, rows, rank, cost)
      return true
    }
    guard cost <= least + Self.tolerance else { return false }
    least = min(least, cost)
    guard rows < self.rows || rows == self.rows && rank > self.rank else { return false }
    (self.first, self.cost, self.rows, self.rank) = (first, cost, rows, rank)
    return true
  }
}
