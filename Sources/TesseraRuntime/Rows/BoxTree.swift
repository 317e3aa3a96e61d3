import CTesseraNumbers
import TesseraGeometry

// Bounding boxes with sixteen children per node. Leaves are added, removed and changed at the end.
final class BoxTree {
  static let fanOut = 16

  /// Groups of sixteen boxes: all minX, then minY, maxX and maxY.
  private struct Level {
    var groups: UnsafeMutablePointer<Float>
    var count = 0
    var capacity = 0

    static let groupSize = 4 * fanOut

    subscript(place: Int) -> BoundingBox {
      get {
        let first = groups + (place >> 4 * Level.groupSize + place & 15)
        return BoundingBox(
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

  /// Leaves first; the last level has one box.
  private let levels = Scratch<Level>()

  deinit { for level in levels.buffer { level.groups.deallocate() } }

  var leafCount: Int { levels.count > 0 ? levels.items[0].count : 0 }

  subscript(leaf: Int) -> BoundingBox {
    get { levels.items[0][leaf] }
    set { levels.items[0][leaf] = newValue }
  }

  func resize(leafCount: Int) {
    var (number, count) = (0, leafCount)
    while count > 0 {
      if number == levels.count { levels.append(Level(groups: .allocate(capacity: 0))) }
      resize(number, count)
      number += 1
      guard count > 1 else { break }
      count = (count + Self.fanOut - 1) / Self.fanOut
    }
    for level in levels.buffer[number...] { level.groups.deallocate() }
    levels.truncate(to: number)
  }

  private func resize(_ number: Int, _ count: Int) {
    let level = levels.items[number]
    if count > level.capacity || 4 * count < level.capacity {
      // No slack at first: most layouts never grow.
      let groupCount = ((level.capacity == 0 ? count : count + count / 8) + 15) / 16
      let groups = UnsafeMutablePointer<Float>.allocate(capacity: groupCount * Level.groupSize)
      let kept = (min(count, level.count) + 15) / 16
      groups.update(from: level.groups, count: kept * Level.groupSize)
      level.groups.deallocate()
      levels.items[number] = Level(groups: groups, capacity: groupCount * 16)
    }
    levels.items[number].count = count
    // The last group is always whole.
    for place in count..<(count + 15) / 16 * 16 { levels.items[number][place] = .nothing }
  }

  /// Must include the last leaves if their number changed.
  func refresh(_ leaves: Range<Int>) {
    var (first, end) = (leaves.lowerBound, leaves.upperBound)
    for number in levels.buffer.indices.dropFirst() {
      let (below, level) = (levels.items[number - 1], levels.items[number])
      first /= Self.fanOut
      end = min((end + Self.fanOut - 1) / Self.fanOut, level.count)
      for place in first..<end {
        var box = BoundingBox.nothing
        withUnsafeMutableBytes(of: &box) {
          tessera_box_of_group(
            below.groups + place * Level.groupSize,
            $0.baseAddress!.assumingMemoryBound(to: Float.self))
        }
        level[place] = box
      }
    }
  }

  /// Ascending leaves, and whether they lie inside the rect.
  @inline(__always)
  func visit(_ sought: SoughtBox, _ body: (Range<Int>, Bool) -> Void) {
    guard levels.count > 0 else { return }
    // The top box only shows if there is anything to find.
    let top = max(0, levels.count &- 2)
    let levels = levels.items
    var (number, group) = (top, 0)
    // For each level, the boxes still to visit in the current group.
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
      if sought.findsWhole, sought.contains(levels[number][place]) {
        // Each level has sixteen times the leaves per box.
        let shift = 4 &* number
        let end = min((place &+ 1) << shift, levels[0].count)
        body(Range(uncheckedBounds: (place << shift, end)), true)
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

/// Single precision, rounded outward.
struct BoundingBox: Equatable {
  var minX, minY, maxX, maxY: Float

  static let nothing = BoundingBox(
    minX: .infinity, minY: .infinity, maxX: -.infinity, maxY: -.infinity)
}

/// Limits for boxes, as exact as comparing with the rect.
struct SoughtBox {
  private let minX, minY, maxX, maxY: Float
  private let innerMinX, innerMinY, innerMaxX, innerMaxY: Float
  /// Whether boxes inside the rect are found without descending.
  let findsWhole: Bool

  init(_ rect: Rect, findsWhole: Bool) {
    self.findsWhole = findsWhole
    (minX, minY) = (.below(rect.minX), .below(rect.minY))
    (maxX, maxY) = (.above(rect.maxX), .above(rect.maxY))
    (innerMinX, innerMinY) = (.above(rect.minX), .above(rect.minY))
    (innerMaxX, innerMaxY) = (.below(rect.maxX), .below(rect.maxY))
  }

  /// One bit per box.
  @inline(__always)
  func hits(in group: UnsafePointer<Float>) -> UInt32 {
    tessera_box_hits(group, minX, minY, maxX, maxY)
  }

  @inline(__always)
  func contains(_ box: BoundingBox) -> Bool {
    box.minY >= innerMinY && box.maxY <= innerMaxY && box.minX >= innerMinX
      && box.maxX <= innerMaxX
  }
}

extension Float {
  /// The largest float ≤ a value.
  static func below(_ value: Double) -> Float {
    let single = Float(value)
    return Double(single) > value ? single.nextDown : single
  }

  /// The least float ≥ a value.
  static func above(_ value: Double) -> Float {
    let single = Float(value)
    return Double(single) < value ? single.nextUp : single
  }
}

extension UnsafePointer<Rect> {
  func numbers(from row: Int) -> UnsafePointer<Double> {
    UnsafeRawPointer(self + row).assumingMemoryBound(to: Double.self)
  }
}
