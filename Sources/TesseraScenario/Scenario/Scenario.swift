/// Some fields of a layout's input, which may be expressions, and a rect.
///
/// Scenarios override each other: the command line a file, a file the defaults of `LayoutInput`.
@dynamicMemberLookup
public struct Scenario: Equatable, Sendable {
  /// A section.
  public struct Section: Equatable, Sendable {
    /// The number of items, 0...2^53.
    public var items: Int
    /// Section values by name.
    public var values: [String: JSONNode]
    /// Item values by name: one for all, or a list with one for each.
    public var itemValues: [String: JSONNode]
    /// The name in its header.
    public var label: String?

    /// Creates a section.
    public init(
      items: Int, values: [String: JSONNode] = [:], itemValues: [String: JSONNode] = [:],
      label: String? = nil
    ) {
      (self.items, self.label, self.values, self.itemValues) = (items, label, values, itemValues)
    }
  }

  /// The source of the items.
  public enum Content: Equatable, Sendable {
    case sections([Section])
    case table(ItemTable)
  }

  /// The viewport settings, with defaults.
  public private(set) var viewport = Viewport()
  private(set) var settings: Set<LayoutField> = []
  /// Parameters by name.
  public var parameters: [String: JSONNode] = [:]
  /// The records of lists by name.
  public var lists: [String: JSONNode] = [:]
  /// The sections and their items.
  public var content: Content?
  /// Values for all sections, which override the sections' own.
  public var sectionValues: [String: JSONNode] = [:]
  /// Values for all items, which override the sections' own.
  public var itemValues: [String: JSONNode] = [:]
  /// Results of delegate functions, by name.
  public var delegate: [String: JSONNode] = [:]
  /// The size of an item in terms of `proposedWidth` and `proposedHeight`, for measuring engines.
  public var measure: JSONNode?
  /// Table columns that a drawing shows, which no note reports as unused.
  public var shownColumns: Set<String> = []
  /// Their items come from a table, but not their values.
  private var valued: [Section] = []
  /// Limits the result to the elements in a rect; nil for all.
  public var rect: Rect?

  /// Creates an empty scenario.
  public init() {}

  /// This scenario over another; this one wins, key by key.
  ///
  /// A table's sections take the values of the section of that name or number. Values for all items
  /// or sections override the sections of either scenario.
  public func over(_ other: Scenario) -> Scenario {
    var result = self
    for field in other.settings.subtracting(settings) {
      result.set(field, field.value(in: other.viewport))
    }
    result.parameters = other.parameters.merging(parameters) { $1 }
    result.lists = other.lists.merging(lists) { $1 }
    result.content = content ?? other.content
    if content == nil { result.valued = other.valued }
    if case .table = content, case .sections(let sections) = other.content {
      result.valued = sections
    }
    result.sectionValues = other.sectionValues.merging(sectionValues) { $1 }
    result.itemValues = other.itemValues.merging(itemValues) { $1 }
    result.delegate = other.delegate.merging(delegate) { $1 }
    result.measure = measure ?? other.measure
    result.rect = rect ?? other.rect
    return result
  }
}

extension Scenario {
  /// Whether any item has a picture.
  public var hasPictures: Bool {
    guard case .table(let table) = content else { return false }
    return table.pictures.contains { $0 != nil }
  }

  /// A viewport setting; nil if omitted.
  public subscript<Setting>(dynamicMember path: WritableKeyPath<Viewport, Setting>) -> Setting? {
    get { settings.contains(LayoutField(path)) ? viewport[keyPath: path] : nil }
    set {
      let field = LayoutField(path)
      set(field, newValue == nil ? nil : field.value(in: viewport))
      if let newValue { viewport[keyPath: path] = newValue }
    }
  }

  mutating func set(_ field: LayoutField, _ value: Value?) {
    field.set(value ?? field.value(in: Viewport()), in: &viewport)
    if value == nil { settings.remove(field) } else { settings.insert(field) }
  }

  /// The sections; by default one of 20 items.
  public var sections: [Section] {
    switch content {
    case .sections(let sections): sections
    case .table(let table):
      table.itemCounts.enumerated().map { index, items in
        let names = table.sectionNames
        let name = names.indices.contains(index) ? names[index] : nil
        let own =
          valued.first { name != nil && $0.label == name }
          ?? (valued.indices.contains(index) ? valued[index] : nil)
        return Section(items: items, values: own?.values ?? [:], label: name ?? own?.label)
      }
    case nil: [Section(items: LayoutInput.defaultItemCount)]
    }
  }

  /// The item count of each section.
  public var itemCounts: [Int] { sections.map(\.items) }

  /// The name of each section, if any.
  public var sectionLabels: [String?] { sections.map(\.label) }

  /// The labels of the items in order, from a table.
  public var labels: [String]? { texts(of: "label") }

  /// A function from section and item to a column's text; nil without the column.
  public func text(of column: String) -> ((_ section: Int, _ item: Int) -> String?)? {
    texts(of: column).map(byItem)
  }

  /// A function from section and item to its entry in a list of all items.
  public func byItem(_ texts: [String]) -> (_ section: Int, _ item: Int) -> String? {
    var starts = [0]
    for count in itemCounts { starts.append(starts[starts.count - 1] + count) }
    return { section, item in
      guard starts.indices.contains(section) else { return nil }
      let index = starts[section] + item
      return item >= 0 && texts.indices.contains(index) ? texts[index] : nil
    }
  }

  /// The texts of a column for the items in order; nil without table or column.
  public func texts(of column: String) -> [String]? {
    guard case .table(let table) = content else { return nil }
    return table.texts(of: column)
  }
}

extension Scenario {
  /// The scenario of an input, without default values.
  public init(_ input: LayoutInput) {
    let plain = LayoutInput().changes()
    for change in input.changes() where !plain.contains(change) { set(change) }
  }

  mutating func set(_ change: InputChange) {
    func node(_ value: JSON, _ name: String) -> JSONNode { JSONNode(value, source: name) }
    switch change {
    case .setting(let field, let value): set(field, value)
    case .parameter(let name, let value): parameters[name] = value.map { node(JSON($0), name) }
    case .list(let name, let records): lists[name] = node(JSON(records), name)
    case .sections(let counts): content = .sections(counts.map { .init(items: $0) })
    case .sectionValues(let name, let column):
      var sections = sections
      for index in sections.indices where index < column.count ?? .max {
        sections[index].values[name] = node(JSON(column[index]), name)
      }
      content = .sections(sections)
    case .itemValues(let name, let column):
      var sections = sections
      var start = 0
      for index in sections.indices where sections[index].items > 0 {
        let items = start..<start + sections[index].items
        start = items.upperBound
        if column.count == nil {
          sections[index].itemValues[name] = node(JSON(column[0]), name)
        } else if items.upperBound <= column.count ?? 0 {
          sections[index].itemValues[name] = node(.list(items.map { JSON(column[$0]) }), name)
        }
      }
      content = .sections(sections)
    case .delegate(let name, let answer): delegate[name] = answer
    case .measure(let size): measure = size
    }
  }
}
