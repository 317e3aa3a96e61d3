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
