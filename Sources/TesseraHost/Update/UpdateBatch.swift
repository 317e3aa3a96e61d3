import TesseraCatalog
import TesseraGeometry
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
    let end = (start..<entering.count).partitioningIndex {
      entering[$0].place.section != section || entering[$0].place.item - ($0 - start) > rank
    }
    return ItemPath(section: section, item: rank + (end - start))
  }
}

extension [UpdateChange] {
  /// The number of changes before a place.
  func position(of place: ItemPath) -> Int {
    indices.partitioningIndex { self[$0].place >= place }
  }

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
    return (start..<count).partitioningIndex { self[$0].place.section != section } - start
  }
}

extension [ItemPath] {
  func hasSorted(_ place: ItemPath) -> Bool {
    let index = indices.partitioningIndex { self[$0] >= place }
    return index < count && self[index] == place
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
