import CTesseraNumbers
import TesseraCatalog
import TesseraGeometry

// Finds the rows that intersect a rect, exactly. Rows written together mostly lie together: a tree
// of boxes in row order takes 1.07 bytes a row. When queries scan many rows without a hit, a second
// tree, sorted by place, takes 21 bytes a row more.
package final class RectIndex {
  /// Boxes of sixteen rows each, in row order.
  private let ordered = BoxTree()
  private var sorted: SortedRows?
  private let sortedHits = Scratch<Int>()
  private var count = 0
  /// Number of queries since rows were read, and of scans of 16 rows without a hit.
  private var queryCount = 0
  private var missCount = 0
  /// If so, a box inside the rect doesn't mean that its rows are hits.
  private var hasEmptyRows = false
  /// Not finite or of negative size; queries are undefined unless nil.
  package private(set) var firstInvalidRow: Int?
  private var nextSample = 0

  /// Peak memory for a row while building.
  static let mostBytes = 32
  static let rowsPerBox = BoxTree.fanOut

  package init() {}

  // `changed` has rows that may differ, besides new ones; nil for all. O(*n*) for *n* changed rows.
  package func update(_ frames: UnsafePointer<Rect>, count: Int, changed: [Range<Int>]? = nil) {
    // If the number of rows changes, so does the last leaf.
    var ranges = changed ?? [0..<count]
    if changed != nil, self.count != count { ranges.append(min(self.count, count)..<count) }
    guard !ranges.isEmpty else { return }
    if firstInvalidRow != nil { ranges = [0..<count] }
    self.count = count
    ordered.resize(leafCount: (count + BoxTree.fanOut - 1) / BoxTree.fanOut)
    if ranges.contains(0..<count) { (hasEmptyRows, firstInvalidRow) = (false, nil) }
    (sorted, missCount, queryCount) = (nil, 0, 0)
    for range in ranges {
      let leaves = Self.leaves(of: range).clamped(to: 0..<ordered.leafCount)
      for leaf in leaves { ordered[leaf] = box(of: rows(of: leaf), frames) }
      ordered.refresh(leaves)
    }
  }

  /// Samples leaves for rows that moved unannounced; returns the first row of such a leaf.
  package func firstMoved(
    _ frames: UnsafePointer<Rect>, count: Int, changed: [Range<Int>]
  ) -> Int? {
    // Whole leaves in both layouts.
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

  private static func leaves(of rows: Range<Int>) -> Range<Int> {
    rows.lowerBound / BoxTree.fanOut..<(rows.upperBound + BoxTree.fanOut - 1) / BoxTree.fanOut
  }

  private func rows(of leaf: Int) -> Range<Int> {
    leaf * BoxTree.fanOut..<min((leaf + 1) * BoxTree.fanOut, count)
  }

  package var isSortingDue: Bool {
    sorted == nil && missCount > max(8 * ordered.leafCount + 1000, 64 * queryCount)
      && count <= Int(UInt32.max)
  }

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

  // Ascending. O(log *n* + *k*) for *k* results; O(*n*) if many rows overlap, and to sort.
  package func query(_ rect: Rect, _ frames: UnsafePointer<Rect>, into hits: Scratch<Range<Int>>) {
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
      var misses = 0
      ordered.visit(sought) { leaves, isInside in
        let first = leaves.lowerBound &* BoxTree.fanOut
        let end = min(leaves.upperBound &* BoxTree.fanOut, count)
        guard !isInside else { return hits.extend(&open, first, end) }
        var found = tessera_frame_hits(
          frames.numbers(from: first), UInt64(truncatingIfNeeded: end &- first), edges)
        if found == 0 { misses &+= 1 }
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
      missCount += misses
    }
    if !open.isEmpty { hits.append(open) }
  }
}

/// Rows in columns, top to bottom; as many columns as groups of sixteen in each.
private final class SortedRows {
  private let rows: UnsafeMutablePointer<UInt32>
  private let tree = BoxTree()

  init(_ frames: UnsafePointer<Rect>, _ count: Int) {
    let fanOut = BoxTree.fanOut
    rows = .allocate(capacity: count)
    tree.resize(leafCount: count)
    // Numbers sort faster than rows: place in the upper half, row in the lower.
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
  /// Nil if a row may be empty or not finite.
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
  /// Extends an adjacent range; otherwise appends it and opens another.
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
  package var isValid: Bool {
    width >= 0 && height >= 0 && (maxX + maxY).isFinite && (x + y).isFinite
  }
}

extension Size {
  package var isValid: Bool { isFinite && width >= 0 && height >= 0 }
}
