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
    /// The first item of the last row, which is the number of items in the rows before it.
    var first = 0
    /// The number of rows.
    var rows = 0
    /// The number of items in some of the first rows: how many rows depends only on `rows`, so that two
    /// divisions can be compared in a number of steps that grows as the logarithm of theirs.
    var jump = 0
  }

  /// For no items, for one, and so on.
  private var best = [Best()]

  /// Costs that differ by less are equal: the rest is rounding.
  private static let tolerance = 1e-9
  /// A height beyond which all are alike, so that costs stay finite.
  private static let highest = 1e100

  /// Finds the best rows of all items.
  ///
  /// - Parameters:
  ///   - frames: The frames before.
  ///   - kept: The number of items at the start that did not change.
  /// - Returns: From the last to the first, the ends of the rows that may have changed, and where the
  ///   first of them begins.
  mutating func rows(
    _ placer: RowPlacer, _ frames: RowColumn<Rect>, kept: Int, _ output: Output
  ) throws(LayoutFailure) -> [Int] {
    let count = placer.ratios.count
    best.removeLast(max(0, best.count - 1 - kept))
    best.reserveCapacity(count + 1)
    var work = 0
    for item in best.count - 1..<count {
      _ = try placer.ratio(item)
      let (first, cost, longest) = findBest(ofFirst: item + 1, placer)
      best.append(row(from: first, cost: cost))
      // A row can have very many items.
      work += longest
      guard work >= 1 << 20 else { continue }
      work = 0
      try output.progress(Double(placer.items.lowerBound + item) / Double(placer.total))
    }
    var first = findBest(ofFirst: count, placer, isLastRow: true).first
    var ends = [count, first]
    // A row that began here before has the same rows above it.
    while first > 0, first >= kept || frames[first].y == frames[first - 1].y {
      first = best[first].first
      ends.append(first)
    }
    return ends
  }

  /// The last one of the best rows of the first `end` items, by its first item, what all of them cost,
  /// and the number of items that the longest last row has.
  ///
  /// - Parameter isLastRow: Whether the last row is the section's.
  private func findBest(
    ofFirst end: Int, _ placer: RowPlacer, isLastRow: Bool = false
  ) -> (first: Int, cost: Double, longest: Int) {
    var (chosen, least, second) = (end - 1, Double.infinity, Double.infinity)
    let longest = eachLastRow(ofFirst: end, placer, isLastRow) { first, cost in
      // Selected rather than branched to: processors do not guess well which rows are better.
      let isLess = cost < least
      let greater = isLess ? least : cost
      second = greater < second ? greater : second
      chosen = isLess ? first : chosen
      least = isLess ? cost : least
    }
    let limit = least + Self.tolerance
    if second <= limit {
      _ = eachLastRow(ofFirst: end, placer, isLastRow) { first, cost in
        guard cost <= limit, isBetter(first, than: chosen) else { return }
        (chosen, least) = (first, cost)
      }
    }
    return (chosen, least, longest)
  }

  /// Calls `body` with the first item of each row that can end before item `end`, and with what the
  /// rows up to there then cost: from the shortest row, of one item, to the longest.
  ///
  /// - Parameter isLastRow: Whether the row is the section's last, which costs nothing if it is high
  ///   enough.
  /// - Returns: The number of rows.
  private func eachLastRow(
    ofFirst end: Int, _ placer: RowPlacer, _ isLastRow: Bool, _ body: (Int, Double) -> Void
  ) -> Int {
    let (style, target) = (placer.style, placer.style.target)
    let (lowest, highest, part) = (target / 2, target * 2, 1 / target)
    var (first, sum) = (end, 0.0)
    while first > 0 {
      sum += placer.ratios[first - 1]
      let free = style.free(end - first + 1)
      // Longer rows are lower still.
      if first < end, sum * lowest > free { break }
      first -= 1
      let height = min(free / sum, Self.highest)
      let miss = height * part - 1
      var cost = miss * miss
      if isLastRow {
        if height >= target { cost = 0 }
      } else if height > highest, first < end - 1 {
        cost = .infinity
      }
      body(first, cost + best[first].cost)
    }
    return end - first
  }

  /// The best rows of the first items with one more row.
  private func row(from first: Int, cost: Double) -> Best {
    let before = best[first]
    let jump = best[before.jump]
    let isNext = before.rows - jump.rows == jump.rows - best[jump.jump].rows
    return Best(
      cost: cost, first: first, rows: before.rows + 1, jump: isNext ? jump.jump : first)
  }

  /// Whether of two numbers of items whose best rows cost the same the rows of the first are better:
  /// they are fewer, or as many and the first of them that differs is longer.
  private func isBetter(_ left: Int, than right: Int) -> Bool {
    guard best[left].rows == best[right].rows else { return best[left].rows < best[right].rows }
    var (left, right) = (left, right)
    while best[left].first != best[right].first {
      if best[left].jump != best[right].jump {
        (left, right) = (best[left].jump, best[right].jump)
      } else {
        (left, right) = (best[left].first, best[right].first)
      }
    }
    return left > right
  }
}
