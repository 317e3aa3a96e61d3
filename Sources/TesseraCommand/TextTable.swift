import TesseraHost

/// Rows of text in aligned columns.
public struct TextTable {
  /// A column.
  public struct Column {
    /// The heading.
    public let title: String
    /// Whether the column is right-aligned.
    public let isNumeric: Bool

    /// Creates a column.
    public init(_ title: String, isNumeric: Bool = false) {
      (self.title, self.isNumeric) = (title, isNumeric)
    }
  }

  let columns: [Column]
  let rowCount: Int
  /// Called twice, to measure and to print.
  let row: (Int) -> [String]

  /// Creates a table whose rows are made on demand.
  public init(_ columns: [Column], rowCount: Int, row: @escaping (Int) -> [String]) {
    (self.columns, self.rowCount, self.row) = (columns, rowCount, row)
  }

  /// Creates a table of existing rows with left-aligned columns.
  package init(_ titles: [String], rows: [[String]]) {
    self.init(titles.map { Column($0) }, rows: rows)
  }

  /// Creates a table of existing rows.
  public init(_ columns: [Column], rows: [[String]]) {
    self.init(columns, rowCount: rows.count) { rows[$0] }
  }

  /// Writes the headings and the first `limit` rows, with lines cut at `width`.
  public func write(
    to output: BufferedOutput, limit: Int = .max, indent: String = "", width: Int = .max
  ) throws {
    let shown = min(limit, rowCount)
    var widths = columns.map(\.title.count)
    for index in 0..<shown {
      for (column, text) in row(index).enumerated() {
        widths[column] = max(widths[column], text.visible.count)
      }
    }
    func line(_ texts: [String]) -> String {
      let whole = self.line(texts, widths)
      return whole.count > width ? whole.prefix(width - 1) + "…" : whole
    }
    let titles = line(columns.map(\.title))
    try output.write(indent + (Terminal.isColoured ? "\u{1B}[1m\(titles)\u{1B}[0m" : titles) + "\n")
    for index in 0..<shown { try output.write(indent + line(row(index)) + "\n") }
  }

  /// Truncated on a terminal.
  package func writeStart(to output: BufferedOutput) throws {
    let most = output.isOnTerminal ? 40 : .max
    try write(to: output, limit: most)
    if rowCount > most { try output.write("… \(rowCount - most) more; --format json prints all\n") }
  }

  private func line(_ texts: [String], _ widths: [Int]) -> String {
    var line = ""
    for (column, foreign) in texts.enumerated() {
      let text = foreign.visible
      if column > 0 { line += "  " }
      let padding = String(repeating: " ", count: widths[column] - text.count)
      line += columns[column].isNumeric ? padding + text : text + padding
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}

extension String {
  /// The text followed by spaces up to a width.
  public func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
