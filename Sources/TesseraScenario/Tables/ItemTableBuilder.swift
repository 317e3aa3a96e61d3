/// Collects the rows of a table, then groups them by section.
struct ItemTableBuilder {
  private let name: String
  private var names: [String] = []
  private var columns: [[JSONValue]] = []
  private var sectionColumn: Int?
  private var sections: [Int] = []
  private var lines: [Int] = []

  init(name: String) { self.name = name }

  /// Names the columns; one without a name is passed over.
  mutating func setColumns(_ names: [String]) throws(HostError) {
    var seen: Set<String> = []
    for column in names where !column.isEmpty {
      guard seen.insert(column).inserted else {
        throw HostError(
          .invalidInput, "\(name) has two columns \(quoted(column)); rename or remove one")
      }
    }
    self.names = names
    sectionColumn = names.firstIndex(of: "section")
    columns = Array(repeating: [], count: names.count)
  }

  /// Appends a row with a cell for each column.
  mutating func append(_ cells: [JSONValue], line: Int) throws(HostError) {
    if let sectionColumn {
      let cell = cells[sectionColumn]
      guard let number = cell.plainNumber, let section = Int(exactly: number),
        0...ItemTable.greatestSection ~= section
      else {
        throw HostError(
          .invalidInput,
          "\(name) line \(line): section is \(cell.cellText); expected a whole number from 0 to "
            + "\(ItemTable.greatestSection)")
      }
      sections.append(section)
    }
    lines.append(line)
    for (column, cell) in cells.enumerated() where !names[column].isEmpty {
      columns[column].append(cell)
    }
  }

  /// The table, its rows ordered by section and else as they came.
  func table() -> ItemTable {
    var itemCounts = [lines.count]
    var order: [Int]?
    if sectionColumn != nil {
      itemCounts = Array(repeating: 0, count: (sections.max() ?? -1) + 1)
      for section in sections { itemCounts[section] += 1 }
      order = self.order(itemCounts)
    }
    func ordered<Cell>(_ cells: [Cell]) -> [Cell] { order.map { $0.map { cells[$0] } } ?? cells }

    var result: [ItemTable.Column] = []
    var labels: [String]?
    for (name, cells) in zip(names, columns) where !name.isEmpty && name != "section" {
      if name == "label" {
        labels = ordered(cells).map(\.labelText)
      } else {
        result.append(ItemTable.Column(name: name, cells: ordered(cells)))
      }
    }
    return ItemTable(
      name: name, itemCounts: itemCounts, labels: labels, columns: result, lines: ordered(lines))
  }

  /// The row that each item was, or nil where they are in order already.
  private func order(_ itemCounts: [Int]) -> [Int]? {
    if zip(sections, sections.dropFirst()).allSatisfy({ $0 <= $1 }) { return nil }
    var next = [0]
    for count in itemCounts { next.append(next[next.count - 1] + count) }
    var order = Array(repeating: 0, count: sections.count)
    for (row, section) in sections.enumerated() {
      order[next[section]] = row
      next[section] += 1
    }
    return order
  }
}

extension JSONValue {
  /// The number that a cell is, as JSON or as text.
  var plainNumber: Double? {
    switch self {
    case .number(let number): number
    case .string(let text): Literal.number(text)
    default: nil
    }
  }

  /// A cell for an error.
  var cellText: String {
    switch self {
    case .string(""): "empty"
    case .string(let text): quoted(text)
    case .number(let number): format(number)
    default: found
    }
  }

  /// A cell as a label.
  fileprivate var labelText: String {
    switch self {
    case .string(let text): text
    case .number(let number): format(number)
    case .bool(let value): "\(value)"
    case .null, .array, .object: ""
    }
  }
}
