import CTesseraSystem
import TesseraCatalog
import TesseraGeometry

/// Finds the rows that intersect a rect.
///
/// Its results are exact for any rows. Rows that were written near each other mostly lie near each
/// other: a tree of bounding boxes over them in that order takes 1.07 bytes a row. Once queries have
/// looked at many rows in vain, the order is measured, and large runs whose rows are scattered get a
/// second tree, over their rows along a Hilbert curve, which takes 5.07 bytes a row.
package final class RectIndex {
  /// The boxes of sixteen rows each, in the order of the rows.
  ///
  /// Those of scattered rows are empty.
  private let ordered = BoxTree()
  @exclusivity(unchecked) private var scattered: ScatteredRows?
  private let scatteredHits = Scratch<Int>()
  @exclusivity(unchecked) private var count = 0
  /// How often queries have looked at sixteen rows in vain since all rows were read.
  @exclusivity(unchecked) private var vainVisits = 0
  /// Whether the order of the rows was measured since all were read.
  @exclusivity(unchecked) private var isMeasured = false
  /// Whether any row may have no area: then no row is in a rect only because its box is.
  @exclusivity(unchecked) private var hasEmptyRows = false
  /// The first row whose frame is not finite or has a negative size; query results are undefined
  /// unless it is nil.
  @exclusivity(unchecked) package private(set) var firstInvalidRow: Int?
  /// Which leaves `firstMoved` compares next.
  private var nextSample = 0
  /// How many rows the second tree holds.
  package var scatteredCount: Int { scattered?.count ?? 0 }

  package init() {}

  /// Reads the frames of rows again.
  ///
  /// - Parameter changed: The rows whose frames may differ from those of the last call, besides rows
  ///   that are new; nil for all.
  /// - Complexity: O(*n*) for the *n* rows that changed.
  package func update(
    _ frames: UnsafePointer<Rect>, count: Int, changed: [Range<Int>]? = nil
  ) {
    // Where the number of rows changes, the last leaf does.
    let end = min(self.count, count)
    var ranges = changed ?? [0..<count]
    if changed != nil, self.count != count { ranges.append(end..<count) }
    guard !ranges.isEmpty else { return }
    var firstLeaf = (ranges.map(\.lowerBound).min() ?? count) / BoxTree.fanOut
    if let scattered {
      // Scattered rows that changed are in the ordered tree, which is slow if they are many.
      let late = min(count, scattered.end) - firstLeaf * BoxTree.fanOut
      if late > max(4096, scattered.count / 8) { firstLeaf = 0 }
      ranges = [firstLeaf * BoxTree.fanOut..<count]
    }
    if firstInvalidRow != nil { (firstLeaf, ranges) = (0, [0..<count]) }
    self.count = count
    ordered.resize(leafCount: (count + BoxTree.fanOut - 1) / BoxTree.fanOut)
    if ranges.contains(0..<count) {
      (hasEmptyRows, firstInvalidRow, scattered) = (false, nil, nil)
      (vainVisits, isMeasured) = (0, false)
    } else {
      scattered?.limit(to: firstLeaf * BoxTree.fanOut)
    }
    for range in ranges {
      let leaves = Self.leaves(of: range).clamped(to: 0..<ordered.leafCount)
      for leaf in leaves { ordered[leaf] = box(of: rows(of: leaf), frames) }
      ordered.refresh(leaves)
    }
  }

  /// The first row of a leaf whose rows differ from those of the last `update` although they are said
  /// not to; nil if none is found.
  ///
  /// Compares the leaves around the changed rows and a few others, which take turns.
  package func firstMoved(
    _ frames: UnsafePointer<Rect>, count: Int, changed: [Range<Int>]
  ) -> Int? {
    // Whole leaves that both layouts have.
    let leafCount = min(self.count, count) / BoxTree.fanOut
    guard leafCount > 0, firstInvalidRow == nil else { return nil }
    let edges = changed.prefix(8).flatMap {
      [$0.lowerBound / BoxTree.fanOut - 1, ($0.upperBound - 1) / BoxTree.fanOut + 1]
    }
    let step = max(1, leafCount / Self.sampleCount)
    let sample = stride(from: nextSample % step, to: leafCount, by: step)
    nextSample += 1
    for leaf in edges + sample where leaf >= 0 && leaf < leafCount {
      let rows = leaf * BoxTree.fanOut..<(leaf + 1) * BoxTree.fanOut
      guard !changed.contains(where: { $0.overlaps(rows) }) else { continue }
      let known = ordered[leaf]
      // Scattered rows are elsewhere.
      guard known != .nothing, known != box(of: rows, frames) else { continue }
      return rows.lowerBound
    }
    return nil
  }

  /// How many leaves are compared after a prepare, besides those around the changed rows.
  private static let sampleCount = 32
  package static var rowsPerBox: Int { BoxTree.fanOut }

  /// The leaves of which rows are a part.
  private static func leaves(of rows: Range<Int>) -> Range<Int> {
    rows.lowerBound / BoxTree.fanOut..<(rows.upperBound + BoxTree.fanOut - 1) / BoxTree.fanOut
  }

  private func rows(of leaf: Int) -> Range<Int> {
    leaf * BoxTree.fanOut..<min((leaf + 1) * BoxTree.fanOut, count)
  }

  /// Whether queries have looked at so many rows in vain that `measure` is worth its time.
  package var isMeasuringDue: Bool { !isMeasured && vainVisits > 8 * ordered.leafCount + 1000 }

  /// Measures the order of the rows, and builds the second tree if they are scattered.
  ///
  /// - Parameters:
  ///   - frames: The frames of the last `update`.
  ///   - runs: The runs of the rows; they are measured run by run.
  /// - Complexity: O(*n*).
  package func measure(_ frames: UnsafePointer<Rect>, runs: ContiguousArray<Run>) {
    isMeasured = true
    guard firstInvalidRow == nil, scattered == nil,
      let groups = ScatteredGroups(ordered, frames, count, runs)
    else { return }
    scattered = ScatteredRows(groups, frames)
    for leaf in groups.leaves.joined() { ordered[leaf] = .nothing }
    ordered.refresh(0..<ordered.leafCount)
  }

  /// The box of some rows; records rows without area and invalid ones.
  private func box(of rows: Range<Int>, _ frames: UnsafePointer<Rect>) -> Box {
    var box = Box.nothing
    let isOrdinary = box.withNumbers {
      tessera_box_of(frames.numbers(from: rows.lowerBound), UInt64(rows.count), $0) != 0
    }
    return isOrdinary ? box : boxOfUnusual(rows, frames)
  }

  private func boxOfUnusual(_ rows: Range<Int>, _ frames: UnsafePointer<Rect>) -> Box {
    var minX = Double.infinity
    var minY = Double.infinity
    var maxX = -Double.infinity
    var maxY = -Double.infinity
    for row in rows {
      let frame = frames[row]
      let (right, bottom) = (frame.maxX, frame.maxY)
      if !(right > frame.x && bottom > frame.y && (right + bottom).isFinite
        && (frame.x + frame.y).isFinite)
      {
        hasEmptyRows = true
        if !frame.isValid, firstInvalidRow == nil { firstInvalidRow = row }
      }
      minX = min(minX, frame.x)
      minY = min(minY, frame.y)
      maxX = max(maxX, right)
      maxY = max(maxY, bottom)
    }
    return Box(
      minX: .below(minX), minY: .below(minY), maxX: .above(maxX), maxY: .above(maxY))
  }

  /// Appends the rows that intersect a rect, as ascending ranges.
  ///
  /// - Parameter frames: The frames of the last `update`.
  /// - Complexity: O(log *n* + *k*) for *k* results, unless many rows overlap; O(*n*) in the worst
  ///   case.
  package func query(
    _ rect: Rect, _ frames: UnsafePointer<Rect>, into hits: Scratch<Range<Int>>
  ) {
    guard count > 0, rect.width > 0, rect.height > 0 else { return }
    // In a tree with empty leaves, a box inside the rect may stand for others.
    var sought = SoughtBox(rect)
    sought.levelsInside = hasEmptyRows ? 0 : scattered == nil ? .max : 1
    let count = count
    let edges = SIMD4(rect.minX, rect.minY, rect.maxX, rect.maxY)
    var (vain, open) = (0, 0..<0)
    withUnsafeBytes(of: edges) {
      let edges = $0.baseAddress!.assumingMemoryBound(to: Double.self)
      ordered.visit(sought) { leaves, isInside in
        let first = leaves.lowerBound &* BoxTree.fanOut
        let end = min(leaves.upperBound &* BoxTree.fanOut, count)
        guard !isInside else { return hits.extend(&open, first, end) }
        var found = tessera_frame_hits(
          frames.numbers(from: first), UInt64(truncatingIfNeeded: end &- first), edges)
        if found == 0 { vain &+= 1 }
        var row = first
        while found != 0 {
          let skipped = found.trailingZeroBitCount
          found >>= UInt32(truncatingIfNeeded: skipped)
          let length = (~found).trailingZeroBitCount
          row &+= skipped
          hits.extend(&open, row, row &+ length)
          found >>= UInt32(truncatingIfNeeded: length)
          row &+= length
        }
      }
    }
    if !open.isEmpty { hits.append(open) }
    vainVisits += vain
    guard let scattered else { return }
    scatteredHits.clear()
    if !hasEmptyRows { sought.levelsInside = .max }
    withUnsafeBytes(of: edges) {
      scattered.query(
        rect, $0.baseAddress!.assumingMemoryBound(to: Double.self), sought, frames,
        into: scatteredHits)
    }
    guard scatteredHits.count > 0 else { return }
    scatteredHits.sort(by: <)
    let isMixed = hits.count > 0
    open = 0..<0
    for row in scatteredHits.buffer { hits.extend(&open, row, row + 1) }
    hits.append(open)
    if isMixed { hits.sort { $0.lowerBound < $1.lowerBound } }
  }
}

extension Scratch<Range<Int>> {
  /// Extends a range that is not in the list yet by another if that follows it; else appends it, and
  /// the other is the next one to extend.
  @inline(__always)
  fileprivate func extend(_ open: inout Range<Int>, _ first: Int, _ end: Int) {
    if open.upperBound == first {
      open = Range(uncheckedBounds: (open.lowerBound, end))
    } else {
      if open.upperBound > open.lowerBound { append(open) }
      open = Range(uncheckedBounds: (first, end))
    }
  }
}

extension Rect {
  /// Whether the frame intersects a rect that has an area; most frames differ in y.
  @inline(__always)
  fileprivate func isFound(by rect: Rect) -> Bool {
    maxY > rect.minY && y < rect.maxY && maxX > rect.minX && x < rect.maxX && width > 0
      && height > 0
  }
}

/// A bounding box in single precision, rounded outward.
private struct Box: Equatable {
  var minX, minY, maxX, maxY: Float

  static let nothing = Box(minX: .infinity, minY: .infinity, maxX: -.infinity, maxY: -.infinity)

  mutating func include(_ other: Box) {
    if other.minX < minX { minX = other.minX }
    if other.minY < minY { minY = other.minY }
    if other.maxX > maxX { maxX = other.maxX }
    if other.maxY > maxY { maxY = other.maxY }
  }

  /// Calls a closure with the four numbers, to be set.
  @inline(__always)
  mutating func withNumbers<Result>(_ body: (UnsafeMutablePointer<Float>) -> Result) -> Result {
    withUnsafeMutableBytes(of: &self) {
      body($0.baseAddress!.assumingMemoryBound(to: Float.self))
    }
  }
}

extension UnsafePointer<Rect> {
  /// The numbers of the frames from a row on, four for each.
  fileprivate func numbers(from row: Int) -> UnsafePointer<Double> {
    UnsafeRawPointer(self + row).assumingMemoryBound(to: Double.self)
  }
}

/// A rect to compare with boxes: comparing with these limits is as exact as with the rect.
private struct SoughtBox {
  private let minX, minY, maxX, maxY: Float
  private let innerMinX, innerMinY, innerMaxX, innerMaxY: Float
  /// How many levels of a tree find boxes that lie inside the rect without looking into them.
  var levelsInside = 0

  init(_ rect: Rect) {
    (minX, minY) = (.below(rect.minX), .below(rect.minY))
    (maxX, maxY) = (.above(rect.maxX), .above(rect.maxY))
    (innerMinX, innerMinY) = (.above(rect.minX), .above(rect.minY))
    (innerMaxX, innerMaxY) = (.below(rect.maxX), .below(rect.maxY))
  }

  /// The boxes of a group that intersect the rect, a bit for each.
  @inline(__always)
  func hits(in group: UnsafePointer<Float>) -> UInt32 {
    tessera_box_hits(group, minX, minY, maxX, maxY)
  }

  @inline(__always)
  func contains(_ box: Box) -> Bool {
    box.minY >= innerMinY && box.maxY <= innerMaxY && box.minX >= innerMinX
      && box.maxX <= innerMaxX
  }
}

extension Float {
  /// The largest number of single precision that is not above a value.
  fileprivate static func below(_ value: Double) -> Float {
    let single = Float(value)
    return Double(single) > value ? single.nextDown : single
  }

  /// The least number of single precision that is not below a value.
  fileprivate static func above(_ value: Double) -> Float {
    let single = Float(value)
    return Double(single) < value ? single.nextUp : single
  }
}

/// A tree of bounding boxes with sixteen children per node, over leaves that can be added, removed
/// and changed at the end.
private final class BoxTree {
  static let fanOut = 16

  /// Boxes in groups of sixteen: the minX of all in a group, then their minY, maxX and maxY.
  private struct Level {
    var groups: UnsafeMutablePointer<Float>
    var count = 0
    var capacity = 0

    static let groupSize = 4 * fanOut

    subscript(place: Int) -> Box {
      get {
        let first = groups + (place >> 4 * Level.groupSize + place & 15)
        return Box(
          minX: first[0], minY: first[fanOut], maxX: first[2 * fanOut], maxY: first[3 * fanOut])
      }
      nonmutating set {
        let first = groups + (place >> 4 * Level.groupSize + place & 15)
        first[0] = newValue.minX
        first[fanOut] = newValue.minY
        first[2 * fanOut] = newValue.maxX
        first[3 * fanOut] = newValue.maxY
      }
    }
  }

  /// The leaves, and the levels above them; the last level has one box.
  @exclusivity(unchecked) private var levels: ContiguousArray<Level> = []

  deinit { for level in levels { level.groups.deallocate() } }

  var leafCount: Int { levels.first?.count ?? 0 }

  subscript(leaf: Int) -> Box {
    get { levels[0][leaf] }
    set { levels[0][leaf] = newValue }
  }

  /// Sets the number of leaves; the first ones keep their boxes.
  func resize(leafCount: Int) {
    var (number, count) = (0, leafCount)
    while count > 0 {
      if number == levels.count { levels.append(Level(groups: .allocate(capacity: 0))) }
      resize(number, count)
      number += 1
      guard count > 1 else { break }
      count = (count + Self.fanOut - 1) / Self.fanOut
    }
    while levels.count > number { levels.removeLast().groups.deallocate() }
  }

  private func resize(_ number: Int, _ count: Int) {
    let level = levels[number]
    if count > level.capacity || 4 * count < level.capacity {
      // A first size without slack: most layouts never grow.
      let groupCount = ((level.capacity == 0 ? count : count + count / 8) + 15) / 16
      let groups = UnsafeMutablePointer<Float>.allocate(capacity: groupCount * Level.groupSize)
      let kept = (min(count, level.count) + 15) / 16
      groups.update(from: level.groups, count: kept * Level.groupSize)
      level.groups.deallocate()
      levels[number] = Level(groups: groups, capacity: groupCount * 16)
    }
    levels[number].count = count
    // The last group is always whole.
    for place in count..<(count + 15) / 16 * 16 { levels[number][place] = .nothing }
  }

  /// Computes the boxes above some leaves.
  ///
  /// Those at the end have to be among them if there are more or fewer leaves than before.
  func refresh(_ leaves: Range<Int>) {
    var (first, end) = (leaves.lowerBound, leaves.upperBound)
    for number in levels.indices.dropFirst() {
      let (below, level) = (levels[number - 1], levels[number])
      first /= Self.fanOut
      end = min((end + Self.fanOut - 1) / Self.fanOut, level.count)
      for place in first..<end {
        var box = Box.nothing
        box.withNumbers { tessera_box_of_group(below.groups + place * Level.groupSize, $0) }
        level[place] = box
      }
    }
  }

  /// Calls a closure with the leaves whose boxes intersect a rect, ascending, and whether they lie
  /// inside it.
  @inline(__always)
  func visit(_ sought: SoughtBox, _ body: (Range<Int>, Bool) -> Void) {
    guard !levels.isEmpty else { return }
    levels.withUnsafeBufferPointer { levels in
      // The one box of the last level would only say whether there is anything to find.
      let top = max(0, levels.count &- 2)
      let levels = levels.baseAddress!
      var number = top
      var group = 0
      // For each level, the boxes of the current group that are still to be visited.
      var waiting = InlineArray<16, UInt32>(repeating: 0)
      waiting[number] = sought.hits(in: levels[number].groups)
      while true {
        let hits = waiting[number]
        guard hits != 0 else {
          if number == top { return }
          number &+= 1
          group >>= 4
          continue
        }
        let place = group &* Self.fanOut &+ hits.trailingZeroBitCount
        waiting[number] = hits & (hits &- 1)
        if number < sought.levelsInside, sought.contains(levels[number][place]) {
          // Each level multiplies the leaves of a box by the fan-out.
          let shift = 4 &* number
          body(
            Range(
              uncheckedBounds: (
                place << shift, min((place &+ 1) << shift, levels[0].count)
              )), true)
        } else if number > 0 {
          number &-= 1
          group = place
          waiting[number] = sought.hits(in: levels[number].groups + group &* Level.groupSize)
        } else {
          body(Range(uncheckedBounds: (place, place &+ 1)), false)
        }
      }
    }
  }
}

/// The leaves of a tree in the order of the rows that have to be found otherwise, because their rows
/// lie too far apart.
private struct ScatteredGroups {
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

/// Scattered rows in the order of a Hilbert curve, and the tree of boxes over them.
private final class ScatteredRows {
  let count: Int
  /// The end of the rows.
  let end: Int
  private let rows: UnsafeMutablePointer<UInt32>
  private let tree = BoxTree()
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
    for leaf in 0..<tree.leafCount {
      var box = Box.nothing
      for place in leaf * fanOut..<min((leaf + 1) * fanOut, count) {
        let frame = frames[Int(rows[place])]
        box.include(
          Box(
            minX: .below(frame.minX), minY: .below(frame.minY), maxX: .above(frame.maxX),
            maxY: .above(frame.maxY)))
      }
      tree[leaf] = box
    }
    tree.refresh(0..<tree.leafCount)
  }

  deinit { rows.deallocate() }

  /// Finds no rows from a row on any more.
  func limit(to row: Int) { limit = min(limit, row) }

  /// Appends the rows that intersect a rect, in any order.
  func query(
    _ rect: Rect, _ edges: UnsafePointer<Double>, _ sought: SoughtBox,
    _ frames: UnsafePointer<Rect>, into hits: Scratch<Int>
  ) {
    let (rows, count, limit) = (rows, count, limit)
    tree.visit(sought) { leaves, isInside in
      let first = leaves.lowerBound &* BoxTree.fanOut
      let end = min(leaves.upperBound &* BoxTree.fanOut, count)
      guard !isInside else {
        for place in first..<end where rows[place] < limit { hits.append(Int(rows[place])) }
        return
      }
      // Rows past the limit may be past the end of the frames, too.
      guard limit == .max else {
        for place in first..<end {
          let row = Int(rows[place])
          if row < limit, frames[row].isFound(by: rect) { hits.append(row) }
        }
        return
      }
      var found = tessera_row_hits(
        frames.numbers(from: 0), rows + first, UInt64(truncatingIfNeeded: end &- first), edges)
      while found != 0 {
        hits.append(Int(rows[first &+ found.trailingZeroBitCount]))
        found &= found &- 1
      }
    }
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

/// A Hilbert curve through an extent, of 2^16 steps to a side.
private struct HilbertCurve {
  private let minX, minY, scaleX, scaleY: Double
  private let table = Self.table

  init(_ extent: ScatteredGroups.Extent) {
    (minX, minY) = (extent.minX, extent.minY)
    scaleX = 65535 / max(extent.width, .leastNormalMagnitude)
    scaleY = 65535 / max(extent.height, .leastNormalMagnitude)
  }

  /// The position on the curve of the centre of a frame, or of the nearest point inside the extent.
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

extension Rect {
  /// Whether a frame and its far edges are finite and its size is not negative.
  package var isValid: Bool {
    width >= 0 && height >= 0 && (maxX + maxY).isFinite && (x + y).isFinite
  }
}

extension Size {
  /// Whether both lengths are finite and not negative.
  package var isValid: Bool { isFinite && width >= 0 && height >= 0 }
}
