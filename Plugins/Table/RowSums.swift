import TesseraSDK

/// Sums of row heights: of blocks of 64 rows, of blocks of 64 blocks, and so on.
///
/// A position depends only on the heights before it, in whatever order they were learned. Rows of
/// equal height need no sums.
struct RowSums {
  private static let fanOut = 64

  private(set) var count = 0
  private var constant: Double?
  /// By level; the last has at most 64.
  private var levels: [[Double]] = []

  /// Recomputes the sums of changed blocks, O(*k* + log *n*) for *k* changed rows of *n*.
  ///
  /// Returns the first row with a negative or infinite height, or nil.
  ///
  /// - Parameter changed: The changed rows, without rows past the old or new end; after an
  ///   insertion or deletion, all from the first different one.
  mutating func update(
    _ heights: Column<Double>, _ changed: Range<Int>, _ output: Output
  ) throws(LayoutFailure) -> Int? {
    var changed = changed
    let wasConstant = constant != nil
    constant = heights.constant
    if let constant {
      (count, levels) = (heights.count, [])
      return constant >= 0 && constant.isFinite ? nil : 0
    }
    if wasConstant { changed = 0..<heights.count }
    if count != heights.count { changed = changed.lowerBound..<heights.count }
    count = heights.count
    var (number, below) = (0, count)
    var (first, end) = (changed.lowerBound, changed.upperBound)
    while below > Self.fanOut || number == 0 {
      let size = (below + Self.fanOut - 1) / Self.fanOut
      if number == levels.count { levels.append([]) }
      let known = levels[number].count
      if size < known { levels[number].removeLast(known - size) }
      if size > known { levels[number] += repeatElement(0, count: size - known) }
      // If the number of blocks changes, the last one does.
      first = min(first / Self.fanOut, size == known ? .max : max(0, min(size, known) - 1))
      end = size == known ? min((end + Self.fanOut - 1) / Self.fanOut, size) : size
      for block in min(first, end)..<end {
        let parts = block * Self.fanOut..<min((block + 1) * Self.fanOut, below)
        if number == 0 {
          guard let sum = Self.sum(of: heights[parts]) else {
            levels = []
            return parts.first { !(heights[$0] >= 0 && heights[$0].isFinite) }
          }
          levels[0][block] = sum
          if block % 1024 == 1023 { try output.progress(Double(parts.upperBound) / Double(count)) }
        } else {
          levels[number][block] = levels[number - 1][parts].reduce(0, +)
        }
      }
      below = size
      number += 1
    }
    levels.removeLast(levels.count - number)
    return nil
  }

  /// Nil if a height is negative or not finite.
  private static func sum(of heights: Column<Double>) -> Double? {
    // Four sums at once, because each addition waits for the one before.
    var sums = SIMD4<Double>.zero
    var least = SIMD4<Double>.zero
    let whole = heights.count / 4 * 4
    for row in stride(from: 0, to: whole, by: 4) {
      let four = SIMD4(heights[row], heights[row + 1], heights[row + 2], heights[row + 3])
      sums += four
      least = pointwiseMin(least, four)
    }
    for row in whole..<heights.count {
      sums[row - whole] += heights[row]
      least[row - whole] = min(least[row - whole], heights[row])
    }
    let sum = sums[0] + sums[1] + (sums[2] + sums[3])
    if least.min() >= 0, sum.isFinite { return sum }
    // Finite heights may overflow in sum.
    return (0..<heights.count).allSatisfy { heights[$0] >= 0 && heights[$0].isFinite } ? sum : nil
  }

  /// The maximum error of positions, in any order of additions.
  var slack: Double { 1e-12 * (levels.last?.reduce(0, +) ?? Double(count) * (constant ?? 0)) }

  /// The heights of all rows before one; O(log *n*).
  func top(of row: Int, _ heights: Column<Double>) -> Double {
    if let constant { return Double(row) * constant }
    var (sum, first) = (0.0, 0)
    for number in levels.indices.reversed() {
      let end = row >> (6 * (number + 1))
      for block in first..<end { sum += levels[number][block] }
      first = end << 6
    }
    for before in first..<row { sum += heights[before] }
    return sum
  }

  /// The first row that ends below a position, or the last row; O(log *n*).
  func row(at y: Double, _ heights: Column<Double>) -> Int {
    guard count > 0 else { return 0 }
    if let constant {
      guard y >= 0 else { return 0 }
      // NaN if both are 0.
      let row = y / constant
      return row < Double(count - 1) ? Int(row) : count - 1
    }
    var (sum, first) = (0.0, 0)
    for number in levels.indices.reversed() {
      let end = min(first + Self.fanOut, levels[number].count) - 1
      while first < end, sum + levels[number][first] <= y {
        sum += levels[number][first]
        first += 1
      }
      first <<= 6
    }
    let end = min(first + Self.fanOut, count) - 1
    while first < end, sum + heights[first] <= y {
      sum += heights[first]
      first += 1
    }
    return first
  }

  @inline(__always)
  func visit(
    _ rows: Range<Int>, _ heights: Column<Double>, _ body: (Int, Double, Double) -> Void
  ) {
    var sum = top(of: rows.lowerBound, heights)
    for row in rows {
      if row % Self.fanOut == 0 || constant != nil { sum = top(of: row, heights) }
      let height = heights[row]
      body(row, sum, height)
      sum += height
    }
  }
}
