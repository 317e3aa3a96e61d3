import TesseraCatalog
import TesseraGeometry
import TesseraRuntime
import TesseraWorker

/// A batch of data changes that take effect together, as in a collection view.
///
/// Reloads apply first and move nothing. Then deleted and moved items leave, in descending order;
/// then inserted and moved items arrive, in ascending order. All others keep their order.
///
/// - At most one operation names an old item, or a new place.
/// - Sections are deleted and inserted with their items; only a move can take an item out or in.
/// - Items of a moved section move with it and can't change otherwise, but items can be added.
/// - A reloaded section reloads all items; with another count, the last ones appear or disappear.
///   No other operation can name its items.
///
/// Memory is proportional to operations and sections, not items.
public struct UpdateBatch: Sendable {
  /// The operations as given, or as the comparison found them.
  public let operations: [UpdateOperation]
  /// Item counts before the update.
  public let before: [Int]
  /// Item counts after the update.
  public let after: [Int]

  var items: UpdateRenumbering
  /// Sections as items of section 0.
  var sections: UpdateRenumbering
  /// Old index paths, sorted.
  var reloadedItems: [ItemPath]
  /// Old numbers as items of section 0, sorted.
  var reloadedSections: [ItemPath]

  /// The operations must be valid.
  init(
    _ operations: [UpdateOperation], before: [Int], after: [Int], items: UpdateRenumbering,
    sections: UpdateRenumbering
  ) {
    (self.operations, self.before, self.after) = (operations, before, after)
    (self.items, self.sections) = (items, sections)
    reloadedItems = []
    reloadedSections = []
  }
}

extension UpdateBatch {
  /// Compares identities before and after, by section.
  ///
  /// Sections match by number; surplus ones are deleted or inserted at the end. Items match by
  /// UTF-8 bytes across sections, with as few moves as possible. Operations: item deletions and
  /// section deletions, descending; section insertions; item insertions and moves by new place.
  ///
  /// - Parameter areUnique: Skips the check for duplicates, most of the time if little changed; the
  ///   batch may then pair any duplicate.
  /// - Throws: `.invalidInput` for a duplicate on one side, unless `areUnique`.
  /// - Complexity: O(*n*), plus O(*m* log *m*) for *m* items outside of common runs.
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
    for change in diff.sections.arrivals { operations.append(.insertSection(change.place.item)) }
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
/// Deletes, reloads and move origins use old numbers, inserts and move targets new ones.
public enum UpdateOperation: Hashable, Sendable {
  case insert(ItemPath)
  case delete(ItemPath)
  case move(ItemPath, to: ItemPath)
  /// The item stays the same element.
  case reload(ItemPath)
  /// With its items, except items that move in.
  case insertSection(Int)
  /// With its items, except items that move out.
  case deleteSection(Int)
  case moveSection(Int, to: Int)
  /// All its items; their number can change.
  case reloadSection(Int)
}

struct UpdateChange: Equatable, Sendable {
  let place: ItemPath
  /// Section -1 for nil: a large batch has millions, and an optional is larger.
  private let packed: ItemPath

  init(_ place: ItemPath, counterpart: ItemPath? = nil) {
    self.place = place
    packed = counterpart ?? ItemPath(section: -1, item: 0)
  }

  /// Where it moves to or comes from; nil if deleted or inserted.
  var counterpart: ItemPath? { packed.section < 0 ? nil : packed }
}

// Departures and arrivals, sorted by place without duplicates. Everything else keeps its order.
struct UpdateRenumbering: Equatable, Sendable {
  var departures: [UpdateChange] = []
  var arrivals: [UpdateChange] = []

  /// For an item that doesn't leave; `section` is the new number.
  func destination(of old: ItemPath, in section: Int) -> ItemPath {
    Self.follow(old, without: departures, into: section, with: arrivals)
  }

  /// For an item that doesn't arrive; `section` is the old number.
  func origin(of new: ItemPath, in section: Int) -> ItemPath {
    Self.follow(new, without: arrivals, into: section, with: departures)
  }

  private static func follow(
    _ place: ItemPath, without leaving: [UpdateChange], into section: Int,
    with entering: [UpdateChange]
  ) -> ItemPath {
    let rank = place.item - leaving.count(inSectionBefore: place)
    let start = entering.position(of: ItemPath(section: section, item: 0))
    // (place - k) staying items precede the k-th entry: this never decreases with k.
    let end = (start..<entering.count).partitioningIndex {
      entering[$0].place.section != section || entering[$0].place.item - ($0 - start) > rank
    }
    return ItemPath(section: section, item: rank + (end - start))
  }
}

extension [UpdateChange] {
  func position(of place: ItemPath) -> Int { indices.partitioningIndex { self[$0].place >= place } }

  func change(at place: ItemPath) -> UpdateChange? {
    let index = position(of: place)
    return index < count && self[index].place == place ? self[index] : nil
  }

  func count(inSectionBefore place: ItemPath) -> Int {
    position(of: place) - position(of: ItemPath(section: place.section, item: 0))
  }

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
  /// Returns an item's new index path in O(log *k*); nil if deleted or unknown.
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

  /// Returns an item's old index path in O(log *k*); nil if inserted or unknown.
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

  /// Returns a section's new number; nil if deleted or unknown.
  ///
  /// - Complexity: O(log *k*) for *k* operations.
  public func destination(ofSection old: Int) -> Int? {
    guard before.indices.contains(old) else { return nil }
    let place = ItemPath(section: 0, item: old)
    if let change = sections.departures.change(at: place) { return change.counterpart?.item }
    return sections.destination(of: place, in: 0).item
  }

  /// Returns a section's old number; nil if inserted or unknown.
  ///
  /// - Complexity: O(log *k*) for *k* operations.
  public func origin(ofSection new: Int) -> Int? {
    guard after.indices.contains(new) else { return nil }
    let place = ItemPath(section: 0, item: new)
    if let change = sections.arrivals.change(at: place) { return change.counterpart?.item }
    return sections.origin(of: place, in: 0).item
  }

  /// Whether an old item remains, with new content.
  ///
  /// - Complexity: O(log *k*) for *k* operations.
  public func isReloaded(_ old: ItemPath) -> Bool {
    if reloadedItems.hasSorted(old) { return true }
    return isSectionReloaded(old.section) && destination(of: old) != nil
  }

  /// Whether an old section is reloaded as a whole.
  ///
  /// - Complexity: O(log *k*) for *k* operations.
  public func isSectionReloaded(_ old: Int) -> Bool {
    reloadedSections.hasSorted(ItemPath(section: 0, item: old))
  }
}
