import CTessera
public import TesseraGeometry

/// A layout that decides how elements appear and disappear in a batch update.
///
/// For one batch the host prepares with the old data, calls `begin`, prepares with the new data,
/// calls `initialAttributes` and `finalAttributes` if elements appear or disappear, and then `end`,
/// even after a failure. The base is called first; each layout sees its base's output.
public protocol UpdatingLayout: Layout {
  /// The data are about to change; a failure rejects the batch.
  ///
  /// - Parameters:
  ///   - updates: Deletions and origins of moves use old indices, insertions and targets new ones.
  ///   - input: Holds the old data.
  func begin(_ updates: [Update], _ input: Input) throws(LayoutFailure)

  /// Sets where appearing elements start.
  ///
  /// - Parameters:
  ///   - input: Holds the new data.
  ///   - output: The final elements with alpha 0 and all built-in columns; none can be added.
  func initialAttributes(_ input: Input, into output: Output) throws(LayoutFailure)

  /// Sets where disappearing elements end.
  ///
  /// - Parameters:
  ///   - input: Holds the new data.
  ///   - output: The old elements, with old indices and alpha 0; none can be added.
  func finalAttributes(_ input: Input, into output: Output) throws(LayoutFailure)

  /// The batch is over.
  func end()
}

extension UpdatingLayout {
  /// Does nothing.
  public func begin(_ updates: [Update], _ input: Input) throws(LayoutFailure) {}
  /// Lets the elements fade in.
  public func initialAttributes(_ input: Input, into output: Output) throws(LayoutFailure) {}
  /// Lets the elements fade out.
  public func finalAttributes(_ input: Input, into output: Output) throws(LayoutFailure) {}
  /// Does nothing.
  public func end() {}
}

/// One change of the data in a batch update.
public enum Update: Equatable, Sendable {
  /// A new item, by its new index.
  case insertItem(ItemPlace)
  /// A deleted item, by its old index.
  case deleteItem(ItemPlace)
  /// A moved item, from its old to its new index.
  case moveItem(ItemPlace, to: ItemPlace)
  /// An item with new content, by its old index.
  case reloadItem(ItemPlace)
  /// A new section with its items, by its new index.
  case insertSection(Int)
  /// A deleted section with its items, by its old index.
  case deleteSection(Int)
  /// A moved section, from its old to its new index.
  case moveSection(Int, to: Int)
  /// A section with new content, by its old index.
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

/// The index path of an item.
public struct ItemPlace: Hashable, Sendable {
  /// The section's index.
  public var section: Int
  /// The item's index within the section.
  public var item: Int

  /// Creates an index path.
  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }
}

/// A layout whose elements can be sized by their content.
///
/// The host supplies some values itself: an estimate, then the measured size. It measures elements
/// when a query first returns them, prepares again, and corrects the scroll offset to keep visible
/// elements in place.
public protocol SizingLayout: Layout {
  /// The values that measuring supplies, each a `Size`, or a `Double` for a height.
  ///
  /// An item value for cells, with a nil kind; a section value for a supplementary kind, of which
  /// the host measures item 0.
  static var measured: [(value: String, kind: String?)] { get }

  /// Returns sizes in points to assume until the elements are measured.
  ///
  /// One for each element of the run, one for all, or an empty array to turn measuring off for the
  /// run.
  func estimates(_ run: Run, _ input: Input) throws(LayoutFailure) -> [Size]

  /// Returns the sizes in points proposed to the elements; 0 means unlimited.
  ///
  /// One for each element of the run, or one for all. A new proposal makes the host measure again.
  func proposals(_ run: Run, _ input: Input) throws(LayoutFailure) -> [Size]
}

/// A layout that decides where a dragged item goes; by default to the nearest cell.
public protocol ReorderingLayout: Layout {
  /// Returns where an item goes if it is dropped, in indices before the drop.
  ///
  /// - Parameters:
  ///   - point: The centre of the dragged item, in content points.
  ///   - proposed: The host's proposal, or the result of the base.
  func target(
    of item: ItemPlace, at point: Point, proposed: ItemPlace, _ input: Input
  ) throws(LayoutFailure) -> ItemPlace
}
