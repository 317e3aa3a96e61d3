import Foundation
import TestSupport
import Testing

/// No code knows an engine by name: a test's engine works like a shipped one.
@Suite struct AnyEngineTests {
  @Test(arguments: CCompiler.all)
  func engineInCIsFound(compiler: CCompiler) throws {
    let folder = try TemporaryFolder()
    let library = try CEngine().build(in: folder, compiler: compiler)
    let environment = ["TESSERA_PATH": folder.path]

    let listed = try Program.tessera("list", environment: environment)
    #expect(listed.status == 0)
    #expect(listed.output.contains("org.example.column  Column  1.0.0    A column.  \(library)\n"))

    let described = try Program.tessera("info", "column", environment: environment)
    #expect(described.status == 0)
    #expect(described.output.hasPrefix("Column 1.0.0\nA column.\n"))

    let answer = try Program.tessera(
      "layout", "column", "--items", "2", "--bounds", "80x100", environment: environment
    ).layout()
    #expect(answer.engine == "org.example.column")
    #expect(answer.contentSize == [80, 20])
    #expect(answer.frames == [[0, 0, 80, 10], [0, 10, 80, 10]])
  }

  /// Indexes up to 2^63 - 2 must not overflow when added.
  @Test func lastNumbersOfElementsAreWritten() throws {
    let folder = try TemporaryFolder()
    try CCompiler("gcc").compile(
      FixtureEngine.source("far"), to: folder.path("libfar.so"),
      flags: ["-std=gnu11", "-shared", "-fPIC"])
    func check(_ arguments: [String]) throws {
      let result = try Program.tessera(arguments, in: folder)
      #expect(result.status == 0, "\(arguments): \(result.errors)")
      for number in 3...6 {
        #expect(
          result.output.contains("922337203685477580\(number)"), "\(arguments): \(result.output)")
      }
    }
    for format in ["json", "ndjson", "csv", "table", "svg", "html"] {
      try check(["layout", "./libfar.so", "--format", format])
      try check(["layout", "./libfar.so", "--format", format, "--visible"])
    }
  }
}
