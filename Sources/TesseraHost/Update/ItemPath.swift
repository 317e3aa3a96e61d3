/// The place of an item: its section and its number in it.
public struct ItemPath: Hashable, Comparable, Sendable {
  /// The section, from 0.
  public var section: Int
  /// The item's number in its section, from 0.
  public var item: Int

  /// A place.
  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }

  /// Whether a place comes before another: by section, then by item.
  public static func < (left: ItemPath, right: ItemPath) -> Bool {
    left.section != right.section ? left.section < right.section : left.item < right.item
  }
}
