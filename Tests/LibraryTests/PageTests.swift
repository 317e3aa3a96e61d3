import Foundation
import TestSupport
import Testing

/// The examples of Documentation/Embedding.md.
@Suite struct PageTests {
  private let page: String

  init() throws {
    page = try String(
      contentsOf: BuiltProducts.repository.appendingPathComponent("Documentation/Embedding.md"),
      encoding: .utf8)
  }

  private func block(_ language: String) throws -> String {
    let start = try #require(page.range(of: "\n```\(language)\n"))
    let end = try #require(page.range(of: "\n```", range: start.upperBound..<page.endIndex))
    return String(page[start.upperBound..<end.lowerBound]) + "\n"
  }

  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.link("engines", to: Prefix.engines)
    return folder
  }

  /// Two of 50, 20 apart, per line of 130; the third line starts at 140, out of sight.
  private static let answer = """
    0 0.0 0.0
    1 70.0 0.0
    2 0.0 70.0
    3 70.0 70.0

    """

  @Test func theProgramInSwiftRuns() throws {
    let folder = try folder()
    let program = try block("swift")
    #expect(program.split(separator: "\n").count <= 10)
    try folder.write("main.swift", program)
    let built = BuiltProducts.folder.path
    let repository = BuiltProducts.repository.path
    let modules = BuiltProducts.hostModules
    let objects = modules.flatMap(BuiltProducts.objects(of:)).map { "'\($0)'" }
      .joined(separator: " ")
    let result = try Program.run(
      "bash",
      [
        "-c",
        """
        swiftc -swift-version 6 main.swift -o grid -I '\(built)/Modules' \(objects) -lffi \
          -Xcc -fmodule-map-file='\(repository)/Sources/CTessera/include/module.modulemap' \
          -Xcc -fmodule-map-file='\(built)/CTesseraSystem.build/module.modulemap' \
          -Xcc -fmodule-map-file='\(built)/CTesseraNumbers.build/module.modulemap' \
          && ln -s '\(built)/tessera-worker' . && ./grid
        """,
      ], in: folder.path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output == Self.answer)
  }

  @Test(arguments: CCompiler.all) func theProgramInCRuns(compiler: CCompiler) throws {
    let folder = try folder()
    try folder.write("grid.c", try block("c"))
    try Prefix.shared.get().compile(
      folder.path("grid.c"), by: compiler, to: folder.path("grid"))
    let result = try Program.run(folder.path("grid"), [], in: folder.path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output == Self.answer)
  }
}
