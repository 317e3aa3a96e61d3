import CTessera

/// The arguments that every call into the engines of a session has.
package struct CallContext {
  package var viewport: Viewport
  package var change = tessera_change()
  /// The width of the content if the host mirrors the layout; else nil.
  package var mirrorWidth: Double?
  /// The maximum number of rows that an engine's own query returns.
  package var rowLimit = 10_000_000

  package init(
    viewport: Viewport, change: tessera_change = tessera_change(),
    mirrorWidth: Double? = nil, rowLimit: Int = 10_000_000
  ) {
    self.viewport = viewport
    self.change = change
    self.mirrorWidth = mirrorWidth
    self.rowLimit = rowLimit
  }
}

/// The index path of an item: its section, and its number in the section.
public struct ItemPath: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The section, from 0.
  public var section: Int
  /// The item's number in its section, from 0.
  public var item: Int

  /// Creates the index path of an item.
  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }

  /// Whether one index path precedes another: by section, then by item.
  public static func < (left: ItemPath, right: ItemPath) -> Bool {
    left.section != right.section ? left.section < right.section : left.item < right.item
  }
}
