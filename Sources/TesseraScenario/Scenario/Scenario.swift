/// All that a layout is made for: surroundings, parameters, sections with their values, a rect.
///
/// Every part may be left out, so that layers go over one another: the command line over a file
/// over what holds where nothing is said (bounds 375×667, 20 items, scale 2, everything else 0).
public struct Scenario: Equatable, Sendable {
  /// One section.
  public struct Section: Equatable, Sendable {
    /// How many items it has, 0...2^53.
    public var items: Int
    /// Its section values by name.
    public var values: [String: Setting]
    /// The values of its items by name: one for all, or a list with one for each.
    public var itemValues: [String: Setting]

    /// A section of some items.
    public init(
      items: Int, values: [String: Setting] = [:], itemValues: [String: Setting] = [:]
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
  public var parameters: [String: Setting] = [:]
  /// The sections and their items.
  public var content: Content?
  /// Values for every section, over those of the sections themselves.
  public var sectionValues: [String: Setting] = [:]
  /// Values for every item, over those of the sections themselves.
  public var itemValues: [String: Setting] = [:]
  /// Answers of delegate functions by name.
  public var delegate: [String: Setting] = [:]
  /// How large each item is, by `proposedWidth` and `proposedHeight`, for engines that size items by
  /// their content.
  public var measure: Setting?
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
  /// What holds where nothing is said: bounds 375×667, scale 2, one section of 20 items.
  public static let defaults: Scenario = {
    var scenario = Scenario()
    scenario.bounds = Size(width: 375, height: 667)
    scenario.scale = 2
    scenario.offset = .zero
    scenario.contentInsets = .zero
    scenario.safeAreaInsets = .zero
    scenario.layoutMargins = .zero
    scenario.direction = .leftToRight
    scenario.content = .sections([Section(items: 20)])
    return scenario
  }()

  /// Item counts of the sections, those of the defaults where the scenario says nothing.
  public var itemCounts: [Int] {
    switch content {
    case .sections(let sections): sections.map(\.items)
    case .table(let table): table.itemCounts
    case nil: [20]
    }
  }

  /// How many sections there are, as in `itemCounts`.
  var sectionCount: Int {
    switch content {
    case .sections(let sections): sections.count
    case .table(let table): table.itemCounts.count
    case nil: 1
    }
  }

  /// The labels of the items in order, where a table gave them.
  public var labels: [String]? {
    guard case .table(let table) = content else { return nil }
    return table.labels
  }
}

/// A value as it was written, before the engine says what type it has, and where it was written.
public struct Setting: Equatable, Sendable {
  /// The JSON value; a text is an expression, a name, or a vector split at commas.
  public var value: JSONValue
  /// Where the value comes from, for errors: "parameters.itemSize", "--set itemSize".
  public var source: String

  /// A value from somewhere.
  public init(_ value: JSONValue, source: String) {
    self.value = value
    self.source = source
  }

  /// A text from the command line: "floor((width-2)/3),90".
  public init(text: String, source: String) { self.init(.string(text), source: source) }

  var node: JSONNode { JSONNode(value: value, path: source) }
}
