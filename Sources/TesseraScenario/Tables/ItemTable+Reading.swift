import Foundation

extension ItemTable {
  /// Reads a table from a file, "-" for standard input.
  ///
  /// `.csv` is comma-separated with a header line, `.ndjson` and `.jsonl` have one JSON object a
  /// line; another name or none is told by the first character. Throws `.notFound` where the file
  /// cannot be read, else as `init(parsing:name:)`.
  public init(contentsOf path: String) throws(HostError) {
    let file = InputFile(path: path)
    try self.init(parsing: try file.bytes(), name: file.name)
  }

  /// Reads a table from bytes; a name that ends in no known format lets the first byte tell.
  ///
  /// Throws `.invalidInput` that names the line: a quote that does not close, a row with more or
  /// fewer fields than the header, a section that is no whole number, a key that is missing.
  /// O(bytes).
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
      try builder.append(row.fields.map { .string($0) }, line: row.line)
    }
    self = builder.table()
  }

  /// Each line's keys must be those of the first: a row of a table has all its cells.
  private init(objectsOn bytes: [UInt8], name: String) throws(HostError) {
    var builder = ItemTableBuilder(name: name)
    var names: [String]?
    var line = 0
    for text in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      line += 1
      if text.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) { continue }
      let place = "\(name) line \(line)"
      let value = try JSONValue(parsing: text, name: place)
      guard case .object(let row) = value else {
        throw HostError(.invalidInput, "\(place) is \(value.found); expected an object")
      }
      let columns = names ?? row.keys.sorted()
      if names == nil { try builder.setColumns(columns) }
      names = columns
      var cells: [JSONValue] = []
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
          "\(place) has \(quoted(extra)), which the first line has not; give it there too")
      }
      try builder.append(cells, line: line)
    }
    self = builder.table()
  }
}
