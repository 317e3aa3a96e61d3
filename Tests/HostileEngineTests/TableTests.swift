import Foundation
import TestSupport
import Testing

/// The engines, their table and the cases are of one another.
@Suite struct TableTests {
  private let sources: [String]
  private let table: String

  init() throws {
    let folder = BuiltProducts.repository.appendingPathComponent("Tests/HostileEngines")
    sources = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".c") || $0.hasSuffix(".cpp") }
    table = try String(contentsOf: folder.appendingPathComponent("README.md"), encoding: .utf8)
  }

  @Test func everyEngineHasACaseAndARow() {
    let cases = Set(HostileCases.everything.map(\.source))
    #expect(sources.count >= 48)
    for source in sources {
      #expect(cases.contains((source as NSString).deletingPathExtension), "\(source)")
      #expect(table.contains("\n| `\(source)` |"), "\(source)")
    }
  }

  @Test func everyCaseAndRowHasAnEngine() {
    let names = Set(sources.map { ($0 as NSString).deletingPathExtension })
    for hostile in HostileCases.everything {
      #expect(names.contains(hostile.source), "\(hostile.source)")
    }
    #expect(table.components(separatedBy: "\n| `").count - 1 == sources.count)
  }

  /// The last three columns of a row are what the cases of its engine expect.
  @Test func everyRowMatchesItsCases() {
    let rows = table.split(separator: "\n").filter { $0.hasPrefix("| `") }
    for row in rows {
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      let source = (String(cells[0].dropFirst().dropLast()) as NSString).deletingPathExtension
      let expected = TableRow(HostileCases.everything.filter { $0.source == source }).text
      #expect(row.hasSuffix(" | \(expected) |"), "\(source) ⇒ \(expected)")
    }
  }

  /// The name that a file gives its engine is the file's own.
  @Test func everyEngineHasTheNameOfItsFile() throws {
    for source in sources {
      let name = (source as NSString).deletingPathExtension
      let text = try String(
        contentsOf: BuiltProducts.repository.appendingPathComponent(
          "Tests/HostileEngines/\(source)"), encoding: .utf8)
      #expect(text.contains("HOSTILE(\"\(name)\","), "\(source)")
    }
  }
}
