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
