import CTessera
public import TesseraGeometry

/// A layout that shapes how elements appear and disappear when the data change.
///
/// For one batch of changes the host prepares with the old data, calls `begin`, prepares with the new
/// data, calls `initialAttributes` and `finalAttributes` where elements appear or disappear, and then
/// `end`, also where a call between failed. The base is called first; each layout sees what the one
/// before left. What a layout does not implement does nothing.
public protocol UpdatingLayout: Layout {
  /// The data are about to change.
  ///
  /// - Parameters:
  ///   - updates: What changes; what is deleted or moved away is numbered as in the old data, what
  ///     arrives as in the new.
  ///   - input: Holds the old data.
  /// - Throws: What makes the batch impossible; it is then not applied.
  func begin(_ updates: [Update], _ input: Input) throws(LayoutFailure)

  /// Says where elements that appear come from.
  ///
  /// - Parameters:
  ///   - input: Holds the new data.
  ///   - output: Holds the elements as they will be, with alpha 0; all built-in columns exist and may
  ///     be changed. Nothing can be added.
  func initialAttributes(_ input: Input, into output: Output) throws(LayoutFailure)

  /// Says where elements that disappear go.
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

/// A layout whose items may be as large as their content says.
///
/// The host supplies one item value itself: the estimate for an item that has not been measured, the
/// measured size for one that has. It measures items when a query first returns them, prepares again,
/// and corrects the scroll offset so that nothing visible moves.
public protocol SizingLayout: Layout {
  /// The name of the item value that measuring supplies: a `Size`, or a `Double` for a height.
  static var measuredValue: String { get }

  /// What an item is taken for until it is measured, in points; nil where nothing is measured under
  /// these parameters.
  func estimate(_ input: Input) -> Size?

  /// The room that an item of a section is offered, in points; 0 means as much as it likes.
  ///
  /// What was measured for another proposal is measured again.
  func proposal(forSection section: Int, _ input: Input) -> Size
}

/// A layout that says where an item that is dragged would go.
///
/// Without one the host takes the place of the cell at the point, or of the nearest one.
public protocol ReorderingLayout: Layout {
  /// The place that an item takes when it is let go.
  ///
  /// - Parameters:
  ///   - item: Where the item is now.
  ///   - point: Where its centre is held, in points of the content.
  ///   - proposed: What the host would answer, or what the base makes of it.
  ///   - input: As for prepare.
  /// - Returns: A place of the data as they are while the item is held.
  /// - Throws: What makes it impossible.
  func target(
    of item: ItemPlace, at point: Point, proposed: ItemPlace, _ input: Input
  ) throws(LayoutFailure) -> ItemPlace
}
