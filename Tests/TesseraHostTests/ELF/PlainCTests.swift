import Foundation
import TestSupport
import Testing

/// The contract needs a C compiler and nothing of this project.
@Suite struct PlainCTests {
  private static let header = CCompiler.headers + "/tessera/tessera.h"

  @Test(arguments: ["gcc", "clang"], [["-x", "c", "-std=c11"], ["-x", "c++", "-std=c++17"]])
  func theHeaderCompilesAlone(compiler: String, language: [String]) throws {
    let flags = CCompiler.strictness + language + ["-fsyntax-only", Self.header]
    let result = try Program.run(compiler, flags)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.isEmpty)
  }

  @Test func aCompleteEngineIsShort() throws {
    let text = try String(contentsOfFile: FixtureEngine.source("diagonal"), encoding: .utf8)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count < 80)
  }

  @Test(arguments: CCompiler.all) func aCompleteEngineCompiles(compiler: CCompiler) throws {
    let folder = try TemporaryFolder()
    try compiler.compile(FixtureEngine.source("diagonal"), to: folder.path("libdiagonal.so"))
  }

  @Test(arguments: CCompiler.all) func gridCompilesOutsideThePackage(compiler: CCompiler) throws {
    let folder = try TemporaryFolder()
    try compiler.compile(
      BuiltProducts.repository.appendingPathComponent("Plugins/Grid/grid.c").path,
      to: folder.path("libgrid.so"),
      flags: ["-std=c11", "-O2", "-shared", "-fPIC"] + CCompiler.strictness)
  }
}
