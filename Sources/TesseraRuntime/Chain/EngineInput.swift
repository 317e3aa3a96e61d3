import CTessera
import TesseraCatalog
import TesseraGeometry

/// What the engines of a chain are given, in the memory that they read.
///
/// A worker receives it in a message.
package struct EngineInput {
  package var viewport: Viewport
  package let starts: SectionStarts
  package let settings: [[tessera_value]]
  package let columns: [[ValueMemory?]]
  package let lists: [[ListMemory?]]
  /// Whether the session has set each delegate function.
  package var delegates: [[Bool]]
  /// The sizes of measured elements, and the value that they supply.
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

  /// The part that tells where two inputs differ.
  ///
  /// A session keeps that of the last prepare; engines may read its lists until the next prepare.
  package typealias Data = (
    starts: SectionStarts, columns: [[ValueMemory?]], lists: [[ListMemory?]]
  )

  package var data: Data { (starts, columns, lists) }

  /// The first item at which the counts or values differ from those of an earlier input, and how many of
  /// the last items are known to have those of as many last ones; the section after the last one and all
  /// items if none differ.
  ///
  /// - Parameter measured: The columns of measured sizes.
  /// - Complexity: O(*s* + *v*) for *s* sections and *v* section and item values; O(*n*) in their count
  ///   only if the columns of the earlier input are unknown to the new ones.
  package static func changedItems(
    from old: Data, to new: Data, measured: [SizingColumn] = [], _ chain: [EngineDescription]
  ) -> (first: ItemPath, last: Int) {
    var first = difference(old.starts.counts, new.starts.counts)
    let starts = new.starts.buffer
    let (count, sections) = (new.starts.total, new.starts.counts.count)
    var last = sameAtEnd(old.starts, new.starts)
    /// Limits `last` to what follows values of sections or items, of which some at the end are the same.
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
        // Items of the section may be the first to differ so far; a value of the section is before them.
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
      // The value of a section is before its items.
      let place =
        column.kind == nil
        ? path(of: change, starts: starts) : ItemPath(section: change, item: 0)
      first = min(first, place)
    }
    return (first, last)
  }

  /// The number of items in the last sections that have as many as before.
  private static func sameAtEnd(_ old: SectionStarts, _ new: SectionStarts) -> Int {
    guard old !== new else { return new.total }
    var (before, after) = (old.counts.count, new.counts.count)
    while before > 0, after > 0, old.counts[before - 1] == new.counts[after - 1] {
      (before, after) = (before - 1, after - 1)
    }
    return new.total - Int(new.buffer[after])
  }

  /// The first section whose count differs, and the number of items that it has in both.
  private static func difference(_ old: [Int], _ new: [Int]) -> ItemPath {
    let common = min(old.count, new.count)
    for section in 0..<common where old[section] != new[section] {
      return ItemPath(section: section, item: min(old[section], new[section]))
    }
    return ItemPath(section: common, item: 0)
  }

  private static func path(
    of place: Int, starts: UnsafeMutableBufferPointer<UInt64>
  ) -> ItemPath {
    let next = (0..<starts.count - 1).partitioningIndex { starts[$0] > UInt64(place) }
    let section = max(0, next - 1)
    return ItemPath(section: section, item: place - Int(starts[section]))
  }
}
