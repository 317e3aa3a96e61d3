import CTesseraNumbers
import TesseraCatalog
import TesseraGeometry

/// Finds the rows that intersect a rect.
///
/// Its results are exact for any rows. Rows that were written near each other mostly lie near each
/// other: a tree of bounding boxes over them in that order takes 1.07 bytes a row. Once queries have
/// looked at many rows in vain, the order is measured, and large runs whose rows are scattered get a
/// second tree, over their rows along a Hilbert curve, which takes 9.07 bytes a row.
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

  /// The most memory for a row while the index is made, in bytes.
  static let mostBytes = 32

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
  private func box(of rows: Range<Int>, _ frames: UnsafePointer<Rect>) -> BoundingBox {
    var box = BoundingBox.nothing
    let isOrdinary = box.withNumbers {
      tessera_box_of(frames.numbers(from: rows.lowerBound), UInt64(rows.count), $0) != 0
    }
    return isOrdinary ? box : boxOfUnusual(rows, frames)
  }

  private func boxOfUnusual(_ rows: Range<Int>, _ frames: UnsafePointer<Rect>) -> BoundingBox {
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
    return BoundingBox(
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
    let haveArea: Int32 = hasEmptyRows ? 0 : 1
    let edges = SIMD4(rect.minX, rect.minY, rect.maxX, rect.maxY)
    var (vain, open) = (0, 0..<0)
    withUnsafeBytes(of: edges) {
      let edges = $0.baseAddress!.assumingMemoryBound(to: Double.self)
      ordered.visit(sought) { leaf in
        // A line of the cache has two frames; the leaves of different groups are far apart.
        let first = frames + leaf &* BoxTree.fanOut
        for line in 0..<BoxTree.fanOut / 2 { tessera_fetch(first + 2 &* line) }
      } _: { leaves, isInside in
        let first = leaves.lowerBound &* BoxTree.fanOut
        let end = min(leaves.upperBound &* BoxTree.fanOut, count)
        guard !isInside else { return hits.extend(&open, first, end) }
        var found = tessera_frame_hits(
          frames.numbers(from: first), UInt64(truncatingIfNeeded: end &- first), edges, haveArea)
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
    var sorted = scatteredHits.buffer
    sorted.sort()
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
  /// Whether a frame and its far edges are finite and its size is not negative.
  package var isValid: Bool {
    width >= 0 && height >= 0 && (maxX + maxY).isFinite && (x + y).isFinite
  }
}

extension Size {
  /// Whether both lengths are finite and not negative.
  package var isValid: Bool { isFinite && width >= 0 && height >= 0 }
}
