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
