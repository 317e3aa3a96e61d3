import CTessera

/// Who some rows are: elements of one category, kind and section, with consecutive items.
public struct Run: Equatable, Sendable {
  /// What elements are.
  public enum Category: Int32, Sendable {
    /// Elements that stand for items.
    case cell
    /// Elements that belong to the data, such as headers.
    case supplementary
    /// Elements that belong to the layout, such as separators.
    case decoration
  }

  /// What the elements are.
  public let category: Category
  /// The number of their kind for this engine; 0 for cells.
  let kind: UInt32
  /// The section that they belong to.
  public let section: Int
  /// Their items, counted within the section.
  public let items: Range<Int>

  /// Cells of a section, their items counted within it.
  public static func cells(inSection section: Int, items: Range<Int>) -> Run {
    Run(category: .cell, kind: 0, section: section, items: items)
  }

  /// Elements of a kind in a section; where `items` is left out the one with item 0.
  public static func elements(
    _ kind: Kind, inSection section: Int, items: Range<Int> = 0..<1
  ) -> Run {
    let category: Category = kind.category == .supplementary ? .supplementary : .decoration
    return Run(category: category, kind: kind.number, section: section, items: items)
  }

  /// Whether the elements are of this kind.
  public func isKind(_ kind: Kind) -> Bool {
    category.rawValue == kind.category.contractCategory && self.kind == kind.number
  }
}

extension Run {
  init(_ run: tessera_run) {
    category = Category(rawValue: run.category) ?? .cell
    kind = run.kind
    section = Int(run.section)
    let first = Int(clamping: run.first_item)
    items = first..<first.addingReportingOverflow(Int(clamping: run.count)).partialValue
  }

  /// Nil where a number does not fit the contract's, as a negative one.
  var contractRun: tessera_run? {
    guard let section = UInt32(exactly: section), let first = UInt64(exactly: items.lowerBound)
    else { return nil }
    return tessera_run(
      category: category.rawValue, kind: kind, section: section, reserved: 0,
      first_item: first, count: UInt64(items.count))
  }
}
