import TesseraSDK

/// The search for the rows that come nearest to the target height, all of them together.
///
/// A row of height h costs ((h - target) / target)². The least cost of the first j items follows from
/// that of fewer items and of the row that ends with item j, so that each item takes only a look at
/// the rows that can end with it. The costs of the first items do not depend on those after them: a
/// search continues from the first item that changed.
struct RowSearch {
  /// The best rows of the first items.
  struct Best {
    var cost = 0.0
    /// The first item of the last row.
    var first: Int32 = 0
    /// The number of rows.
    var rows: Int32 = 0
  }

  /// For no items, for one, and so on, up to `known`; the rest is memory for more.
  private var best: [Best] = [Best()]
  private var known = 0
  /// Where the chosen rows begin and, after the last one, end; without those that stay as they were.
  private(set) var bounds: [Int32] = []
  private var ranking = RowRanking()

  /// Costs that differ by less are equal: the rest is rounding.
  private static var tolerance: Double { 1e-9 }
  /// A height beyond which all are alike, so that costs stay finite.
  private static var highest: Double { 1e100 }

  /// Searches for the best rows of all items, the first `kept` of which did not change.
  mutating func run(
    _ style: RowStyle, _ placer: RowPlacer, from kept: Int, _ output: Output
  ) throws(LayoutFailure) {
    let count = placer.ratios.count
    guard count < Int32.max else {
      throw .invalidValue("section \(placer.section) has \(count) items; balance at most 2 billion")
    }
    let first = min(kept, known)
    ranking.forget(after: first, best)
    best.append(contentsOf: repeatElement(Best(), count: max(0, count + 1 - best.count)))
    var ranking = RowRanking()
    swap(&ranking, &self.ranking)
    var costs: [Double] = []
    var span = best.mutableSpan
    var work = 0
    let frees = (0..<32).map { style.free($0) }
    for item in first..<count {
      _ = try placer.ratio(item)
      let longest: Int
      if let found = Self.findBest(ofLast: item + 1, span, style, placer, frees.span) {
        (span[item + 1], longest) = found
      } else {
        longest = Self.findCosts(&costs, ofLast: item + 1, span, style, placer)
        span[item + 1] = Self.best(of: costs, longest, ofLast: item + 1, span, &ranking)
      }
      // A row can have very many items.
      work += longest
      guard work >= 1 << 20 else { continue }
      work = 0
      try output.progress(Double(placer.items.lowerBound + item) / Double(placer.total))
    }
    self.ranking = ranking
    known = count
  }

  /// The best rows of the first `end` items, and the number of items that the longest last row has;
  /// nil if other rows cost the same.
  ///
  /// - Parameter frees: The widths that rows of few items leave, by their number.
  @inline(__always) private static func findBest(
    ofLast end: Int, _ best: borrowing MutableSpan<Best>, _ style: RowStyle, _ placer: RowPlacer,
    _ frees: Span<Double>
  ) -> (best: Best, longest: Int)? {
    let (lowest, highest) = (style.target / 2, style.target * 2)
    let part = 1 / style.target
    var (first, sum) = (end &- 1, placer.ratios[end &- 1])
    var height = frees[1] / sum
    height = height < Self.highest ? height : Self.highest
    var miss = height * part - 1
    var (least, second) = (miss * miss + best[first].cost, Double.infinity)
    var chosen = first
    while first > 0 {
      sum += placer.ratios[first &- 1]
      let count = end &- first &+ 1
      let free = count < frees.count ? frees[unchecked: count] : style.free(count)
      if sum * lowest > free { break }
      first &-= 1
      height = free / sum
      miss = height * part - 1
      let cost = height > highest ? .infinity : miss * miss + best[first].cost
      let isLess = cost < least
      let greater = isLess ? least : cost
      second = greater < second ? greater : second
      chosen = isLess ? first : chosen
      least = isLess ? cost : least
    }
    guard second > least + tolerance else { return nil }
    let found = Best(
      cost: least, first: Int32(truncatingIfNeeded: chosen), rows: best[chosen].rows &+ 1)
    return (found, end &- first)
  }

  /// Finds the least costs of the first `end` items, by the number of items in the last row: for one
  /// item, two, and so on.
  ///
  /// - Parameter isLastRow: Whether the last row is the section's, which costs nothing if it is high
  ///   enough.
  /// - Returns: The number of items that the longest row has.
  @inline(__always) private static func findCosts(
    _ costs: inout [Double], ofLast end: Int, _ best: borrowing MutableSpan<Best>,
    _ style: RowStyle, _ placer: RowPlacer, isLastRow: Bool = false
  ) -> Int {
    let (least, most) = (style.target / 2, style.target * 2)
    let part = 1 / style.target
    var (first, sum, length) = (end - 1, 0.0, 0)
    while first >= 0 {
      sum += placer.ratios[first]
      let free = style.free(length + 1)
      // The height is below the least one.
      if length > 0, sum * least > free { break }
      let height = min(free / sum, highest)
      let miss = height * part - 1
      var cost = miss * miss
      if isLastRow {
        if height >= style.target { cost = 0 }
      } else if length > 0, height > most {
        cost = .infinity
      }
      cost += best[first].cost
      if length == costs.count { costs.append(cost) } else { costs[length] = cost }
      length += 1
      first -= 1
    }
    return length
  }

  /// The best of rows whose costs were found: of equal costs fewer rows, then the longest first row,
  /// then the longest second row, and so on.
  @inline(__always) private static func best(
    of costs: [Double], _ longest: Int, ofLast end: Int, _ best: borrowing MutableSpan<Best>,
    _ ranking: inout RowRanking
  ) -> Best {
    var least = costs[0]
    for length in 1..<max(1, longest) { least = costs[length] < least ? costs[length] : least }
    let limit = least + tolerance
    var (chosen, equal) = (0, 0)
    for length in 0..<longest {
      let isEqual = costs[length] <= limit
      chosen = isEqual ? length : chosen
      equal += isEqual ? 1 : 0
    }
    if equal > 1 {
      chosen = -1
      for length in 0..<longest where costs[length] <= limit {
        let (this, other) = (end - 1 - length, end - 1 - chosen)
        let isBetter =
          chosen < 0 || best[this].rows < best[other].rows
          || best[this].rows == best[other].rows && ranking.isLater(this, other, best)
        if isBetter { chosen = length }
      }
    }
    let first = end - 1 - chosen
    return Best(
      cost: costs[chosen], first: Int32(truncatingIfNeeded: first), rows: best[first].rows &+ 1)
  }

  /// Chooses the best rows, from the first one on that is not as it was.
  ///
  /// - Parameters:
  ///   - frames: The frames before.
  ///   - kept: The number of items at the start that did not change.
  /// - Returns: Whether the last row need not fill the width.
  mutating func chooseRows(
    _ style: RowStyle, _ placer: RowPlacer, _ frames: borrowing MutableSpan<Rect>, kept: Int
  ) -> Bool {
    let count = placer.ratios.count
    var costs: [Double] = []
    var (ranking, bounds) = (RowRanking(), [Int32]())
    swap(&ranking, &self.ranking)
    swap(&bounds, &self.bounds)
    let span = best.mutableSpan
    let longest = Self.findCosts(&costs, ofLast: count, span, style, placer, isLastRow: true)
    var first = Int(Self.best(of: costs, longest, ofLast: count, span, &ranking).first)
    var sum = 0.0
    for item in first..<count { sum += placer.ratios[item] }
    let isLastOpen = style.free(count - first) / sum >= style.target
    bounds.removeAll(keepingCapacity: true)
    bounds.append(Int32(truncatingIfNeeded: count))
    bounds.append(Int32(truncatingIfNeeded: first))
    // A row that began here before has the same rows above it.
    while first > 0, first >= kept || frames[first].y == frames[first - 1].y {
      first = Int(span[first].first)
      bounds.append(Int32(truncatingIfNeeded: first))
    }
    bounds.reverse()
    (self.ranking, self.bounds) = (ranking, bounds)
    return isLastOpen
  }
}

/// Compares the best rows of different numbers of items, of which there are equally many: those with
/// a longer first row come later; or second row, where the first ones are equal, and so on.
///
/// Most differ only in their last rows. Where that is not so, as among pictures that are all alike,
/// ranks are kept: rows that are equal up to the last one are ranked by that, others as those without
/// the last one.
private struct RowRanking {
  private struct Place {
    var rank: Int32 = 0
    /// The number of items before whose best rows are equally many, or -1.
    var previous: Int32 = -1
  }

  /// For no items, for one, and so on, as far as they were needed.
  private var places: [Place] = []
  /// By the number of rows: the greatest number of items that is ranked.
  private var latest: [Int32] = []

  /// The number of last rows that are compared before ranks are used.
  private static var rowsCompared: Int { 32 }

  /// Whether the best rows of the first `left` items come after those of `right`.
  mutating func isLater(
    _ left: Int, _ right: Int, _ best: borrowing MutableSpan<RowSearch.Best>
  ) -> Bool {
    if places.isEmpty {
      var (a, b) = (left, right)
      for _ in 0..<Self.rowsCompared {
        let (before, other) = (best[a].first, best[b].first)
        if before == other { return a > b }
        (a, b) = (Int(before), Int(other))
      }
    }
    while places.count <= max(left, right) { rank(places.count, best) }
    return places[left].rank > places[right].rank
  }

  private mutating func rank(_ end: Int, _ best: borrowing MutableSpan<RowSearch.Best>) {
    let found = best[end]
    let rows = Int(found.rows)
    if rows == latest.count { latest.append(-1) }
    var place = Place(previous: latest[rows])
    latest[rows] = Int32(truncatingIfNeeded: end)
    var index = Int(place.previous)
    while index >= 0 {
      let (other, first) = (places[index], best[index].first)
      // With the same rows before, the longer last row comes later, and that of `end` is longest.
      if first != found.first, places[Int(first)].rank > places[Int(found.first)].rank {
        places[index].rank = other.rank &+ 1
      } else {
        place.rank = max(place.rank, other.rank &+ 1)
      }
      index = Int(other.previous)
    }
    places.append(place)
  }

  /// Forgets the ranks of more than so many items.
  mutating func forget(after known: Int, _ best: [RowSearch.Best]) {
    while places.count > known + 1, let last = places.popLast() {
      latest[Int(best[places.count].rows)] = last.previous
    }
  }
}
