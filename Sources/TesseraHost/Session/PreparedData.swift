import CTessera
import TesseraCatalog
import TesseraRuntime
import TesseraWorker

/// The data that a layout is prepared from.
struct PreparedData {
  let starts: SectionStarts
  let columns: [[ValueMemory?]]
  /// Kept because engines may read the lists of the last prepare until the next one.
  let lists: [[ListMemory?]]

  /// The first item at which the counts or values differ from those of an earlier prepare.
  ///
  /// - Parameter measured: The first item whose measured size changed; nil if none did.
  /// - Complexity: O(*v*) for *v* section and item values; O(*n*) in their count only if the columns of
  ///   the last prepare are unknown to the new ones.
  func firstChange(
    since old: PreparedData, measured: Int?, chain: [EngineDescription]
  ) -> (section: Int, item: Int) {
    var (section, item) = Self.difference(old.starts.counts, starts.counts)
    let starts = starts.buffer
    for layer in columns.indices {
      for index in columns[layer].indices {
        let (before, after) = (old.columns[layer][index], columns[layer][index])
        guard let before, let after else {
          if before !== after { (section, item) = (0, 0) }
          continue
        }
        let value = chain[layer].values[index]
        // Items of the section may be the first to differ so far; a value of the section is before them.
        let limit =
          value.scope == .section ? section + (item > 0 ? 1 : 0) : Int(starts[section]) + item
        let place = after.firstChange(since: before, within: limit, stride: value.type.stride)
        guard place < limit else { continue }
        (section, item) =
          value.scope == .section ? (place, 0) : Self.path(of: place, starts: starts)
      }
    }
    if let measured, measured < Int(starts[section]) + item {
      (section, item) = Self.path(of: measured, starts: starts)
    }
    return (section, item)
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
