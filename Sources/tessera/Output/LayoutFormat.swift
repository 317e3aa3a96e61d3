import ArgumentParser

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
