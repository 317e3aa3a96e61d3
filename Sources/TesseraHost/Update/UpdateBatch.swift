import TesseraCatalog
import TesseraRuntime
import TesseraWorker

/// A change of the data as a whole: where each section and item goes, and where each comes from.
///
/// The operations take effect together, as in a collection view. Reloads come first and move
/// nothing. Then what is deleted or moved leaves, by its old number, the last first; then what is
/// inserted or moved arrives, by its new number, the first first. What is not named keeps its order.
///
/// - An item of the old data, and a place of the new, is named by one operation at most.
/// - The items of a deleted section go with it, those of an inserted one come with it; only moves
///   may take an item out of the one or into the other.
/// - The items of a moved section travel with it: none is deleted, moved or reloaded besides, but
///   others may arrive among them.
/// - A reloaded section stays, and each of its items with it, reloaded; where it has fewer items
///   than before the last ones disappear, where it has more the last ones appear. No other operation
///   names its items.
///
/// Memory: in proportion to the operations and sections, never to the items.
public struct UpdateBatch: Sendable {
  /// The operations, as they were given or in the order in which the comparison gives them.
  public let operations: [UpdateOperation]
  /// How many items each section has before.
  public let before: [Int]
  /// How many items each section has after.
  public let after: [Int]

  let items: UpdateRenumbering
  /// Sections, as items of a section 0.
  let sections: UpdateRenumbering
  /// In the old numbering, sorted.
  let reloadedItems: [ItemPath]
  /// In the old numbering, as items of a section 0, sorted.
  let reloadedSections: [ItemPath]

  /// A batch of operations between two data with so many items in each section.
  ///
  /// Errors: `.invalidInput` for a negative count, a place that does not exist, operations that
  /// contradict each other, and counts that do not add up; nothing else has then happened.
  /// Complexity: k log k for k operations, and log k for each section.
  public init(
    _ operations: [UpdateOperation], before: [Int], after: [Int]
  ) throws(HostError) {
    var check = UpdateCheck(before: before, after: after)
    try check.checkSizes()
    for operation in operations { try check.add(operation) }
    check.sort()
    try check.checkContradictions()
    try check.checkCounts()
    self.init(
      operations, before: before, after: after, items: check.items, sections: check.sections,
      reloadedItems: check.reloadedItems, reloadedSections: check.reloadedSections)
  }

  /// A batch that is known to be right.
  init(
    _ operations: [UpdateOperation], before: [Int], after: [Int], items: UpdateRenumbering,
    sections: UpdateRenumbering, reloadedItems: [ItemPath] = [], reloadedSections: [ItemPath] = []
  ) {
    self.operations = operations
    self.before = before
    self.after = after
    self.items = items
    self.sections = sections
    self.reloadedItems = reloadedItems
    self.reloadedSections = reloadedSections
  }
}

/// One change of the data.
///
/// What is deleted, reloaded or moved away is numbered as before the whole batch; what is inserted,
/// and where something moves to, is numbered as after it.
public enum UpdateOperation: Equatable, Sendable {
  /// A new item appears at a place of the new data.
  case insert(ItemPath)
  /// An item of the old data disappears.
  case delete(ItemPath)
  /// An item of the old data takes a place of the new.
  case move(ItemPath, to: ItemPath)
  /// An item of the old data has new content; it stays the same element.
  case reload(ItemPath)
  /// A new section appears, with all the items that do not move into it.
  case insertSection(Int)
  /// A section of the old data disappears, with all the items that do not move out of it.
  case deleteSection(Int)
  /// A section of the old data takes a place among the new, and its items travel with it.
  case moveSection(Int, to: Int)
  /// All items of a section of the old data have new content, and their number may change.
  case reloadSection(Int)
}

extension UpdateCheck {
  /// Refuses counts before and after that the operations do not lead from and to.
  func checkCounts() throws(HostError) {
    let deleted = sections.departures.count
    let inserted = sections.arrivals.count
    // Places are distinct and in range, so neither side is negative and nothing overflows.
    guard before.count - deleted == after.count - inserted else {
      throw HostError(
        .invalidInput,
        "there are \(Self.counted(before.count, "section")) before the update and "
          + "\(Self.counted(after.count, "section")) after it, but the operations lead to "
          + "\(before.count - deleted + inserted); insert or delete the sections that differ")
    }
    for section in after.indices { try checkCount(of: section) }
  }

  private func checkCount(of section: Int) throws(HostError) {
    let place = Self.place(section)
    var origin = sections.origin(of: place, in: 0)
    if let arrival = sections.arrivals.change(at: place) {
      guard let counterpart = arrival.counterpart else { return }
      origin = counterpart
    }
    guard !reloadedSections.hasSorted(origin) else { return }
    let old = before[origin.item]
    let staying = old - items.departures.count(inSection: origin.item)
    let arriving = items.arrivals.count(inSection: section)
    guard staying != after[section] - arriving else { return }
    let expected = staying.addingReportingOverflow(arriving)
    let name = origin.item == section ? "" : " (section \(origin.item) before)"
    throw HostError(
      .invalidInput,
      "section \(section)\(name) has \(Self.counted(old, "item")) before the update and "
        + "\(Self.counted(after[section], "item")) after it, but the operations lead to "
        + "\(expected.overflow ? Int.max : expected.partialValue); insert or delete the items that "
        + "differ")
  }
}

/// One thing that leaves its place, or arrives at one.
struct UpdateChange: Equatable, Sendable {
  let place: ItemPath
  /// Packed, because a large batch holds millions: section -1 says that there is none.
  private let packed: ItemPath

  init(_ place: ItemPath, counterpart: ItemPath? = nil) {
    self.place = place
    packed = counterpart ?? ItemPath(section: -1, item: 0)
  }

  /// The place that it moves to or comes from; nil where it is deleted or inserted.
  var counterpart: ItemPath? { packed.section < 0 ? nil : packed }
}

/// How places change: what leaves and what arrives, each sorted by place, none twice.
///
/// What neither leaves nor arrives keeps its order, so its new place is found from ranks alone.
struct UpdateRenumbering: Equatable, Sendable {
  var departures: [UpdateChange] = []
  var arrivals: [UpdateChange] = []

  /// Where an item that does not leave goes, when its section becomes `section`.
  func destination(of old: ItemPath, in section: Int) -> ItemPath {
    Self.follow(old, without: departures, into: section, with: arrivals)
  }

  /// Where an item that does not arrive comes from, when its section was `section`.
  func origin(of new: ItemPath, in section: Int) -> ItemPath {
    Self.follow(new, without: arrivals, into: section, with: departures)
  }

  private static func follow(
    _ place: ItemPath, without leaving: [UpdateChange], into section: Int,
    with entering: [UpdateChange]
  ) -> ItemPath {
    let rank = place.item - leaving.count(inSectionBefore: place)
    let start = entering.position(of: ItemPath(section: section, item: 0))
    // The k-th entering thing has place - k survivors before it, which never decreases with k.
    let end = entering.partition(from: start) {
      $0.place.section == section && $0.place.item - ($1 - start) <= rank
    }
    return ItemPath(section: section, item: rank + (end - start))
  }
}

extension [UpdateChange] {
  /// The first index from `start` for which the predicate, true first and then false, is false.
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

  /// How many changes come before a place.
  func position(of place: ItemPath) -> Int {
    partition(from: 0) { change, _ in change.place < place }
  }

  /// The change at a place.
  func change(at place: ItemPath) -> UpdateChange? {
    let index = position(of: place)
    return index < count && self[index].place == place ? self[index] : nil
  }

  /// How many changes of the place's section come before it.
  func count(inSectionBefore place: ItemPath) -> Int {
    position(of: place) - position(of: ItemPath(section: place.section, item: 0))
  }

  /// How many changes a section has.
  func count(inSection section: Int) -> Int {
    let start = position(of: ItemPath(section: section, item: 0))
    return partition(from: start) { change, _ in change.place.section == section } - start
  }
}

extension [ItemPath] {
  /// Whether a sorted array has a place.
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
  /// Where an item of the old data is in the new; nil where it is deleted or does not exist.
  ///
  /// Complexity: log k for k operations.
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

  /// Where an item of the new data was in the old; nil where it is inserted or does not exist.
  ///
  /// Complexity: log k for k operations.
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

  /// Where a section of the old data is in the new; nil where it is deleted or does not exist.
  ///
  /// Complexity: log k for k operations.
  public func destination(ofSection old: Int) -> Int? {
    guard before.indices.contains(old) else { return nil }
    let place = ItemPath(section: 0, item: old)
    if let change = sections.departures.change(at: place) { return change.counterpart?.item }
    return sections.destination(of: place, in: 0).item
  }

  /// Where a section of the new data was in the old; nil where it is inserted or does not exist.
  ///
  /// Complexity: log k for k operations.
  public func origin(ofSection new: Int) -> Int? {
    guard after.indices.contains(new) else { return nil }
    let place = ItemPath(section: 0, item: new)
    if let change = sections.arrivals.change(at: place) { return change.counterpart?.item }
    return sections.origin(of: place, in: 0).item
  }

  /// Whether an item of the old data is still there after, with new content.
  ///
  /// An item that a reloaded section no longer has is deleted, not reloaded.
  /// Complexity: log k for k operations.
  public func isReloaded(_ old: ItemPath) -> Bool {
    if reloadedItems.hasSorted(old) { return true }
    return isSectionReloaded(old.section) && destination(of: old) != nil
  }

  /// Whether a section of the old data is reloaded as a whole.
  ///
  /// Complexity: log k for k operations.
  public func isSectionReloaded(_ old: Int) -> Bool {
    reloadedSections.hasSorted(ItemPath(section: 0, item: old))
  }
}
