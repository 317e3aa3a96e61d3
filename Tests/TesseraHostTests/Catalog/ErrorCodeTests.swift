import Foundation
import TesseraHost
import TestSupport
import Testing

@Suite struct ErrorCodeTests {
  @Test func theReferenceListsEveryCode() throws {
    let folder = try TemporaryFolder()
    let made = try DocumentationTool.run("--reference", folder.path(""))
    try #require(made.status == 0, "\(made.errors)")
    let rows = try String(contentsOfFile: folder.path("Codes/README.md"), encoding: .utf8)
      .matches(of: /\| `(\w+)` \| `(\w+)` \| (\d+) \| [^|]+ \|/).map(\.output)
    #expect(rows.map { String($0.1) } == HostError.Code.allCases.map(\.rawValue))
    for (row, code) in zip(rows, HostError.Code.allCases) {
      #expect(row.2 == code.kind.rawValue && row.3 == "\(code.kind.status)", "\(code)")
    }
  }

  @Test(arguments: HostError.Code.allCases) func engineIsNamed(_ code: HostError.Code) {
    let error = HostError(code, "found 3 rows", engine: "org.example.full")
    #expect(error.fact.components(separatedBy: "org.example.full").count == 2)
    let about = error.about("line 4")
    #expect(about.fact == "line 4: \(error.fact)")
    #expect(about.code == code && about.engine == error.engine)
  }
}
