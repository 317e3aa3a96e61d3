import CTesseraNumbers
import TesseraCatalog
import TesseraGeometry

/// Finds the rows that intersect a rect.
///
/// Its results are exact for any rows. Rows that were written near each other mostly lie near each
/// other: a tree of bounding boxes over them in that order takes 1.07 bytes a row. Once queries have
/// looked at many rows in vain, a second tree is made over the rows sorted by place, which takes 21 bytes a
/// row more.
package final class RectIndex {
  /// The boxes of sixteen rows each, in the order of the rows.
  private let ordered = BoxTree()
  private var sorted: SortedRows?
  private let sortedHits = Scratch<Int>()
  private var count = 0
  /// Since rows were last read: how many queries there were, and how often they looked at sixteen rows in vain.
  private var queryCount = 0
  private var vainVisits = 0
  /// Whether any row may have no area: then no row is in a rect only because its box is.
  private var hasEmptyRows = false
  /// The first row whose frame is not finite or has a negative size; query results are undefined
  /// unless it is nil.
  package private(set) var firstInvalidRow: Int?
  /// Which leaves `firstMoved` compares next.
  private var nextSample = 0

  /// The most memory for a row while the index is made, in bytes.
  static let mostBytes = 32
  static let rowsPerBox = BoxTree.fanOut

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
    var ranges = changed ?? [0..<count]
    if changed != nil, self.count != count { ranges.append(min(self.count, count)..<count) }
    guard !ranges.isEmpty else { return }
    if firstInvalidRow != nil { ranges = [0..<count] }
    self.count = count
    ordered.resize(leafCount: (count + BoxTree.fanOut - 1) / BoxTree.fanOut)
    if ranges.contains(0..<count) { (hasEmptyRows, firstInvalidRow) = (false, nil) }
    (sorted, vainVisits, queryCount) = (nil, 0, 0)
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
      let rows = rows(of: leaf)
      if changed.contains(where: { $0.overlaps(rows) }) { continue }
      if ordered[leaf] != box(of: rows, frames) { return rows.lowerBound }
    }
    return nil
  }

  private static let sampleCount = 32

  /// The leaves of which rows are a part.
  private static func leaves(of rows: Range<Int>) -> Range<Int> {
    rows.lowerBound / BoxTree.fanOut..<(rows.upperBound + BoxTree.fanOut - 1) / BoxTree.fanOut
  }

  private func rows(of leaf: Int) -> Range<Int> {
    leaf * BoxTree.fanOut..<min((leaf + 1) * BoxTree.fanOut, count)
  }

  /// Whether queries have looked at so many rows in vain that the next one sorts them by place.
  package var isSortingDue: Bool {
    sorted == nil && vainVisits > max(8 * ordered.leafCount + 1000, 64 * queryCount)
      && count <= Int(UInt32.max)
  }

  /// The box of some rows; records rows without area and invalid ones.
  private func box(of rows: Range<Int>, _ frames: UnsafePointer<Rect>) -> BoundingBox {
    if let box = BoundingBox(of: rows, frames) { return box }
    var (minX, minY) = (Double.infinity, Double.infinity)
    var (maxX, maxY) = (-Double.infinity, -Double.infinity)
    for row in rows {
      let frame = frames[row]
      let (right, bottom) = (frame.maxX, frame.maxY)
      if !(right > frame.x && bottom > frame.y && (right + bottom).isFinite
        && (frame.x + frame.y).isFinite)
      {
        hasEmptyRows = true
        if !frame.isValid, firstInvalidRow == nil { firstInvalidRow = row }
      }
      (minX, minY) = (min(minX, frame.x), min(minY, frame.y))
      (maxX, maxY) = (max(maxX, right), max(maxY, bottom))
    }
    return BoundingBox(
      minX: .below(minX), minY: .below(minY), maxX: .above(maxX), maxY: .above(maxY))
  }

  /// Appends the rows that intersect a rect, as ascending ranges.
  ///
  /// - Parameter frames: The frames of the last `update`.
  /// - Complexity: O(log *n* + *k*) for *k* results, unless many rows overlap; O(*n*) in the worst
  ///   case, and once for many queries that look at rows in vain.
  package func query(
    _ rect: Rect, _ frames: UnsafePointer<Rect>, into hits: Scratch<Range<Int>>
  ) {
    guard count > 0, rect.width > 0, rect.height > 0 else { return }
    if isSortingDue { sorted = SortedRows(frames, count) }
    let sought = SoughtBox(rect, findsWhole: !hasEmptyRows)
    var edges = SIMD4(rect.minX, rect.minY, rect.maxX, rect.maxY)
    var open = 0..<0
    withUnsafeBytes(of: &edges) {
      let edges = $0.baseAddress!.assumingMemoryBound(to: Double.self)
      if let sorted {
        sortedHits.clear()
        sorted.query(sought, edges, frames, into: sortedHits)
        sortedHits.sort(by: <)
        for row in sortedHits.buffer { hits.extend(&open, row, row + 1) }
        return
      }
      queryCount += 1
      let count = count
      var vain = 0
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
      vainVisits += vain
    }
    if !open.isEmpty { hits.append(open) }
  }
}

/// The rows of an index sorted by place, and a tree with the box of each.
///
/// They lie in as many columns as there are groups of sixteen in each, and in a column from top to bottom.
private final class SortedRows {
  private let rows: UnsafeMutablePointer<UInt32>
  private let tree = BoxTree()

  /// - Complexity: O(*n* log *n*).
  init(_ frames: UnsafePointer<Rect>, _ count: Int) {
    let fanOut = BoxTree.fanOut
    rows = .allocate(capacity: count)
    tree.resize(leafCount: count)
    // Numbers sort faster than rows: the place in the upper half, which rises with it, and the row in the lower.
    func key(_ place: Double, _ row: UInt32) -> UInt64 {
      let bits = Float(place).bitPattern
      return UInt64(bits >> 31 == 0 ? bits | 1 << 31 : ~bits) << 32 | UInt64(row)
    }
    var keys = (0..<count).map { key(frames[$0].midX, UInt32($0)) }
    keys.sort()
    let length = Int(Double(count / fanOut).squareRoot().rounded(.up)) * fanOut
    for start in stride(from: 0, to: count, by: length) {
      let column = start..<min(start + length, count)
      for place in column {
        let row = UInt32(truncatingIfNeeded: keys[place])
        keys[place] = key(frames[Int(row)].midY, row)
      }
      keys[column].sort()
    }
    for place in 0..<count {
      rows[place] = UInt32(truncatingIfNeeded: keys[place])
      let frame = frames[Int(rows[place])]
      tree[place] = BoundingBox(
        minX: .below(frame.minX), minY: .below(frame.minY), maxX: .above(frame.maxX),
        maxY: .above(frame.maxY))
    }
    tree.refresh(0..<count)
  }

  deinit { rows.deallocate() }

  /// Appends the rows that intersect a rect, in any order.
  func query(
    _ sought: SoughtBox, _ edges: UnsafePointer<Double>, _ frames: UnsafePointer<Rect>,
    into hits: Scratch<Int>
  ) {
    let rows = rows
    tree.visit(sought) { places, isInside in
      for place in places {
        let row = Int(rows[place])
        if isInside || tessera_frame_hits(frames.numbers(from: row), 1, edges) != 0 {
          hits.append(row)
        }
      }
    }
  }
}

extension BoundingBox {
  /// The box of some rows; nil if one of them may have no area or may not be finite.
  fileprivate init?(of rows: Range<Int>, _ frames: UnsafePointer<Rect>) {
    var edges = SIMD4<Double>()
    let isOrdinary = withUnsafeMutableBytes(of: &edges) {
      tessera_edges_of(
        frames.numbers(from: rows.lowerBound), UInt64(rows.count),
        $0.baseAddress!.assumingMemoryBound(to: Double.self))
    }
    guard isOrdinary != 0 else { return nil }
    self.init(
      minX: .below(edges.x), minY: .below(edges.y), maxX: .above(edges.z), maxY: .above(edges.w))
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
