import CTessera
public import TesseraGeometry

/// A layout that decides how elements appear and disappear in a batch update.
///
/// For one batch of changes the host prepares with the old data, calls `begin`, prepares with the
/// new data, calls `initialAttributes` and `finalAttributes` if elements appear or disappear, and
/// then `end`, even if a call between them failed. The base is called first, and each layout sees
/// the output of the one before. By default each method does nothing.
public protocol UpdatingLayout: Layout {
  /// The data are about to change.
  ///
  /// - Parameters:
  ///   - updates: The changes; deletions and origins of moves use the old numbering, insertions and
  ///     targets of moves the new one.
  ///   - input: Holds the old data.
  /// - Throws: Why the batch is impossible; it is then not applied.
  func begin(_ updates: [Update], _ input: Input) throws(LayoutFailure)

  /// Sets where appearing elements start.
  ///
  /// - Parameters:
  ///   - input: Holds the new data.
  ///   - output: Holds the elements as they will be, with alpha 0; all built-in columns exist and
  ///     can be changed. No elements can be added.
  func initialAttributes(_ input: Input, into output: Output) throws(LayoutFailure)

  /// Sets where disappearing elements end.
  ///
  /// - Parameters:
  ///   - input: Holds the new data.
  ///   - output: Holds the elements as they were, in the old numbering, with alpha 0; as for
  ///     `initialAttributes`.
  func finalAttributes(_ input: Input, into output: Output) throws(LayoutFailure)

  /// The batch is over.
  func end()
}

extension UpdatingLayout {
  /// Does nothing.
  public func begin(_ updates: [Update], _ input: Input) throws(LayoutFailure) {}
  /// Leaves the elements as they are: they fade in.
  public func initialAttributes(_ input: Input, into output: Output) throws(LayoutFailure) {}
  /// Leaves the elements as they are: they fade out.
  public func finalAttributes(_ input: Input, into output: Output) throws(LayoutFailure) {}
  /// Does nothing.
  public func end() {}
}

/// One change of the data in a batch update.
public enum Update: Equatable, Sendable {
  /// A new item, by its index in the new data.
  case insertItem(ItemPlace)
  /// An item of the old data that disappears.
  case deleteItem(ItemPlace)
  /// An item of the old data that moves to an index of the new.
  case moveItem(ItemPlace, to: ItemPlace)
  /// An item of the old data with new content.
  case reloadItem(ItemPlace)
  /// A new section with its items, by its number in the new data.
  case insertSection(Int)
  /// A section of the old data that disappears with its items.
  case deleteSection(Int)
  /// A section of the old data that moves to a number in the new data.
  case moveSection(Int, to: Int)
  /// A section of the old data with new content.
  case reloadSection(Int)

  /// Nil for an operation that this version does not know.
  init?(_ update: tessera_update) {
    let origin = ItemPlace(
      section: Int(update.from_section), item: Int(clamping: update.from_item))
    let target = ItemPlace(section: Int(update.to_section), item: Int(clamping: update.to_item))
    switch update.operation {
    case TESSERA_OPERATION_INSERT_ITEM: self = .insertItem(target)
    case TESSERA_OPERATION_DELETE_ITEM: self = .deleteItem(origin)
    case TESSERA_OPERATION_MOVE_ITEM: self = .moveItem(origin, to: target)
    case TESSERA_OPERATION_RELOAD_ITEM: self = .reloadItem(origin)
    case TESSERA_OPERATION_INSERT_SECTION: self = .insertSection(target.section)
    case TESSERA_OPERATION_DELETE_SECTION: self = .deleteSection(origin.section)
    case TESSERA_OPERATION_MOVE_SECTION: self = .moveSection(origin.section, to: target.section)
    case TESSERA_OPERATION_RELOAD_SECTION: self = .reloadSection(origin.section)
    default: return nil
    }
  }
}

/// The index path of an item: its section, and its index there.
public struct ItemPlace: Hashable, Sendable {
  /// The number of the section.
  public var section: Int
  /// The item's index within the section.
  public var item: Int

  /// Creates an index path from its two numbers.
  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }
}

/// A layout whose elements can be sized by their content.
///
/// The host supplies some values itself: the estimate for an element that has not been measured, the
/// measured size for one that has. It measures elements when a query first returns them, prepares
/// again, and corrects the scroll offset so that nothing visible moves.
public protocol SizingLayout: Layout {
  /// The names of the values that measuring supplies, each a `Size`, or a `Double` for a height: an item
  /// value for cells, whose kind is nil, and a section value for a supplementary kind, of which item 0
  /// is measured.
  static var measured: [(value: String, kind: String?)] { get }

  /// Returns the sizes that the elements of a run are assumed to have until they are measured, in
  /// points: as many as the run has elements, or one for all, or none if these parameters turn
  /// measuring off for the run.
  ///
  /// - Throws: Why it fails.
  func estimates(_ run: Run, _ input: Input) throws(LayoutFailure) -> [Size]

  /// Returns the sizes proposed to the elements of a run, in points; 0 means unlimited: as many as the
  /// run has elements, or one for all.
  ///
  /// If the proposal of an element changes, the host measures it again.
  ///
  /// - Throws: Why it fails.
  func proposals(_ run: Run, _ input: Input) throws(LayoutFailure) -> [Size]
}

/// A layout that decides where a dragged item would go.
///
/// By default it goes to the cell at the point, or else to the nearest one.
public protocol ReorderingLayout: Layout {
  /// Returns where an item goes if it is dropped.
  ///
  /// - Parameters:
  ///   - item: Where the item is now.
  ///   - point: The position of its centre, in content points.
  ///   - proposed: The host's proposal, or the result of the base.
  ///   - input: As for prepare.
  /// - Returns: An index path in the data before the drop.
  /// - Throws: Why it fails.
  func target(
    of item: ItemPlace, at point: Point, proposed: ItemPlace, _ input: Input
  ) throws(LayoutFailure) -> ItemPlace
}
