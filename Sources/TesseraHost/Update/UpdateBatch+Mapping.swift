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
