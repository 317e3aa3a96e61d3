import TestSupport
import Testing

struct Table {
  private let names: [String]
  private let lines: [[String]]

  init(_ result: ProgramResult, at location: SourceLocation = #_sourceLocation) throws {
    try #require(result.status == 0, "\(result.errors)", sourceLocation: location)
    #expect(result.errors.isEmpty, "\(result.errors)", sourceLocation: location)
    let lines = result.output.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    names = try #require(lines.first, sourceLocation: location)
    self.lines = Array(lines.dropFirst())
  }

  /// Empty if there is no such column.
  subscript(_ name: String) -> [String] {
    guard let column = names.firstIndex(of: name) else { return [] }
    return lines.map { $0[column] }
  }

  var frames: [[Double]] {
    let columns = ["x", "y", "width", "height"].map { self[$0].compactMap(Double.init) }
    return lines.indices.map { row in columns.map { $0[row] } }
  }
}
