import CTessera
import TesseraCatalog
import TesseraGeometry

/// A chain's input, in the memory that engines read; a worker gets it in a message.
package struct EngineInput {
  package var viewport: Viewport
  package let starts: SectionStarts
  package let settings: [[tessera_value]]
  package let columns: [[ValueMemory?]]
  package let lists: [[ListMemory?]]
  package var delegates: [[Bool]]
  package let sizing: [(place: SessionValues.Place, memory: ValueMemory)]

  package init(
    viewport: Viewport = Viewport(), starts: SectionStarts, settings: [[tessera_value]] = [],
    columns: [[ValueMemory?]], lists: [[ListMemory?]], delegates: [[Bool]] = [],
    sizing: [(place: SessionValues.Place, memory: ValueMemory)] = []
  ) {
    (self.viewport, self.starts, self.settings) = (viewport, starts, settings)
    (self.columns, self.lists, self.delegates) = (columns, lists, delegates)
    self.sizing = sizing
  }

  // What `changedItems` compares. Engines may read the last prepare's lists until the next one.
  package typealias Data = (
    starts: SectionStarts, columns: [[ValueMemory?]], lists: [[ListMemory?]]
  )

  package var data: Data { (starts, columns, lists) }

  // The first item that differs from an earlier input (the end if none does), and how many trailing
  // items are known to be equal. O(*s* + *v*) for *s* sections and *v* values; O(*n*) only for
  // columns that weren't made from the earlier ones.
  package static func changedItems(
    from old: Data, to new: Data, measured: [SizingColumn] = [], _ chain: [EngineDescription]
  ) -> (first: ItemPath, last: Int) {
    var first = difference(old.starts.counts, new.starts.counts)
    let starts = new.starts.buffer
    let (count, sections) = (new.starts.total, new.starts.counts.count)
    var last = sameAtEnd(old.starts, new.starts)
    /// Limits `last` to items after the last change, given the number of equal trailing values.
    func keep(_ same: Int, ofItems isOfItems: Bool) {
      last = min(
        last, isOfItems ? same : same >= sections ? count : count - Int(starts[sections - same]))
    }
    for layer in new.columns.indices {
      for index in new.columns[layer].indices {
        let (before, after) = (old.columns[layer][index], new.columns[layer][index])
        guard let before, let after else {
          if before !== after { (first, last) = (ItemPath(section: 0, item: 0), 0) }
          continue
        }
        let value = chain[layer].values[index]
        keep(after.sameAtEnd(since: before), ofItems: value.scope == .item)
        // Include this section's value: it precedes the items.
        let limit =
          value.scope == .section
          ? first.section + (first.item > 0 ? 1 : 0) : Int(starts[first.section]) + first.item
        let place = after.firstChange(since: before, within: limit, stride: value.type.stride)
        guard place < limit else { continue }
        first =
          value.scope == .section
          ? ItemPath(section: place, item: 0) : path(of: place, starts: starts)
      }
    }
    for column in measured {
      guard let change = column.changed?.lowerBound else { continue }
      keep(column.sameAtEnd, ofItems: column.kind == nil)
      let place =
        column.kind == nil
        ? path(of: change, starts: starts) : ItemPath(section: change, item: 0)
      first = min(first, place)
    }
    return (first, last)
  }

  /// Items in trailing sections with unchanged counts.
  private static func sameAtEnd(_ old: SectionStarts, _ new: SectionStarts) -> Int {
    guard old !== new else { return new.total }
    var (before, after) = (old.counts.count, new.counts.count)
    while before > 0, after > 0, old.counts[before - 1] == new.counts[after - 1] {
      (before, after) = (before - 1, after - 1)
    }
    return new.total - Int(new.buffer[after])
  }

  private static func difference(_ old: [Int], _ new: [Int]) -> ItemPath {
    let common = min(old.count, new.count)
    for section in 0..<common where old[section] != new[section] {
      return ItemPath(section: section, item: min(old[section], new[section]))
    }
    return ItemPath(section: common, item: 0)
  }

  private static func path(of place: Int, starts: UnsafeMutableBufferPointer<UInt64>) -> ItemPath {
    let next = (0..<starts.count - 1).partitioningIndex { starts[$0] > UInt64(place) }
    let section = max(0, next - 1)
    return ItemPath(section: section, item: place - Int(starts[section]))
  }
}
