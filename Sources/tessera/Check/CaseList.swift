import TesseraConformance
import TesseraHost
import TesseraScenario

/// The catalogue, for people to read or, as JSON, for a program.
struct CaseList {
  private let options: CaseOptions

  init(_ options: CaseOptions) { self.options = options }

  /// Writes the cases that the options choose: all levels where none of them is named.
  func write(as format: ReportFormat, to path: String?) throws {
    let cases = try Catalogue.cases(upTo: .thorough, matching: options.filter)
    try OutputFile.write(to: path) { output in
      guard format != .json else {
        return try output.write(JSON.list(cases.map(\.json)).text + "\n")
      }
      let rows = cases.map { [$0.id, $0.level.rawValue, $0.rule] }
      let columns = ["CASE", "LEVEL", "RULE"].map { TextTable.Column($0) }
      try TextTable(columns, rows: rows).write(to: output)
    }
  }
}

extension ConformanceCase {
  /// The case for a program; `skippedIf` is null where it holds for every engine.
  fileprivate var json: JSON {
    .object([
      ("id", .text(id)), ("category", .text(category.rawValue)), ("level", .text(level.rawValue)),
      ("rule", .text(rule)), ("why", .text(why)), ("remedy", .text(remedy)),
      ("skippedIf", .optional(needs.reason.isEmpty ? nil : needs.reason)),
    ])
  }
}
