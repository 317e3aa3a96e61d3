import TesseraCatalog
import TesseraRuntime
import TesseraWorker

/// A batch of changes of the data: where each section and item moves to, and where it comes from.
///
/// The operations take effect together, as in a collection view. Reloads are applied first and move
/// nothing. Then deleted and moved items leave their old places, in descending order; then inserted
/// and moved items arrive at their new places, in ascending order. All others keep their order.
///
/// - At most one operation names an item of the old data, or a place in the new data.
/// - The items of a deleted section are deleted with it, and those of an inserted section are
///   inserted with it; only a move can take an item out of the one or into the other.
/// - The items of a moved section move with it: they cannot also be deleted, moved or reloaded, but
///   other items can be added among them.
/// - A reloaded section keeps its place, and all its items are reloaded. If it has fewer items than
///   before, the last ones disappear; if it has more, the last ones appear. No other operation can
///   name its items.
///
/// The memory used is proportional to the operations and sections, not to the items.
public struct UpdateBatch: Sendable {
  /// The operations, in the given order or in the order of the comparison that found them.
  public let operations: [UpdateOperation]
  /// The number of items in each section before the update.
  public let before: [Int]
  /// The number of items in each section after the update.
  public let after: [Int]

  var items: UpdateRenumbering
  /// The changes of sections, represented as items of section 0.
  var sections: UpdateRenumbering
  /// The reloaded items by their old index paths, sorted.
  var reloadedItems: [ItemPath]
  /// The reloaded sections by their old numbers, represented as items of section 0, sorted.
  var reloadedSections: [ItemPath]

  /// Creates a batch that is known to be valid.
  init(
    _ operations: [UpdateOperation], before: [Int], after: [Int], items: UpdateRenumbering,
    sections: UpdateRenumbering
  ) {
    self.operations = operations
    self.before = before
    self.after = after
    self.items = items
    self.sections = sections
    reloadedItems = []
    reloadedSections = []
  }
}

extension UpdateBatch {
  /// Computes the batch that changes identities into others, given for each section.
  ///
  /// Sections are matched by number; surplus sections are deleted or inserted at the end. Items are
  /// matched by identity across all sections; identities are equal if their UTF-8 bytes are. As few
  /// items as possible move: of the items that keep their section, the longest sequence in the same
  /// order stays. The operations are first the deletions of items and of sections, in descending
  /// order, then the insertions of sections, then the insertions and moves of items by new place.
  ///
  /// - Parameter areUnique: Whether you know that no identity occurs twice before or twice after; this
  ///   saves most of the time if little changed. If one does, the batch is still valid, but may pair
  ///   any of its items.
  /// - Throws: `.invalidInput` for an identity that occurs twice before or twice after, unless
  ///   `areUnique`.
  /// - Complexity: O(*n*) for *n* items, plus O(*m* log *m*) for the *m* items that are not in runs
  ///   common to both sides.
  public init(
    from before: [[String]], to after: [[String]], areUnique: Bool = false
  ) throws(HostError) {
    let diff = try Diff(before, after, areUnique: areUnique)
    var operations: [UpdateOperation] = []
    operations.reserveCapacity(diff.items.departures.count + diff.items.arrivals.count)
    for change in diff.items.departures.reversed() where change.counterpart == nil {
      operations.append(.delete(change.place))
    }
    for change in diff.sections.departures.reversed() {
      operations.append(.deleteSection(change.place.item))
    }
    for change in diff.sections.arrivals {
      operations.append(.insertSection(change.place.item))
    }
    for change in diff.items.arrivals {
      operations.append(
        change.counterpart.map { .move($0, to: change.place) } ?? .insert(change.place))
    }
    self.init(
      operations, before: before.map(\.count), after: after.map(\.count), items: diff.items,
      sections: diff.sections)
  }
}

/// A change of the data.
///
/// Deletes, reloads and the origins of moves use the numbers before the whole batch; inserts and the
/// targets of moves use the numbers after it.
public enum UpdateOperation: Hashable, Sendable {
  /// Inserts an item at a place of the new data.
  case insert(ItemPath)
  /// Deletes an item of the old data.
  case delete(ItemPath)
  /// Moves an item of the old data to a place of the new data.
  case move(ItemPath, to: ItemPath)
  /// Reloads the content of an item of the old data; it remains the same element.
  case reload(ItemPath)
  /// Inserts a section with all its items, except items that move into it.
  case insertSection(Int)
  /// Deletes a section with all its items, except items that move out of it.
  case deleteSection(Int)
  /// Moves a section of the old data, with its items, to a place of the new data.
  case moveSection(Int, to: Int)
  /// Reloads all items of a section of the old data; their number can change.
  case reloadSection(Int)
}

/// An item or section that leaves its old place or arrives at its new place.
struct UpdateChange: Equatable, Sendable {
  let place: ItemPath
  /// The counterpart, or section -1 for none: a large batch holds millions, and an optional is larger.
  private let packed: ItemPath

  init(_ place: ItemPath, counterpart: ItemPath? = nil) {
    self.place = place
    packed = counterpart ?? ItemPath(section: -1, item: 0)
  }

  /// The place that it moves to or comes from; nil if it is deleted or inserted.
  var counterpart: ItemPath? { packed.section < 0 ? nil : packed }
}

/// How places change: the departures and the arrivals, each sorted by place without duplicates.
///
/// Everything else keeps its order, so its new place follows from its rank.
struct UpdateRenumbering: Equatable, Sendable {
  var departures: [UpdateChange] = []
  var arrivals: [UpdateChange] = []

  /// The new place of an item that does not leave, if `section` is the new number of its section.
  func destination(of old: ItemPath, in section: Int) -> ItemPath {
    Self.follow(old, without: departures, into: section, with: arrivals)
  }

  /// The old place of an item that does not arrive, if `section` is the old number of its section.
  func origin(of new: ItemPath, in section: Int) -> ItemPath {
    Self.follow(new, without: arrivals, into: section, with: departures)
  }

  private static func follow(
    _ place: ItemPath, without leaving: [UpdateChange], into section: Int,
    with entering: [UpdateChange]
  ) -> ItemPath {
    let rank = place.item - leaving.count(inSectionBefore: place)
    let start = entering.position(of: ItemPath(section: section, item: 0))
    // Before the k-th entry there are (its place - k) items that stay, which never decreases with k.
    let end = entering.partition(from: start) {
      $0.place.section == section && $0.place.item - ($1 - start) <= rank
    }
    return ItemPath(section: section, item: rank + (end - start))
  }
}

extension [UpdateChange] {
  /// The first index from `start` at which a predicate is false that is true for all indices before.
  @inline(__always)
  func partition(from start: Int, where holds: (UpdateChange, Int) -> Bool) -> Int {
    var low = start
    var high = count
    while low < high {
      let middle = low + (high - low) / 2
      if holds(self[middle], middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The number of changes before a place.
  func position(of place: ItemPath) -> Int {
    partition(from: 0) { change, _ in change.place < place }
  }

  /// The change at a place.
  func change(at place: ItemPath) -> UpdateChange? {
    let index = position(of: place)
    return index < count && self[index].place == place ? self[index] : nil
  }

  /// The number of changes before a place in its section.
  func count(inSectionBefore place: ItemPath) -> Int {
    position(of: place) - position(of: ItemPath(section: place.section, item: 0))
  }

  /// The number of changes in a section.
  func count(inSection section: Int) -> Int {
    let start = position(of: ItemPath(section: section, item: 0))
    return partition(from: start) { change, _ in change.place.section == section } - start
  }
}

extension [ItemPath] {
  /// Whether a sorted array contains a place.
  func hasSorted(_ place: ItemPath) -> Bool {
    var low = 0
    var high = count
    while low < high {
      let middle = low + (high - low) / 2
      if self[middle] < place { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low] == place
  }
}

extension UpdateBatch {
  /// Returns the new index path of an item; nil if it is deleted or does not exist.
  ///
  /// - Complexity: O(log *k*) for *k* operations.
  public func destination(of old: ItemPath) -> ItemPath? {
    guard before.indices.contains(old.section), old.item >= 0, old.item < before[old.section]
    else { return nil }
    if let change = items.departures.change(at: old) { return change.counterpart }
    guard let section = destination(ofSection: old.section) else { return nil }
    if isSectionReloaded(old.section) {
      return old.item < after[section] ? ItemPath(section: section, item: old.item) : nil
    }
    return items.destination(of: old, in: section)
  }

  /// Returns the old index path of an item; nil if it is inserted or does not exist.
  ///
  /// - Complexity: O(log *k*) for *k* operations.
  public func origin(of new: ItemPath) -> ItemPath? {
    guard after.indices.contains(new.section), new.item >= 0, new.item < after[new.section]
    else { return nil }
    if let change = items.arrivals.change(at: new) { return change.counterpart }
    guard let section = origin(ofSection: new.section) else { return nil }
    if isSectionReloaded(section) {
      return new.item < before[section] ? ItemPath(section: section, item: new.item) : nil
    }
    return items.origin(of: new, in: section)
  }

  /// Returns the new number of a section; nil if it is deleted or does not exist.
  ///
  /// - Complexity: O(log *k*) for *k* operations.
  public func destination(ofSection old: Int) -> Int? {
    guard before.indices.contains(old) else { return nil }
    let place = ItemPath(section: 0, item: old)
    if let change = sections.departures.change(at: place) { return change.counterpart?.item }
    return sections.destination(of: place, in: 0).item
  }

  /// Returns the old number of a section; nil if it is inserted or does not exist.
  ///
  /// - Complexity: O(log *k*) for *k* operations.
  public func origin(ofSection new: Int) -> Int? {
    guard after.indices.contains(new) else { return nil }
    let place = ItemPath(section: 0, item: new)
    if let change = sections.arrivals.change(at: place) { return change.counterpart?.item }
    return sections.origin(of: place, in: 0).item
  }

  /// Whether an item of the old data remains, with new content.
  ///
  /// An item that a reloaded section no longer has is deleted, not reloaded.
  ///
  /// - Complexity: O(log *k*) for *k* operations.
  public func isReloaded(_ old: ItemPath) -> Bool {
    if reloadedItems.hasSorted(old) { return true }
    return isSectionReloaded(old.section) && destination(of: old) != nil
  }

  /// Whether a section of the old data is reloaded as a whole.
  ///
  /// - Complexity: O(log *k*) for *k* operations.
  public func isSectionReloaded(_ old: Int) -> Bool {
    reloadedSections.hasSorted(ItemPath(section: 0, item: old))
  }
}

extension UpdateBatch {
  /// Where each item goes, by its index among those of all sections.
  ///
  /// - Complexity: O(*k* + *s*) for *k* operations and *s* sections.
  var moves: ItemMoves {
    func starts(_ counts: [Int]) -> [Int] {
      var total = 0
      return counts.map { count in
        defer { total += count }
        return total
      }
    }
    let (old, new) = (starts(before), starts(after))
    var runs: [ItemMoves.Stretch] = []
    var singles: [(from: Int, to: Int)] = []
    var inserted: [Range<Int>] = []
    var reloaded = reloadedItems.compactMap { place in
      destination(of: place).map { new[$0.section] + $0.item }
    }
    func run(_ from: Int, _ to: Int, _ count: Int) {
      guard count > 0 else { return }
      if let last = runs.last, last.from + last.count == from, last.to + last.count == to {
        runs[runs.count - 1].count += count
      } else {
        runs.append((from, to, count))
      }
    }
    func insert(_ items: Range<Int>) {
      guard !items.isEmpty else { return }
      if let last = inserted.last, last.upperBound == items.lowerBound {
        inserted[inserted.count - 1] = last.lowerBound..<items.upperBound
      } else {
        inserted.append(items)
      }
    }
    for section in after.indices {
      let (start, count) = (new[section], after[section])
      let source = origin(ofSection: section)
      if let source, isSectionReloaded(source) {
        let staying = min(before[source], count)
        run(old[source], start, staying)
        reloaded += start..<start + staying
        insert(start + staying..<start + count)
        continue
      }
      var arrival = items.arrivals.position(of: ItemPath(section: section, item: 0))
      var departure =
        source.map { items.departures.position(of: ItemPath(section: $0, item: 0)) } ?? 0
      var (from, to) = (0, 0)
      while to < count {
        let next =
          arrival < items.arrivals.count && items.arrivals[arrival].place.section == section
          ? items.arrivals[arrival] : nil
        if let next, next.place.item == to {
          if let other = next.counterpart {
            singles.append((old[other.section] + other.item, start + to))
          } else {
            insert(start + to..<start + to + 1)
          }
          (arrival, to) = (arrival + 1, to + 1)
          continue
        }
        let end = next?.place.item ?? count
        guard let source else {
          insert(start + to..<start + end)
          to = end
          continue
        }
        let leaving =
          departure < items.departures.count
            && items.departures[departure].place.section == source
          ? items.departures[departure].place.item : before[source]
        if leaving == from, leaving < before[source] {
          (departure, from) = (departure + 1, from + 1)
          continue
        }
        let length = min(end - to, leaving - from)
        run(old[source] + from, start + to, length)
        (from, to) = (from + length, to + length)
      }
    }
    return ItemMoves(
      before: before.total, after: after.total, runs: runs, singles: singles,
      inserted: inserted, reloaded: reloaded)
  }
}
