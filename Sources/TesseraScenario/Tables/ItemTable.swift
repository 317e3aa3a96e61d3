import Foundation

/// Items read from a table, one item per row, grouped by section.
///
/// A column `section` contains each row's section, a whole number from 0. Rows can be in any order,
/// which is kept within a section, and a number without rows is an empty section. Without that column
/// there is one section. A column `label` contains texts for pictures. The engine determines which
/// item values the other columns supply.
public struct ItemTable: Equatable, Sendable {
  /// One column: a cell for each item.
  struct Column: Equatable, Sendable {
    let name: String
    let cells: [JSON]
  }

  /// The highest section number.
  public static let greatestSection = 999_999

  /// The table's name in errors: its path, or "standard input".
  public let name: String
  /// The number of items of each section.
  public let itemCounts: [Int]
  /// The items' labels in order, if the table has a column `label`.
  public let labels: [String]?
  /// The other columns, in the table's order.
  let columns: [Column]
  /// The line of each item, from 1.
  let lines: [Int]
}

extension ItemTable {
  /// Reads a table from a file, "-" for standard input.
  ///
  /// `.csv` is comma-separated with a header line, `.ndjson` and `.jsonl` have one JSON object a
  /// line; for any other name the first character selects the format.
  ///
  /// - Throws: `.notFound` if the file cannot be read, otherwise as `init(parsing:name:)`.
  public init(contentsOf path: String) throws(HostError) {
    let file = InputFile(path: path)
    try self.init(parsing: try file.bytes(), name: file.name)
  }

  /// Reads a table from bytes; if the name has no known extension, the first byte selects the format.
  ///
  /// Throws `.invalidInput` that names the line: an unclosed quote, a row with more or fewer fields
  /// than the header, an invalid section, a missing key. O(bytes).
  public init(parsing bytes: some DataProtocol, name: String) throws(HostError) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    var text = Array(bytes)
    if text.starts(with: mark) { text.removeFirst(mark.count) }
    let ending = name.lowercased()
    let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    if ending.hasSuffix(".ndjson") || ending.hasSuffix(".jsonl")
      || !ending.hasSuffix(".csv") && first == UInt8(ascii: "{")
    {
      try self.init(objectsOn: text, name: name)
    } else {
      try self.init(separatedBy: text, name: name)
    }
  }

  private init(separatedBy bytes: [UInt8], name: String) throws(HostError) {
    try Self.checkSeparator(bytes, name: name)
    var reader = CSVReader(bytes, name: name)
    guard let header = try reader.next() else {
      throw HostError(.invalidInput, "\(name) is empty; expected a header line with column names")
    }
    var builder = ItemTableBuilder(name: name)
    try builder.setColumns(header.fields.map { $0.trimmingCharacters(in: .whitespaces) })
    while let row = try reader.next() {
      guard row.fields.count == header.fields.count else {
        throw HostError(
          .invalidInput,
          "\(name) line \(row.line): the row has \(counted(row.fields.count, "field")) but the "
            + "header has \(header.fields.count); give each row as many")
      }
      try builder.append(row.fields.map { .text($0) }, line: row.line)
    }
    self = builder.table()
  }

  /// - Throws: `.invalidInput` if the header line has no comma but another usual separator, both outside
  ///   of quotes.
  private static func checkSeparator(_ bytes: [UInt8], name: String) throws(HostError) {
    let usual: [(byte: UInt8, name: String)] = [
      (0x09, "tabs"), (UInt8(ascii: ";"), "semicolons"), (UInt8(ascii: "|"), "vertical bars"),
    ]
    let comma = UInt8(ascii: ",")
    var isQuoted = false
    var found: (byte: UInt8, name: String)?
    var header: [UInt8] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if !isQuoted, byte == comma { return }
      if !isQuoted, byte == 0x0A || byte == 0x0D { break }
      let separator = isQuoted ? nil : usual.first { $0.byte == byte }
      found = found ?? separator
      header.append(separator == nil ? byte : comma)
    }
    guard let found else { return }
    throw HostError(
      .invalidInput,
      "\(name) line 1 separates its columns with \(found.name); expected commas, as in "
        + quoted(String(decoding: header, as: UTF8.self)))
  }

  /// Each line must have the keys of the first.
  private init(objectsOn bytes: [UInt8], name: String) throws(HostError) {
    var builder = ItemTableBuilder(name: name)
    var names: [String]?
    var line = 0
    for text in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      line += 1
      if text.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) { continue }
      let place = "\(name) line \(line)"
      let value = try JSON(parsing: text, name: place)
      guard case .object(let members) = value else {
        throw HostError(.invalidInput, "\(place) is \(value.found); expected an object")
      }
      let row = Dictionary(
        members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
      let columns = names ?? row.keys.sorted()
      if names == nil { try builder.setColumns(columns) }
      names = columns
      var cells: [JSON] = []
      for column in columns {
        guard let cell = row[column] else {
          throw HostError(
            .invalidInput,
            "\(place) has no \(quoted(column)); give it, as the first line does")
        }
        cells.append(cell)
      }
      if row.count > columns.count,
        let extra = row.keys.sorted().first(where: { !columns.contains($0) })
      {
        throw HostError(
          .invalidInput,
          "\(place) has \(quoted(extra)), which the first line does not have; give it there too")
      }
      try builder.append(cells, line: line)
    }
    self = builder.table()
  }
}

/// Collects the rows of a table, then groups them by section.
struct ItemTableBuilder {
  private let name: String
  private var names: [String] = []
  private var columns: [[JSON]] = []
  private var sectionColumn: Int?
  private var sections: [Int] = []
  private var lines: [Int] = []

  init(name: String) { self.name = name }

  /// Sets the columns' names; columns without a name are ignored.
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
  mutating func append(_ cells: [JSON], line: Int) throws(HostError) {
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

  /// The table, with its rows sorted by section, otherwise in their original order.
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

  /// The original row of each item, or nil if they are already sorted.
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

extension JSON {
  /// The number in a cell, as JSON or as text.
  var plainNumber: Double? {
    guard case .text(let text) = self else { return double }
    return Literal.number(text)
  }

  /// A cell for an error.
  var cellText: String {
    switch self {
    case .text(""): "empty"
    case .text(let text): quoted(text)
    default: double?.shortText ?? found
    }
  }

  /// A cell as a label.
  fileprivate var labelText: String {
    switch self {
    case .text(let text): text
    case .integer, .unsigned, .number: cellText
    case .bool(let value): "\(value)"
    case .null, .list, .object: ""
    }
  }
}
