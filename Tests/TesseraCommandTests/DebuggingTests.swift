import Foundation
import TestSupport
import Testing

/// In the second ring, DebuggerTests run Documentation/Debugging.md.
@Suite struct DebuggingTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.link(
      "faulty.c", to: "\(BuiltProducts.repository.path)/Documentation/Examples/faulty.c")
    try folder.link("tessera", to: Program.tessera)
  }

  @Test(arguments: ["sandbox", "process"])
  func backtraceNeedsNoSymbolizer(isolation: String) throws {
    try compile()
    let result = try Program.tessera(
      "layout", "./libfaulty.so", "--set", "crashes=true", "--backtrace", "--isolation", isolation,
      in: folder, environment: ["PATH": "/nowhere"])
    #expect(result.status == 70)
    for (number, name) in ["place", "add_rows", "prepare"].enumerated() {
      #expect(
        result.errors.contains("\n  \(number)  \(name) in libfaulty.so\n"), "\(result.errors)")
    }
  }

  private func compile(_ flags: String...) throws {
    try CCompiler("gcc").compile(
      folder.path("faulty.c"), to: folder.path("libfaulty.so"),
      flags: ["-std=c11", "-g", "-shared", "-fPIC"] + CCompiler.strictness + flags)
  }

  @Test func optionsNeedTheirIsolation() throws {
    let result = try Program.tessera("layout", "grid", "--debug")
    #expect(result.status == 64)
    #expect(result.errors.contains("--debug needs --isolation none or process; found sandbox"))
    let inside = try Program.tessera("layout", "grid", "--backtrace", "--isolation", "none")
    #expect(inside.status == 64)
    #expect(inside.errors.contains("--backtrace needs --isolation sandbox or process; found none"))
  }

  @Test func debuggedWorkerInheritsEnvironmentAndErrors() throws {
    try CEngine(
      declarations: "#include <stdio.h>\n#include <stdlib.h>",
      body: CEngine.column + "fprintf(stderr, \"has %s\\n\", getenv(\"TESSERA_TEST\"));"
    ).build(in: folder)
    func errors(_ options: String...) throws -> String {
      try Program.tessera(
        ["layout", "./libcolumn.so", "--isolation", "process"] + options, in: folder,
        environment: ["TESSERA_TEST": "a value"]
      ).errors
    }
    #expect(try errors("--debug") == "has a value\n")
    #expect(try errors().contains("it printed \"has (null)\""))
  }
}
