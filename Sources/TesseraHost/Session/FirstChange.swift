import CTessera
import Glibc
import TesseraCatalog
import TesseraRuntime
import TesseraWorker

/// The first item at which the counts or values differ from those of the last successful prepare.
struct FirstChange {
  /// The data that a layout is prepared from.
  struct Data {
    let starts: SectionStarts
    let columns: [[ValueMemory?]]
  }

  let section: UInt32
  let item: UInt64

  /// Compares two states of a chain's data.
  ///
  /// - Parameter measured: The first item whose measured size changed; nil if none did.
  /// - Complexity: O(*n*) for the values before the first difference; columns in the same memory are
  ///   not compared.
  init(from old: Data, to new: Data, measured: Int?, chain: [EngineDescription]) {
    var (section, item) = Self.difference(old.starts.counts, new.starts.counts)
    for (layer, engine) in chain.enumerated() {
      for (index, value) in engine.values.enumerated() {
        let (before, after) = (old.columns[layer][index], new.columns[layer][index])
        guard before !== after else { continue }
        guard let before, let after else {
          (section, item) = (0, 0)
          continue
        }
        let starts = new.starts.buffer
        // Items of the section may be the first to differ so far; a value of the section is before them.
        let limit =
          value.scope == .section ? section + (item > 0 ? 1 : 0) : Int(starts[section]) + item
        let place = before.firstDifference(from: after, within: limit, stride: value.type.stride)
        guard place < limit else { continue }
        (section, item) =
          value.scope == .section ? (place, 0) : Self.path(of: place, starts: starts)
      }
    }
    if let measured, measured < Int(new.starts.buffer[section]) + item {
      (section, item) = Self.path(of: measured, starts: new.starts.buffer)
    }
    self.section = UInt32(section)
    self.item = UInt64(item)
  }

  /// The first section whose count differs, and the number of items that it has in both.
  private static func difference(_ old: [Int], _ new: [Int]) -> (Int, Int) {
    let common = min(old.count, new.count)
    for section in 0..<common where old[section] != new[section] {
      return (section, min(old[section], new[section]))
    }
    return (common, 0)
  }

  private static func path(
    of place: Int, starts: UnsafeMutableBufferPointer<UInt64>
  ) -> (Int, Int) {
    var (low, high) = (0, starts.count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= UInt64(place) { low = middle } else { high = middle }
    }
    return (low, place - Int(starts[low]))
  }
}

extension ValueMemory {
  /// The first index below `limit` at which two columns of the same type differ; `limit` if they do
  /// not.
  func firstDifference(from other: ValueMemory, within limit: Int, stride: Int) -> Int {
    guard let own = column.data, let theirs = other.column.data, limit > 0 else { return limit }
    if column.stride == 0, other.column.stride == 0 {
      return memcmp(own, theirs, stride) == 0 ? limit : 0
    }
    guard column.stride == other.column.stride else { return 0 }
    // Compare blocks first, then the values of the block that differs.
    let block = 4096
    var start = 0
    while start < limit {
      let count = min(block, limit - start)
      if memcmp(own + start * stride, theirs + start * stride, count * stride) != 0 {
        for place in start..<start + count
        where memcmp(own + place * stride, theirs + place * stride, stride) != 0 {
          return place
        }
      }
      start += count
    }
    return limit
  }
}
