import TesseraCatalog
import TesseraGeometry

/// Finds the rows that intersect a rect: a tree of bounding boxes over the rows in the order in
/// which they were written, with sixteen children per node, in single precision rounded outward.
///
/// It takes 1.07 bytes per row. Its results are exact for any rows; it is fast if rows with near
/// indexes are near on the plane.
package struct RectIndex {
  private struct Box {
    var minX: Float
    var minY: Float
    var maxX: Float
    var maxY: Float

    static let nothing = Box(
      minX: .infinity, minY: .infinity, maxX: -.infinity, maxY: -.infinity)

    mutating func include(_ other: Box) {
      if other.minX < minX { minX = other.minX }
      if other.minY < minY { minY = other.minY }
      if other.maxX > maxX { maxX = other.maxX }
      if other.maxY > maxY { maxY = other.maxY }
    }
  }

  private static let fanOut = 16
  /// The boxes of each level; those of the first cover sixteen rows each, the last level has one
  /// box.
  private var levels: [ContiguousArray<Box>] = []
  private let frames: UnsafePointer<Rect>
  private let count: Int
  /// The first row whose frame is not finite or has a negative size; query results are undefined
  /// unless it is nil.
  package private(set) var firstInvalidRow: Int?

  /// Builds the tree over frames, which must stay valid as long as the index is used.
  ///
  /// - Complexity: O(*n*).
  package init(frames: UnsafePointer<Rect>, count: Int) {
    self.frames = frames
    self.count = count
    firstInvalidRow = nil
    guard count > 0 else { return }
    var level = ContiguousArray<Box>()
    level.reserveCapacity((count + Self.fanOut - 1) / Self.fanOut)
    for start in stride(from: 0, to: count, by: Self.fanOut) {
      var minX = Double.infinity
      var minY = Double.infinity
      var maxX = -Double.infinity
      var maxY = -Double.infinity
      for row in start..<min(start + Self.fanOut, count) {
        let frame = frames[row]
        if !frame.isValid, firstInvalidRow == nil { firstInvalidRow = row }
        minX = min(minX, frame.minX)
        minY = min(minY, frame.minY)
        maxX = max(maxX, frame.maxX)
        maxY = max(maxY, frame.maxY)
      }
      level.append(
        Box(
          minX: Self.down(minX), minY: Self.down(minY), maxX: Self.up(maxX), maxY: Self.up(maxY)))
    }
    levels.append(level)
    while let below = levels.last, below.count > 1 {
      var level = ContiguousArray<Box>()
      level.reserveCapacity((below.count + Self.fanOut - 1) / Self.fanOut)
      for start in stride(from: 0, to: below.count, by: Self.fanOut) {
        var box = Box.nothing
        for child in start..<min(start + Self.fanOut, below.count) { box.include(below[child]) }
        level.append(box)
      }
      levels.append(level)
    }
  }

  /// Appends the rows that intersect a rect, ascending.
  ///
  /// - Complexity: O(log *n* + *k*) for *k* results if rows with near indexes are near on the
  ///   plane; O(*n*) in the worst case.
  package func query(_ rect: Rect, into hits: inout [Int]) {
    guard !levels.isEmpty, rect.width > 0, rect.height > 0 else { return }
    visit(level: levels.count - 1, first: 0, rect, &hits)
  }

  private func visit(level: Int, first: Int, _ rect: Rect, _ hits: inout [Int]) {
    for index in first..<min(first + Self.fanOut, levels[level].count) {
      let box = levels[level][index]
      guard Double(box.maxX) > rect.minX, Double(box.minX) < rect.maxX,
        Double(box.maxY) > rect.minY, Double(box.minY) < rect.maxY
      else { continue }
      if level > 0 {
        visit(level: level - 1, first: index * Self.fanOut, rect, &hits)
        continue
      }
      for row in index * Self.fanOut..<min((index + 1) * Self.fanOut, count)
      where frames[row].intersects(rect) {
        hits.append(row)
      }
    }
  }

  private static func down(_ value: Double) -> Float {
    let single = Float(value)
    return Double(single) > value ? single.nextDown : single
  }

  private static func up(_ value: Double) -> Float {
    let single = Float(value)
    return Double(single) < value ? single.nextUp : single
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
