/// All that a layout is made for: viewport, parameters, sections with their values, a rect.
///
/// Every part may be left out, so that layers go over one another: the command line over a file
/// over the defaults (bounds 375×667, 20 items, scale 2, everything else 0).
public struct Scenario: Equatable, Sendable {
  /// One section.
  public struct Section: Equatable, Sendable {
    /// How many items it has, 0...2^53.
    public var items: Int
    /// Its section values by name.
    public var values: [String: JSONNode]
    /// The values of its items by name: one for all, or a list with one for each.
    public var itemValues: [String: JSONNode]

    /// A section of some items.
    public init(
      items: Int, values: [String: JSONNode] = [:], itemValues: [String: JSONNode] = [:]
    ) {
      self.items = items
      self.values = values
      self.itemValues = itemValues
    }
  }

  /// Where the items come from.
  public enum Content: Equatable, Sendable {
    /// Sections that are written out.
    case sections([Section])
    /// Rows of a table.
    case table(ItemTable)
  }

  /// The viewport's size in points.
  public var bounds: Size?
  /// Where the viewport is scrolled to, in points of the content.
  public var offset: Point?
  /// Insets around the content.
  public var contentInsets: Insets?
  /// The safe area, from the edges of the bounds.
  public var safeAreaInsets: Insets?
  /// The layout margins, from the edges of the bounds.
  public var layoutMargins: Insets?
  /// Pixels in a point.
  public var scale: Double?
  /// Which way the content reads.
  public var direction: LayoutDirection?
  /// Parameters by name.
  public var parameters: [String: JSONNode] = [:]
  /// The records of lists by name.
  public var lists: [String: JSONNode] = [:]
  /// The sections and their items.
  public var content: Content?
  /// Values for every section, over those of the sections themselves.
  public var sectionValues: [String: JSONNode] = [:]
  /// Values for every item, over those of the sections themselves.
  public var itemValues: [String: JSONNode] = [:]
  /// Answers of delegate functions by name.
  public var delegate: [String: JSONNode] = [:]
  /// How large each item is, by `proposedWidth` and `proposedHeight`, for engines that size items by
  /// their content.
  public var measure: JSONNode?
  /// The rect to whose elements the answer is limited; nil: all elements.
  public var rect: Rect?

  /// A scenario that says nothing.
  public init() {}

  /// This scenario over another: what this one says wins, key by key.
  ///
  /// Sections or a table replace the other's sections together with their values. Values for every
  /// item or section go over those of the sections, whoever wrote these.
  public func over(_ other: Scenario) -> Scenario {
    var result = self
    result.bounds = bounds ?? other.bounds
    result.offset = offset ?? other.offset
    result.contentInsets = contentInsets ?? other.contentInsets
    result.safeAreaInsets = safeAreaInsets ?? other.safeAreaInsets
    result.layoutMargins = layoutMargins ?? other.layoutMargins
    result.scale = scale ?? other.scale
    result.direction = direction ?? other.direction
    result.parameters = other.parameters.merging(parameters) { $1 }
    result.lists = other.lists.merging(lists) { $1 }
    result.content = content ?? other.content
    result.sectionValues = other.sectionValues.merging(sectionValues) { $1 }
    result.itemValues = other.itemValues.merging(itemValues) { $1 }
    result.delegate = other.delegate.merging(delegate) { $1 }
    result.measure = measure ?? other.measure
    result.rect = rect ?? other.rect
    return result
  }
}

extension Scenario {
  /// The viewport settings, with the defaults for those left out.
  public var viewport: Viewport {
    let plain = Viewport()
    return Viewport(
      bounds: bounds ?? plain.bounds, offset: offset ?? plain.offset,
      contentInsets: contentInsets ?? plain.contentInsets,
      safeAreaInsets: safeAreaInsets ?? plain.safeAreaInsets,
      layoutMargins: layoutMargins ?? plain.layoutMargins, scale: scale ?? plain.scale,
      direction: direction ?? plain.direction)
  }

  /// The sections; without any, the default section of 20 items.
  var sections: [Section] {
    switch content {
    case .sections(let sections): sections
    case .table(let table): table.itemCounts.map { Section(items: $0) }
    case nil: [Section(items: Self.defaultItemCount)]
    }
  }

  /// The item count of each section, as in `sections`.
  public var itemCounts: [Int] { sections.map(\.items) }

  /// The item count of the one section that a layout has by default.
  public static let defaultItemCount = 20

  /// The labels of the items in order; nil unless a table has them.
  public var labels: [String]? { texts(of: "label") }

  /// A function from section and item to the text of a column; nil without such a column.
  package func text(of column: String) -> ((_ section: Int, _ item: Int) -> String?)? {
    guard let texts = texts(of: column) else { return nil }
    var starts = [0]
    for count in itemCounts { starts.append(starts[starts.count - 1] + count) }
    return { section, item in
      guard starts.indices.contains(section) else { return nil }
      let index = starts[section] + item
      return item >= 0 && texts.indices.contains(index) ? texts[index] : nil
    }
  }

  /// The texts that a column of a table has for the items in order; nil without table or column.
  public func texts(of column: String) -> [String]? {
    guard case .table(let table) = content else { return nil }
    return table.texts(of: column)
  }
}
