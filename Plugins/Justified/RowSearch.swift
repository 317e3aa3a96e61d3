import TesseraSDK

/// Finds the rows nearest to the target height, as a whole.
///
/// A row of height h costs ((h - target) / target)². Dynamic programming: the minimum for the first
/// j items follows from shorter prefixes plus the last row. Costs do not depend on later items: a
/// search resumes at the first changed item.
struct RowSearch {
  /// The best rows of the first items.
  private struct Best {
    var cost = 0.0
    /// Of the last row: the number of items before it.
    var first = 0
    var rows = 0
    /// The number of items in an earlier prefix of rows.
    ///
    /// Its length depends only on `rows`: two divisions are compared in O(log n) steps.
    var jump = 0
  }

  /// Indexed by the number of items.
  private var best = [Best()]

  /// Costs that differ by less are equal: the rest is rounding.
  private static let tolerance = 1e-9
  /// Heights beyond this are alike, to keep costs finite.
  private static let highest = 1e100

  /// Returns the ends of the rows that may have changed, last first, and the start of the first.
  ///
  /// - Parameters:
  ///   - frames: The frames before.
  ///   - kept: The number of unchanged items at the start.
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

  /// The best last row of the first `end` items by its first item, the total cost, and the items in
  /// the longest last row.
  ///
  /// - Parameter isLastRow: Whether the row is the section's last.
  private func findBest(
    ofFirst end: Int, _ placer: RowPlacer, isLastRow: Bool = false
  ) -> (first: Int, cost: Double, longest: Int) {
    var (chosen, least, second) = (end - 1, Double.infinity, Double.infinity)
    let longest = eachLastRow(ofFirst: end, placer, isLastRow) { first, cost in
      // A select, not a branch: which row is better is unpredictable.
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

  /// Calls `body` for each row that can end before item `end`, shortest first.
  ///
  /// Passes its first item and the cost up to its end. Returns the number of rows.
  ///
  /// - Parameter isLastRow: Whether the row is the section's last, which is free if high enough.
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

  /// The best rows up to `first`, with one more row.
  private func row(from first: Int, cost: Double) -> Best {
    let before = best[first]
    let jump = best[before.jump]
    let isNext = before.rows - jump.rows == jump.rows - best[jump.jump].rows
    return Best(
      cost: cost, first: first, rows: before.rows + 1, jump: isNext ? jump.jump : first)
  }

  /// Compares divisions of equal cost: fewer rows win, then the longer first different row.
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
