import Glibc

/// Where the items of a layout go in an update, by their indexes among all items.
package struct ItemMoves {
  /// Items that stay beside each other.
  package typealias Stretch = (from: Int, to: Int, count: Int)

  /// The number of items before and after.
  package let before, after: Int
  /// The items that keep their order, by ascending new indexes.
  private let runs: [Stretch]
  /// The items that move by themselves.
  private let singles: [(from: Int, to: Int)]
  /// The new indexes of items that are inserted.
  package let inserted: [Range<Int>]
  /// The new indexes of items that stay with new content.
  package let reloaded: [Int]
  /// The old indexes that are in no run, ascending, and how many there are before each range.
  private let gaps: [(items: Range<Int>, first: Int)]
  /// Whether the old indexes of the runs ascend, too.
  private let isOrdered: Bool

  package init(
    before: Int, after: Int, runs: [Stretch], singles: [(from: Int, to: Int)],
    inserted: [Range<Int>],
    reloaded: [Int]
  ) {
    (self.before, self.after) = (before, after)
    (self.runs, self.singles) = (runs, singles)
    (self.inserted, self.reloaded) = (inserted, reloaded)
    let isOrdered = zip(runs, runs.dropFirst()).allSatisfy { $0.from < $1.from }
    self.isOrdered = isOrdered
    var gaps: [(items: Range<Int>, first: Int)] = []
    var (next, left) = (0, 0)
    func leave(_ end: Int) {
      guard next < end else { return }
      gaps.append((next..<end, left))
      left += end - next
    }
    for run in isOrdered ? runs : runs.sorted(by: { $0.from < $1.from }) {
      leave(run.from)
      next = run.from + run.count
    }
    leave(before)
    self.gaps = gaps
  }

  /// The first item that is another one than before; the number of all items if there is none.
  package var firstChange: Int {
    var next = 0
    for run in runs {
      guard run.from == next, run.to == next else { return next }
      next += run.count
    }
    return next
  }

  /// The number of items that are in no run.
  private var leavingCount: Int { gaps.last.map { $0.first + $0.items.count } ?? 0 }

  /// Moves the values of a column that has space for the items before and for those after; the values of
  /// inserted items are undefined.
  ///
  /// - Returns: The values of the items that are in no run, for `restore`.
  /// - Complexity: O(*n*) bytes are moved from the first change on.
  package func move(_ memory: UnsafeMutableRawPointer, stride: Int) -> [UInt8] {
    let left = [UInt8](unsafeUninitializedCapacity: leavingCount * stride) { bytes, count in
      for gap in gaps {
        memcpy(
          bytes.baseAddress! + gap.first * stride, memory + gap.items.lowerBound * stride,
          gap.items.count * stride)
      }
      count = leavingCount * stride
    }
    if isOrdered {
      // No run is moved over another one that is still to be moved.
      for run in runs where run.to < run.from { move(run, memory, memory, stride) }
      for run in runs.reversed() where run.to > run.from { move(run, memory, memory, stride) }
    } else {
      let copy = UnsafeMutableRawPointer.allocate(byteCount: before * stride, alignment: 16)
      memcpy(copy, memory, before * stride)
      for run in runs { move(run, copy, memory, stride) }
      copy.deallocate()
    }
    left.withUnsafeBytes { left in
      for single in singles {
        var (low, high) = (0, gaps.count)
        while high - low > 1 {
          let middle = (low + high) / 2
          if gaps[middle].items.lowerBound <= single.from { low = middle } else { high = middle }
        }
        let gap = gaps[low]
        let place = gap.first + single.from - gap.items.lowerBound
        memcpy(memory + single.to * stride, left.baseAddress! + place * stride, stride)
      }
    }
    return left
  }

  private func move(
    _ run: Stretch, _ source: UnsafeMutableRawPointer, _ target: UnsafeMutableRawPointer,
    _ stride: Int
  ) {
    memmove(target + run.to * stride, source + run.from * stride, run.count * stride)
  }

  /// Copies the values as they were before `move` to other memory.
  package func restore(
    _ memory: UnsafeRawPointer, _ left: [UInt8], stride: Int,
    to target: UnsafeMutableRawPointer
  ) {
    for run in runs {
      memcpy(target + run.from * stride, memory + run.to * stride, run.count * stride)
    }
    left.withUnsafeBytes { left in
      for gap in gaps {
        memcpy(
          target + gap.items.lowerBound * stride, left.baseAddress! + gap.first * stride,
          gap.items.count * stride)
      }
    }
  }
}
