import TesseraConformance
import TesseraHost

/// The catalogue, for people to read.
struct CaseList {
  private let options: CaseOptions

  init(_ options: CaseOptions) { self.options = options }

  /// Writes the cases that the options choose: all levels where none of them is named.
  func write(to path: String?) throws {
    let cases = try Catalogue.cases(upTo: .thorough, matching: options.filter)
    let rows = cases.map { [$0.id, $0.level.rawValue, $0.rule] }
    let columns = ["CASE", "LEVEL", "RULE"].map { TextTable.Column($0) }
    try OutputFile.write(to: path) { try TextTable(columns, rows: rows).write(to: $0) }
  }
}
