import CTesseraNumbers
import TesseraGeometry

/// Scattered rows in the order of a Hilbert curve, and the tree of boxes over them.
final class ScatteredRows {
  let count: Int
  /// The end of the rows.
  let end: Int
  private let rows: UnsafeMutablePointer<UInt32>
  private let tree = BoxTree()
  /// For each leaf the left edges of its sixteen rows, then their upper, right and lower edges, in steps of
  /// its box: most rows need no look at their frames, which are far from each other in memory.
  private let marks: UnsafeMutablePointer<UInt8>
  private let visited = Scratch<Int>()
  private let candidates = Scratch<Int>()
  /// The rows from here on have changed, and are not found here.
  private var limit = Int.max

  /// - Complexity: O(*n*).
  init(_ groups: ScatteredGroups, _ frames: UnsafePointer<Rect>) {
    let fanOut = BoxTree.fanOut
    count = groups.leaves.reduce(0) { $0 + $1.count } * fanOut
    end = (groups.leaves.last?.upperBound ?? 0) * fanOut
    rows = .allocate(capacity: count)
    let curve = HilbertCurve(groups.extent)
    let keys = UnsafeMutablePointer<UInt64>.allocate(capacity: count)
    defer { keys.deallocate() }
    var place = 0
    for row in groups.leaves.joined(of: fanOut) {
      keys[place] = UInt64(curve.position(of: frames[row])) << 32 | UInt64(row)
      place += 1
    }
    Self.sort(keys, count)
    for place in 0..<count { rows[place] = UInt32(truncatingIfNeeded: keys[place]) }
    tree.resize(leafCount: (count + fanOut - 1) / fanOut)
    marks = .allocate(capacity: 4 * fanOut * tree.leafCount)
    for leaf in 0..<tree.leafCount {
      let places = leaf * fanOut..<min((leaf + 1) * fanOut, count)
      var box = BoundingBox.nothing
      for place in places {
        let frame = frames[Int(rows[place])]
        box.include(
          BoundingBox(
            minX: .below(frame.minX), minY: .below(frame.minY), maxX: .above(frame.maxX),
            maxY: .above(frame.maxY)))
      }
      tree[leaf] = box
      for place in places {
        let edges = box.marks(of: frames[Int(rows[place])])
        for edge in edges.indices {
          marks[(4 * leaf + edge) * fanOut + place - places.lowerBound] = edges[edge]
        }
      }
    }
    tree.refresh(0..<tree.leafCount)
  }

  deinit {
    rows.deallocate()
    marks.deallocate()
  }

  /// Finds no rows from a row on any more.
  func limit(to row: Int) { limit = min(limit, row) }

  /// Appends the rows that intersect a rect, in any order.
  func query(
    _ rect: Rect, _ edges: UnsafePointer<Double>, _ sought: SoughtBox,
    _ frames: UnsafePointer<Rect>, into hits: Scratch<Int>
  ) {
    let (rows, marks, count, limit) = (rows, marks, count, limit)
    visited.clear()
    candidates.clear()
    // The processor fetches the memory of all leaves, and then of all frames, while this goes on.
    tree.visit(sought) { leaves, isInside in
      let first = leaves.lowerBound &* BoxTree.fanOut
      guard !isInside else {
        let end = min(leaves.upperBound &* BoxTree.fanOut, count)
        for place in first..<end where rows[place] < limit { hits.append(Int(rows[place])) }
        return
      }
      tessera_fetch(rows + first)
      tessera_fetch(marks + 4 &* first)
      visited.append(leaves.lowerBound)
    }
    for leaf in visited.buffer {
      let first = leaf &* BoxTree.fanOut
      var edges = tree[leaf].marks(of: rect)
      var found = withUnsafeBytes(of: &edges) {
        tessera_mark_hits(
          marks + 4 &* first, $0.baseAddress!.assumingMemoryBound(to: UInt8.self))
      }
      let rest = UInt32(truncatingIfNeeded: min(BoxTree.fanOut, count &- first))
      found &= 1 << rest &- 1
      while found != 0 {
        let row = Int(rows[first &+ found.trailingZeroBitCount])
        found &= found &- 1
        // Rows past the limit may be past the end of the frames, too.
        guard row < limit else { continue }
        tessera_fetch(frames + row)
        candidates.append(row)
      }
    }
    for row in candidates.buffer
    where tessera_frame_hit(frames.numbers(from: row), edges) != 0 { hits.append(row) }
  }

  /// Sorts by the upper half of each number: three passes of a radix sort.
  private static func sort(_ keys: UnsafeMutablePointer<UInt64>, _ count: Int) {
    let (bits, buckets) = (11, 1 << 11)
    let other = UnsafeMutablePointer<UInt64>.allocate(capacity: count)
    var starts = [Int](repeating: 0, count: buckets)
    defer { other.deallocate() }
    var (from, to) = (keys, other)
    for pass in 0..<3 {
      let shift = 32 + bits * pass
      for bucket in 0..<buckets { starts[bucket] = 0 }
      for place in 0..<count { starts[Int(from[place] >> shift) & (buckets - 1)] += 1 }
      var start = 0
      for bucket in 0..<buckets {
        let length = starts[bucket]
        starts[bucket] = start
        start += length
      }
      for place in 0..<count {
        let bucket = Int(from[place] >> shift) & (buckets - 1)
        to[starts[bucket]] = from[place]
        starts[bucket] += 1
      }
      swap(&from, &to)
    }
    // After an odd number of passes the result is in the other memory.
    keys.update(from: other, count: count)
  }
}

extension [Range<Int>] {
  /// The numbers in the ranges, each multiplied: all rows of some leaves.
  fileprivate func joined(of fanOut: Int) -> some Sequence<Int> {
    lazy.flatMap { $0.lowerBound * fanOut..<$0.upperBound * fanOut }
  }
}

/// The leaves of a tree in the order of the rows that have to be found otherwise, because their rows
/// lie too far apart.
struct ScatteredGroups {
  /// Ascending ranges of leaves.
  private(set) var leaves: [Range<Int>] = []
  /// Where most of their rows lie.
  private(set) var extent = Extent()

  /// The fewest rows of a run that is measured by itself.
  private static let leastRows = 256
  /// How many times as many leaves a query may visit as in the best order.
  private static let tolerance = 4.0

  /// Measures the rows of a tree run by run; small runs that follow each other are measured together.
  ///
  /// Nil if no rows are scattered.
  init?(
    _ tree: BoxTree, _ frames: UnsafePointer<Rect>, _ count: Int, _ runs: ContiguousArray<Run>
  ) {
    guard count >= Self.leastRows, count <= Int(UInt32.max) else { return nil }
    var first = 0
    var next = 0
    while next < runs.count {
      // One large run, or small ones up to a large one.
      var end = runs[next].row + runs[next].count
      next += 1
      if end - first < Self.leastRows {
        while next < runs.count, runs[next].count < Self.leastRows {
          end = runs[next].row + runs[next].count
          next += 1
        }
      }
      measure(first..<min(end, count), tree, frames)
      first = end
    }
    if leaves.isEmpty { return nil }
  }

  /// The extent of most of some rows, and their mean size.
  struct Extent {
    var minX = Double.infinity
    var minY = Double.infinity
    var maxX = -Double.infinity
    var maxY = -Double.infinity
    var width: Double { maxX - minX }
    var height: Double { maxY - minY }

    mutating func include(_ other: Extent) {
      (minX, minY) = (min(minX, other.minX), min(minY, other.minY))
      (maxX, maxY) = (max(maxX, other.maxX), max(maxY, other.maxY))
    }
  }

  /// Compares the expected number of leaves that a query for about 32 rows visits with that in the
  /// best order.
  private mutating func measure(_ rows: Range<Int>, _ tree: BoxTree, _ frames: UnsafePointer<Rect>)
  {
    let fanOut = BoxTree.fanOut
    let first = (rows.lowerBound + fanOut - 1) / fanOut
    let whole = first..<max(first, rows.upperBound / fanOut)
    guard whole.count >= Self.leastRows / fanOut / 2 else { return }
    // A few rows that lie far away must not hide the order of the others: the extent is that of a
    // sample without its extremes.
    let sampleCount = min(max(rows.count / 16, 16), 128)
    let sample = (0..<sampleCount).map {
      frames[rows.lowerBound + (2 * $0 + 1) * rows.count / (2 * sampleCount)]
    }
    let extremes = sampleCount / 16
    func most(_ value: (Rect) -> Double) -> (least: Double, greatest: Double, middle: Double) {
      let sorted = sample.map(value).sorted()
      return (
        sorted[extremes], sorted[sampleCount - 1 - extremes], sorted[sampleCount / 2]
      )
    }
    var extent = Extent()
    (extent.minX, extent.minY) = (most(\.minX).least, most(\.minY).least)
    (extent.maxX, extent.maxY) = (most(\.maxX).greatest, most(\.maxY).greatest)
    let (rowWidth, rowHeight) = (most(\.width).middle, most(\.height).middle)
    let leafCount = Double(whole.count)
    let width = max(extent.width, extent.height / leafCount)
    let height = max(extent.height, extent.width / leafCount)
    // The side of a leaf of the best order without the size of its rows, and of the query.
    let side = (width / leafCount).squareRoot() * height.squareRoot()
    let query = 2.0.squareRoot() * side
    var visited = 0.0
    for leaf in whole {
      let box = tree[leaf]
      visited +=
        (min(Double(box.maxX) - Double(box.minX), width) + query)
        * (min(Double(box.maxY) - Double(box.minY), height) + query)
    }
    let best = leafCount * (side + rowWidth + query) * (side + rowHeight + query)
    guard visited > Self.tolerance * best, best > 0 else { return }
    leaves.append(whole)
    self.extent.include(extent)
  }
}

/// A Hilbert curve through an extent, of 2^16 steps to a side.
private struct HilbertCurve {
  private let minX, minY, scaleX, scaleY: Double
  private let table = Self.table

  /// The curve goes beyond the extent of most rows by a quarter of it on each side.
  ///
  /// The rows that are still outside are at the curve's edge, in no order along it.
  init(_ extent: ScatteredGroups.Extent) {
    (minX, minY) = (extent.minX - extent.width / 4, extent.minY - extent.height / 4)
    scaleX = 65535 / max(1.5 * extent.width, .leastNormalMagnitude)
    scaleY = 65535 / max(1.5 * extent.height, .leastNormalMagnitude)
  }

  /// The position on the curve of the centre of a frame, or of the nearest point that it reaches.
  func position(of frame: Rect) -> UInt32 {
    let x = Self.step((frame.midX - minX) * scaleX)
    let y = Self.step((frame.midY - minY) * scaleY)
    var (position, state) = (UInt32(0), UInt32(0))
    for shift in stride(from: 12, through: 0, by: -4) {
      let (nibbleX, nibbleY) = ((x >> shift) & 15, (y >> shift) & 15)
      let entry = table[Int(state << 8 | nibbleX << 4 | nibbleY)]
      position = position << 8 | UInt32(entry & 255)
      state = UInt32(entry >> 8)
    }
    return position
  }

  /// For each state of the curve and four bits of x and of y, the eight bits of the position, and the
  /// next state.
  ///
  /// A state has two bits: whether x and y are swapped, and whether they are inverted.
  private static let table: [UInt16] = (0..<1024).map { index in
    var (isSwapped, isInverted) = (index >> 8 & 1 == 1, index >> 9 == 1)
    var position: UInt16 = 0
    for bit in [3, 2, 1, 0] {
      let x = (index >> (bit + 4) & 1 == 1) != isInverted
      let y = (index >> bit & 1 == 1) != isInverted
      let (right, low) = isSwapped ? (y, x) : (x, y)
      position = position << 2 | (low ? (right ? 2 : 1) : (right ? 3 : 0))
      if !low {
        isSwapped.toggle()
        if right { isInverted.toggle() }
      }
    }
    return position | (isSwapped ? 256 : 0) | (isInverted ? 512 : 0)
  }

  private static func step(_ value: Double) -> UInt32 {
    // Not a number if the extent has no size.
    value > 0 ? UInt32(min(value, 65535)) : 0
  }
}
