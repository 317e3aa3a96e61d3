import FoundationEssentials
import Glibc

/// Items from a table, one per row, grouped by section.
///
/// `section` is a number from 0 or a name, in order of first use; a gap is an empty section. `id`,
/// `label` and `image` are texts for results and pictures; the engine determines other columns.
public struct ItemTable: Equatable, Sendable {
  struct Column: Equatable, Sendable {
    let name: String
    let place: Int
    var isMeasured = false
  }

  /// The highest section number.
  public static let greatestSection = 999_999

  /// The table's path, or "standard input", for errors.
  public let name: String
  /// The number of items in each section.
  public let itemCounts: [Int]
  /// The name of each section; empty if sections have numbers.
  public private(set) var sectionNames: [String] = []
  /// Days since 1970 if dates divide the items, else empty.
  private(set) var sectionDays: [Double] = []
  /// Whether a section is a day.
  public var hasDates: Bool { !sectionDays.isEmpty }
  /// The sections' dates as `2026-05-04`; empty if sections are not days.
  public var sectionDates: [String] { sectionDays.map(isoDate) }
  /// Without `section`, in table order.
  let columns: [Column]
  /// The picture of each item, if any; empty without pictures.
  public let pictures: [ItemPicture?]
  let rows: TableRows
  /// The row of each item; nil for table order.
  let order: [Int]?
}

/// The picture of an item.
public struct ItemPicture: Equatable, Sendable {
  /// A path or URL.
  public var source: String
  /// The displayed size in pixels, after rotation by the file's orientation; nil if unknown.
  public var size: Size?
  /// The format if browsers can't show it, such as `heif`.
  public var hiddenFormat: String?
  /// The time as `2024-05-03 14:22`, and the alt text; empty if unknown.
  public var (date, caption) = ("", "")

  /// Creates a picture with its size in pixels.
  public init(source: String, size: Size?) { (self.source, self.size) = (source, size) }

  /// The file name.
  public var file: String { source.split(separator: "/").last.map(String.init) ?? source }

  /// The file name without its extension.
  public var label: String {
    guard let dot = file.lastIndex(of: "."), dot > file.startIndex else { return file }
    return String(file[..<dot])
  }
}

extension ItemTable {
  /// Reads a table from a file, or standard input for "-".
  ///
  /// `.csv` has commas and a header line, `.tsv` tabs, `.ndjson` and `.jsonl` an object per line;
  /// otherwise the first character decides. A header without commas may have tabs, semicolons or
  /// vertical bars. Throws `.notFound` or `.invalidInput`.
  public init(contentsOf path: String) throws(HostError) {
    try self.init(parsing: try path.inputBytes(), name: path.inputName)
  }

  /// Reads a table; throws `.invalidInput` with the line.
  public init(parsing bytes: some DataProtocol, name: String) throws(HostError) {
    var builder = TableBuilder(name: name, bytes: bytes as? Data ?? Data(bytes))
    try builder.read()
    self.name = name
    columns = builder.columns
    itemCounts = builder.itemCounts
    (sectionNames, sectionDays) = (builder.sectionNames, builder.sectionDays)
    order = builder.order(itemCounts)
    rows = builder.rows
    pictures = []
  }

  /// A table of pictures; `sections` has the section name of each, or is empty.
  public init(pictures: [ItemPicture], sections: [String] = [], name: String) {
    var (names, counts) = ([String](), [Int]())
    for section in sections {
      if names.last != section {
        names.append(section)
        counts.append(0)
      }
      counts[counts.count - 1] += 1
    }
    let plain = ItemTable(
      name: name, itemCounts: sections.isEmpty ? [pictures.count] : counts, sectionNames: names,
      columns: [Column(name: "image", place: 0)],
      pictures: [], rows: TableRows(width: 1, cells: pictures.map { .text($0.source) }), order: nil)
    self = plain.keeping(pictures)
  }

  /// This table with pictures for some of its items; nil removes an item.
  ///
  /// Adds missing columns `width` and `height` (pixels), `label`, `file`, `date` and `caption`.
  public func keeping(_ kept: [ItemPicture??]) -> ItemTable {
    var counts = Array(repeating: 0, count: itemCounts.count)
    var rowsKept: [Int] = []
    var pictures: [ItemPicture?] = []
    var item = 0
    for (section, count) in itemCounts.enumerated() {
      for _ in 0..<count {
        if let picture = kept[item] {
          counts[section] += 1
          rowsKept.append(order?[item] ?? item)
          pictures.append(picture)
        }
        item += 1
      }
    }
    var columns = columns
    var cells: [[JSON]] = []
    func add(_ name: String, _ cell: (ItemPicture?) -> JSON) {
      guard column(named: name) == nil else { return }
      columns.append(Column(name: name, place: rows.width + cells.count, isMeasured: true))
      cells.append(pictures.map(cell))
    }
    add("width") { $0?.size.map { .number($0.width) } ?? .null }
    add("height") { $0?.size.map { .number($0.height) } ?? .null }
    add("label") { .text($0?.label ?? "") }
    add("file") { .text($0?.file ?? "") }
    add("date") { .text($0?.date ?? "") }
    add("caption") { .text($0?.caption ?? "") }
    return ItemTable(
      name: name, itemCounts: counts, sectionNames: sectionNames, sectionDays: sectionDays,
      columns: columns, pictures: pictures, rows: rows.keeping(rowsKept, adding: cells), order: nil)
  }

  var count: Int { rows.count }

  /// The base of relative paths; nil for the working folder.
  public var folder: String? {
    name.lastIndex(of: "/").map { $0 == name.startIndex ? "/" : String(name[..<$0]) }
  }

  /// The columns with texts for results and pictures.
  public static let textColumns = ["id", "label", "image"]

  /// The column names without `section`.
  public var columnNames: [String] { columns.map(\.name) }

  /// The labels in item order, if there are any.
  public var labels: [String]? { texts(of: "label") }

  /// The texts of a column, if it exists.
  public func texts(of column: String) -> [String]? {
    self.column(named: column).map { column in
      (0..<count).map { cell(column, $0).labelText }
    }
  }

  /// The texts of a column, with decimal points in numbers.
  public func numerals(of column: String) -> [String]? {
    texts(of: column)?.map { rows.decimal($0) == nil ? $0 : $0.replacing(",", with: ".") }
  }

  func number(_ cell: JSON) -> Double? { cell.plainNumber ?? rows.decimal(cell.labelText) }

  func column(named name: String) -> Column? { columns.first { $0.name == name } }

  func cell(_ column: Column, _ item: Int) -> JSON { rows.cell(column.place, order?[item] ?? item) }

  /// Counted from 1.
  func line(_ item: Int) -> Int { Int(rows.lines[order?[item] ?? item]) }

  /// The numbers of a column, up to the first item that is not a number.
  func firstNumbers(_ column: Column) throws(HostError) -> [Double] {
    try CountedMemory.require(count, of: Double.self)
    return rows.withNumbers(column.place) { number in
      var numbers: [Double] = []
      numbers.reserveCapacity(count)
      for item in 0..<count {
        guard let number = number(order?[item] ?? item) else { break }
        numbers.append(number)
      }
      return numbers
    }
  }

  func numbers(_ column: Column) throws(HostError) -> [Double] {
    let numbers = try firstNumbers(column)
    guard numbers.count == count else { throw wrong(column, numbers.count, "a number") }
    return numbers
  }

  func wrong(_ column: Column, _ item: Int, _ wanted: String) -> HostError {
    HostError(
      .invalidTable,
      "\(name) line \(line(item)): \(column.name) is \(cell(column, item).cellText); "
        + "expected \(wanted)")
  }
}

/// Cells as positions in the text.
struct TableRows: Equatable, Sendable {
  let bytes: Data
  /// Nil for objects.
  fileprivate(set) var separator: UInt8?
  fileprivate(set) var width = 0
  /// Row by row; for a cell in `others` the complement of its index.
  fileprivate(set) var starts: [Int32] = []
  /// Values of unusual lines.
  fileprivate(set) var others: [JSON] = []
  /// Counted from 1.
  fileprivate(set) var lines: [Int32] = []

  init(bytes: Data) { self.bytes = bytes }

  init(width: Int, cells: [JSON]) {
    self.init(bytes: Data())
    self.width = width
    others = cells
    starts = cells.indices.map { ~Int32($0) }
    lines = width == 0 ? [] : (0..<Int32(cells.count / width)).map { $0 + 1 }
  }

  var count: Int { lines.count }

  func keeping(_ kept: [Int], adding cells: [[JSON]]) -> TableRows {
    var result = self
    result.width += cells.count
    (result.starts, result.lines) = ([], [])
    for (number, row) in kept.enumerated() {
      result.starts += starts[row * width..<(row + 1) * width]
      for column in cells {
        result.starts.append(~Int32(result.others.count))
        result.others.append(column[number])
      }
      result.lines.append(lines[row])
    }
    return result
  }

  func cell(_ place: Int, _ row: Int) -> JSON {
    let start = Int(starts[row * width + place])
    guard start >= 0 else { return others[~start] }
    return withBytes { bytes in
      if let separator {
        var field = FieldScanner(bytes, from: start, separator: separator)
        return .text(field.text())
      }
      var parser = JSONParser(bytes, from: start)
      return (try? parser.value()) ?? .null
    }
  }

  func withNumbers<Result>(_ place: Int, _ body: ((_ row: Int) -> Double?) -> Result) -> Result {
    withBytes { bytes in
      var fields = separator.map { FieldScanner(bytes, from: 0, separator: $0) }
      return body { row in
        let start = Int(starts[row * width + place])
        if start < 0 { return others[~start].plainNumber }
        if separator != nil { return fields?.number(at: start) }
        var parser = JSONParser(bytes, from: start)
        return (try? parser.value())?.plainNumber
      }
    }
  }

  /// Spreadsheets write decimal commas between semicolons.
  func decimal(_ text: String) -> Double? {
    separator == FieldScanner.semicolon ? text.decimalWithComma : nil
  }

  fileprivate func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    bytes.withUnsafeBytes { body($0.assumingMemoryBound(to: UInt8.self)) }
  }
}

private struct TableBuilder {
  let name: String
  private(set) var rows: TableRows
  private(set) var columns: [ItemTable.Column] = []
  private var sectionColumn: Int?
  private var sections: [Int] = []
  /// Empty as long as all are numbers.
  private(set) var sectionNames: [String] = []
  private var sectionPlaces: [String: Int] = [:]
  private(set) var sectionDays: [Double] = []

  /// The JSON parser, which hashes names, reads more keys.
  private static let mostKeys = 256
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  init(name: String, bytes: Data) {
    self.name = name
    rows = TableRows(bytes: bytes)
  }

  mutating func read() throws(HostError) {
    guard rows.bytes.count < Int32.max else {
      throw HostError(
        .invalidTable,
        "\(name) has \(rows.bytes.count) bytes; divide it into tables of at most 2 GiB")
    }
    let ending = name.lowercased()
    let bytes = rows.bytes
    let result = bytes.withUnsafeBytes { memory -> Result<Void, HostError> in
      let text = memory.assumingMemoryBound(to: UInt8.self)
      let start = text.starts(with: Self.mark) ? Self.mark.count : 0
      let first = text[start...].first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
      let isSeparated = ending.hasSuffix(".csv") || ending.hasSuffix(".tsv")
      do throws(HostError) {
        if ending.hasSuffix(".ndjson") || ending.hasSuffix(".jsonl")
          || !isSeparated && first == UInt8(ascii: "{")
        {
          try readObjects(text, from: start)
        } else {
          let isTabbed = ending.hasSuffix(".tsv")
          try readFields(
            text, from: start,
            separator: isTabbed ? UInt8(ascii: "\t") : Self.separator(text[start...]))
        }
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try result.get()
    readCalendar()
    divideIntoDays()
  }

  private mutating func readCalendar() {
    let found = calendarColumns(columns.map(\.name)) { place in
      (0..<rows.count).map { rows.cell(columns[place].place, $0).labelText }
    }
    guard let (added, used) = found else { return }
    columns = columns.indices.filter { !used.contains($0) }.map { columns[$0] }
    for (place, column) in added.enumerated() {
      columns.append(ItemTable.Column(name: column.name, place: rows.width + place))
    }
    rows = rows.keeping(
      Array(0..<rows.count), adding: added.map { column in column.texts.map { .text($0) } })
  }

  /// The longest gap and the longest event, in days.
  private static let mostDays = 31.0

  /// Dates in `start` divide the rows into days.
  ///
  /// Empty days are sections, except in a gap of more than 31 days. An event past midnight is a row
  /// in each of its days, up to 31.
  private mutating func divideIntoDays() {
    guard sectionColumn == nil, let column = columns.first(where: { $0.name == "start" }),
      rows.count > 0
    else { return }
    var days: [Double] = []
    for row in 0..<rows.count {
      guard case .text(let text) = rows.cell(column.place, row), let day = calendarDays(of: text)
      else { return }
      days.append(day.rounded(.down))
    }
    divideAtMidnight(&days, column)
    for day in Set(days).sorted() {
      if let last = sectionDays.last, day - last <= Self.mostDays {
        sectionDays += stride(from: last + 1, to: day, by: 1)
      }
      sectionDays.append(day)
    }
    let places = Dictionary(
      sectionDays.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    sections = days.map { places[$0] ?? 0 }
    sectionNames = sectionDays.map(readableDate)
  }

  private mutating func divideAtMidnight(_ days: inout [Double], _ start: ItemTable.Column) {
    guard let end = columns.first(where: { $0.name == "end" }) else { return }
    var parts: [(row: Int, day: Double, start: JSON, end: JSON)] = []
    for (row, day) in days.enumerated() {
      let until = rows.cell(end.place, row)
      let last = calendarDays(of: until.labelText).map { $0.rounded(.up) - 1 } ?? day
      let count = 0..<Self.mostDays ~= last - day ? Int(exactly: last - day) ?? 0 : 0
      for part in 0...count {
        let date = isoDate(days: day + Double(part))
        parts.append(
          (
            row, day + Double(part),
            part == 0 ? rows.cell(start.place, row) : .text("\(date) 00:00"),
            part == count ? until : .text("\(date) 24:00")
          ))
      }
    }
    guard parts.count > days.count else { return }
    days = parts.map(\.day)
    columns = columns.map { column in
      let place = ["start": rows.width, "end": rows.width + 1][column.name] ?? column.place
      return ItemTable.Column(name: column.name, place: place)
    }
    rows = rows.keeping(parts.map(\.row), adding: [parts.map(\.start), parts.map(\.end)])
  }

  private mutating func readFields(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, separator: UInt8
  ) throws(HostError) {
    rows.separator = separator
    do { _ = try UTF8Span(validating: bytes.span) } catch {
      let line = bytes[..<error.byteOffsets.lowerBound].count(where: { $0 == 0x0A }) + 1
      throw HostError(
        .invalidTable,
        "\(name) line \(line): the text is not UTF-8; convert it, for example with iconv -t utf-8")
    }
    var header = FieldScanner(bytes, from: start, separator: separator, name: name)
    var starts: [Int32] = []
    guard let width = try header.next(&starts)?.fields else {
      throw HostError(.invalidTable, "\(name) is empty; expected a header line with column names")
    }
    try setColumns(
      starts.map { start in
        var field = FieldScanner(bytes, from: Int(start), separator: separator)
        return field.text().trimmed
      })
    try reserve(bytes)
    var scanner = header
    while let row = try scanner.next(&rows.starts) {
      guard row.fields == width else {
        throw HostError(
          .invalidTable,
          "\(name) line \(row.line): the row has \(counted(row.fields, "field")) but the "
            + "header has \(width); give each row as many")
      }
      try appendRow(line: row.line)
    }
  }

  /// A comma, or else the first other separator outside of quotes.
  private static func separator(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> UInt8 {
    let comma = UInt8(ascii: ",")
    let others = [UInt8(ascii: "\t"), FieldScanner.semicolon, UInt8(ascii: "|")]
    var isQuoted = false
    var found: UInt8?
    for byte in bytes {
      if byte == FieldScanner.quote { isQuoted.toggle() }
      if isQuoted { continue }
      if byte == comma { return comma }
      if byte == 0x0A || byte == 0x0D { break }
      if found == nil, others.contains(byte) { found = byte }
    }
    return found ?? comma
  }

  private mutating func readObjects(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int
  ) throws(HostError) {
    var names: [String]?
    var keys: [[UInt8]] = []
    var order: [Int] = []
    var (line, position) = (0, start)
    while position <= bytes.count {
      line += 1
      let rest = bytes.count - position
      let found = rest == 0 ? nil : memchr(bytes.baseAddress! + position, 0x0A, rest)
      let end = found.map { UnsafeRawPointer($0) - UnsafeRawPointer(bytes.baseAddress!) }
      let text = bytes[position..<(end ?? bytes.count)]
      position = text.endIndex + 1
      if text.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
      let columns: [String]
      if let names {
        columns = names
      } else {
        columns = Set(try object(text, line: line).map(\.name)).sorted()
        try setColumns(columns)
        keys = columns.map { Array($0.utf8) }
        order = Array(columns.indices)
        names = columns
        try reserve(bytes)
      }
      let row = rows.starts.count
      for _ in columns { rows.starts.append(-1) }
      let lines = UnsafeBufferPointer(rebasing: bytes[..<text.endIndex])
      var parser = JSONParser(lines, from: text.startIndex, keepsValues: false)
      let isKnown =
        keys.count <= Self.mostKeys
        && rows.starts.withUnsafeMutableBufferPointer { starts in
          parser.find(
            keys, order: &order, starts: UnsafeMutableBufferPointer(rebasing: starts[row...]))
        }
      if !isKnown {
        rows.starts.removeLast(columns.count)
        try appendUnusual(try object(text, line: line), columns, line: line)
      }
      try appendRow(line: line)
    }
  }

  private func object(
    _ text: Slice<UnsafeBufferPointer<UInt8>>, line: Int
  ) throws(HostError) -> [(name: String, value: JSON)] {
    let place = "\(name) line \(line)"
    let value = try JSON(parsing: Array(text), name: place)
    guard case .object(let members) = value else {
      throw HostError(.invalidTable, "\(place) is \(value.found); expected an object")
    }
    return members
  }

  private mutating func appendUnusual(
    _ members: [(name: String, value: JSON)], _ columns: [String], line: Int
  ) throws(HostError) {
    let place = "\(name) line \(line)"
    let row = Dictionary(
      members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    for column in columns {
      guard let cell = row[column] else {
        throw HostError(
          .invalidTable, "\(place) has no \(quoted(column)); give it, as the first line does")
      }
      rows.starts.append(~Int32(rows.others.count))
      rows.others.append(cell)
    }
    if row.count > columns.count,
      let extra = row.keys.sorted().first(where: { !columns.contains($0) })
    {
      throw HostError(
        .invalidTable,
        "\(place) has \(quoted(extra)), which the first line does not have; give it there too")
    }
  }

  private mutating func reserve(_ bytes: UnsafeBufferPointer<UInt8>) throws(HostError) {
    // An estimate from the first lines.
    let start = bytes.prefix(1 << 16)
    let lines = start.count { $0 == 0x0A } + 1
    let estimate = bytes.count / max(1, start.count) * lines * 9 / 8
    let count = min(estimate, bytes.count / max(1, rows.width) + 1)
    // A row also has a line, a section and an order.
    try CountedMemory.require(count, size: rows.width * 4 + 20)
    rows.starts.reserveCapacity(count * rows.width)
    rows.lines.reserveCapacity(count)
  }

  private mutating func setColumns(_ names: [String]) throws(HostError) {
    var seen: Set<String> = []
    for column in names where !column.isEmpty {
      guard seen.insert(column).inserted else {
        throw HostError(
          .invalidTable, "\(name) has two columns \(quoted(column)); rename or remove one")
      }
    }
    rows.width = names.count
    sectionColumn = names.firstIndex(of: "section")
    for (place, name) in names.enumerated() where !name.isEmpty && name != "section" {
      columns.append(ItemTable.Column(name: name, place: place))
    }
  }

  @inline(__always)
  private mutating func appendRow(line: Int) throws(HostError) {
    rows.lines.append(Int32(truncatingIfNeeded: line))
    if let sectionColumn { try appendSection(sectionColumn, line: line) }
  }

  private mutating func appendSection(_ sectionColumn: Int, line: Int) throws(HostError) {
    let cell = rows.cell(sectionColumn, rows.count - 1)
    if !sectionNames.isEmpty || cell.isName {
      if sectionNames.isEmpty {
        // The numbers so far are names, too.
        sections = (0..<rows.count - 1).map { place(of: rows.cell(sectionColumn, $0).labelText) }
      }
      let name = cell.labelText
      guard !name.isEmpty else { throw wrongSection(cell, line, "a name") }
      return sections.append(place(of: name))
    }
    guard let number = cell.plainNumber, let section = Int(exactly: number),
      0...ItemTable.greatestSection ~= section
    else {
      throw wrongSection(
        cell, line, "a name, or a whole number from 0 to \(ItemTable.greatestSection)")
    }
    sections.append(section)
  }

  private func wrongSection(_ cell: JSON, _ line: Int, _ expected: String) -> HostError {
    HostError(
      .invalidTable, "\(name) line \(line): section is \(cell.cellText); expected \(expected)")
  }

  private mutating func place(of name: String) -> Int {
    if let place = sectionPlaces[name] { return place }
    sectionPlaces[name] = sectionNames.count
    sectionNames.append(name)
    return sectionNames.count - 1
  }

  var itemCounts: [Int] {
    guard sectionColumn != nil || !sectionDays.isEmpty else { return [rows.count] }
    var itemCounts = Array(repeating: 0, count: (sections.max() ?? -1) + 1)
    for section in sections { itemCounts[section] += 1 }
    return itemCounts
  }

  /// A stable sort by section; nil if already sorted.
  func order(_ itemCounts: [Int]) -> [Int]? {
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
  var plainNumber: Double? {
    guard case .text(let text) = self else { return double }
    return text.decimal
  }

  fileprivate var isName: Bool {
    guard case .text(let text) = self else { return false }
    return !text.isEmpty && text.decimal == nil
  }

  var cellText: String {
    switch self {
    case .text(""): "empty"
    case .text(let text): quoted(text)
    default: double?.shortText ?? found
    }
  }

  var labelText: String {
    switch self {
    case .text(let text): text
    case .integer, .unsigned, .number: cellText
    case .bool(let value): "\(value)"
    case .null, .list, .object: ""
    }
  }
}
