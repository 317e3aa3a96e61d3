import ArgumentParser

/// The format and the file of a layout.
struct OutputOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "The output format; defaults to table on a terminal, otherwise to json.",
      discussion: """
        A table shows three decimals, and on a terminal only the first 40 elements; the other formats \
        contain everything.
        """))
  var format: LayoutFormat?

  @Option(
    name: [.customShort("o"), .customLong("output")], parsing: .unconditional,
    help: ArgumentHelp(
      "Write to this file; the file extension selects the format.",
      discussion: """
        .json, .ndjson, .csv, .svg, .html, or .txt for a table. The file is written \
        completely or not at all.
        """, valueName: "file"),
    completion: .file())
  var output: String?

  mutating func validate() throws {
    guard format == nil, let output, LayoutFormat(ending: output) == nil else { return }
    throw ValidationError(
      "the ending of \(output) names no format; let it end in .json, .ndjson, .csv, .svg, .html or "
        + ".txt, or give --format")
  }

  /// The format that was asked for, or that suits where the result goes.
  var chosenFormat: LayoutFormat {
    if let format { return format }
    if let output { return LayoutFormat(ending: output) ?? .json }
    return Terminal.showsResults ? .table : .json
  }
}

/// The formats that a layout is printed or drawn in.
enum LayoutFormat: String, CaseIterable, ExpressibleByArgument {
  case table, json, ndjson, csv, svg, html

  /// The format that the ending of a file's name says; nil for another ending or none.
  init?(ending path: String) {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return nil }
    switch name[dot...].lowercased() {
    case ".txt": self = .table
    case ".json": self = .json
    case ".ndjson": self = .ndjson
    case ".csv": self = .csv
    case ".svg": self = .svg
    case ".html": self = .html
    default: return nil
    }
  }
}

/// The formats of a single answer.
enum AnswerFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json
}
