/// Items that were read from a table, one a row, grouped by section.
///
/// A column `section` gives each row's section, a whole number from 0; rows may come in any order
/// and keep theirs within a section, and a number without rows is an empty section. Without that
/// column there is one section. A column `label` gives the texts for a picture. Which item value
/// the other columns fill is known once there is an engine.
public struct ItemTable: Equatable, Sendable {
  /// One column: a cell for each item.
  struct Column: Equatable, Sendable {
    let name: String
    let cells: [JSONValue]
  }

  /// The greatest section number that a row may have.
  public static let greatestSection = 999_999

  /// What errors call the table: its path, or "standard input".
  public let name: String
  /// How many items each section has.
  public let itemCounts: [Int]
  /// The items' labels in order, where the table has a column of that name.
  public let labels: [String]?
  /// The other columns, in the table's order.
  let columns: [Column]
  /// The line on which each item stands, from 1.
  let lines: [Int]
}
