import CTessera

/// One change of the data, as a layout that shapes updates is told of it.
public enum Update: Equatable, Sendable {
  /// A new item, by its place in the new data.
  case insertItem(ItemPlace)
  /// An item of the old data that disappears.
  case deleteItem(ItemPlace)
  /// An item of the old data that takes a place of the new.
  case moveItem(ItemPlace, to: ItemPlace)
  /// An item of the old data with new content.
  case reloadItem(ItemPlace)
  /// A new section with its items, by its number in the new data.
  case insertSection(Int)
  /// A section of the old data that disappears with its items.
  case deleteSection(Int)
  /// A section of the old data that takes a place among the new ones.
  case moveSection(Int, to: Int)
  /// A section of the old data with new content.
  case reloadSection(Int)

  /// Nil for an operation that this version does not know.
  init?(_ update: tessera_update) {
    let origin = ItemPlace(
      section: Int(update.from_section), item: Int(clamping: update.from_item))
    let target = ItemPlace(section: Int(update.to_section), item: Int(clamping: update.to_item))
    switch update.operation {
    case TESSERA_INSERT_ITEM: self = .insertItem(target)
    case TESSERA_DELETE_ITEM: self = .deleteItem(origin)
    case TESSERA_MOVE_ITEM: self = .moveItem(origin, to: target)
    case TESSERA_RELOAD_ITEM: self = .reloadItem(origin)
    case TESSERA_INSERT_SECTION: self = .insertSection(target.section)
    case TESSERA_DELETE_SECTION: self = .deleteSection(origin.section)
    case TESSERA_MOVE_SECTION: self = .moveSection(origin.section, to: target.section)
    case TESSERA_RELOAD_SECTION: self = .reloadSection(origin.section)
    default: return nil
    }
  }
}

/// Where an item is: its section, and its place there.
public struct ItemPlace: Hashable, Sendable {
  /// The number of the section.
  public var section: Int
  /// The item's place within the section.
  public var item: Int

  /// A place by its two numbers.
  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }
}
