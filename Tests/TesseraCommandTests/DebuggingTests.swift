import Foundation
import TestSupport
import Testing

/// What Documentation/Debugging.md shows works.
@Suite struct DebuggingTests {
  private let folder: TemporaryFolder
  private let page: String

  init() throws {
    page = try String(
      contentsOf: BuiltProducts.repository.appendingPathComponent("Documentation/Debugging.md"),
      encoding: .utf8)
    folder = try TemporaryFolder()
    try folder.link(
      "faulty.c", to: "\(BuiltProducts.repository.path)/Documentation/Examples/faulty.c")
    try folder.link("tessera", to: Program.tessera)
  }

  static func isInstalled(_ tool: String) -> Bool {
    (try? Program.run("which", [tool]))?.status == 0
  }

  /// Runs the commands under a heading after those that compile the engine.
  private func run(
    _ heading: String, path: String? = nil, environment: [String: String] = [:]
  ) throws -> ProgramResult {
    let start = try #require(page.range(of: "\n## \(heading)\n"), "there is no heading \(heading)")
    let end = page[start.upperBound...].range(of: "\n## ")?.lowerBound ?? page.endIndex
    let commands = [page[..<start.lowerBound], page[start.upperBound..<end]].map { text in
      text.matches(of: #/\n```sh\n(.*?)\n```/#.dotMatchesNewlines()).map { String($0.output.1) }
    }
    try #require(!commands[1].isEmpty)
    let script = ([commands[0][0]] + commands[1]).joined(separator: "\n")
      .replacing("$(pkg-config --cflags tessera)", with: "-I '\(CCompiler.headers)'")
      .replacing("/usr/local/libexec/tessera/", with: "\(folder.path)/")
    let found = path ?? ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return try Program.run(
      "bash", ["-c", "PATH=$PWD:$PATH\n" + script], in: folder.path,
      environment: environment.merging(["PATH": found]) { $1 })
  }

  @Test func backtraceShowsFunctionsAndTheSentence() throws {
    let result = try run("Where it crashed")
    #expect(result.status == 70)
    let lines = result.errors.split(separator: "\n").map(String.init)
    #expect(lines.first == "backtrace, the last call first:")
    for (line, name) in zip(lines.dropFirst(), ["place", "add_rows", "prepare"]) {
      #expect(line.contains("\(name) in libfaulty.so"), "\(result.errors)")
      if Self.isInstalled("llvm-symbolizer") || Self.isInstalled("addr2line") {
        #expect(line.contains("faulty.c:"), "\(result.errors)")
      }
    }
    #expect(
      lines.dropFirst(4) == [
        "tessera: org.example.faulty crashed in prepare with SIGSEGV (invalid memory access)"
      ])
    #expect(page.contains(lines.last ?? ""))
  }

  /// Without a symbolizer, the names come from the library's own symbols.
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

  @Test func backtraceOfAStrippedLibraryHasAddresses() throws {
    try compile("-s")
    let result = try Program.tessera(
      "layout", "./libfaulty.so", "--set", "crashes=true", "--backtrace", in: folder)
    #expect(result.status == 70)
    #expect(result.errors.contains(/\n  0  0x[0-9a-f]+ in libfaulty.so\n/), "\(result.errors)")
  }

  @Test func crashIsSilentWithoutTheOption() throws {
    try compile()
    let result = try Program.tessera(
      "layout", "./libfaulty.so", "--set", "crashes=true", in: folder)
    #expect(
      result.errors
        == "tessera: org.example.faulty crashed in prepare with SIGSEGV (invalid memory access)\n")
  }

  private func compile(_ flags: String...) throws {
    try CCompiler("gcc").compile(
      folder.path("faulty.c"), to: folder.path("libfaulty.so"),
      flags: ["-std=c11", "-g", "-shared", "-fPIC"] + CCompiler.strictness + flags)
  }

  @Test(.enabled(if: isInstalled("gdb"), "gdb is not installed"))
  func gdbFindsTheEngine() throws {
    let result = try run("gdb")
    let text = result.output + result.errors
    #expect(text.contains("received signal SIGSEGV"), "\(text)")
    #expect(text.contains(/#0 .*place \(frames=0x0.*faulty.c:\d+/), "\(text)")
    #expect(text.contains(/Breakpoint 1, place \(.*faulty.c:\d+/), "\(text)")
    #expect(text.contains("item = 0"))
  }

  @Test(.enabled(if: isInstalled("valgrind"), "valgrind is not installed"))
  func valgrindFindsTheOverflow() throws {
    let strip = try Program.run(
      "strip", ["-o", folder.path("tessera-worker"), "\(BuiltProducts.folder.path)/tessera-worker"])
    #expect(strip.status == 0, "\(strip.errors)")
    let result = try run("valgrind")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("Invalid write of size 8"), "\(result.errors)")
    #expect(result.errors.contains(/row_starts \(faulty.c:\d+\)/), "\(result.errors)")
    #expect(result.output.contains("\"org.example.faulty\""))
  }

  private static var hasAddressSanitizer: Bool {
    (try? Program.run("cc", ["-print-file-name=libasan.so"]))?.output.hasPrefix("/") == true
  }

  @Test(.enabled(if: hasAddressSanitizer, "AddressSanitizer is not installed"))
  func addressSanitizerFindsTheOverflow() throws {
    let result = try run("AddressSanitizer")
    #expect(result.errors.contains("heap-buffer-overflow"), "\(result.errors)")
    #expect(result.errors.contains(/in row_starts .*faulty.c:\d+/), "\(result.errors)")
  }

  /// Whether the kernel lets this user count something.
  private static var canRecord: Bool {
    guard isInstalled("perf"), let folder = try? TemporaryFolder() else { return false }
    return (try? Program.run("perf", ["record", "-q", "-o", folder.path("data"), "true"]))?.status
      == 0
  }

  @Test(.enabled(if: canRecord, "perf is not installed, or the kernel does not permit it"))
  func perfFindsTheFunctions() throws {
    let result = try run("perf")
    #expect(
      result.output.contains(/libfaulty.so +\[\.\] (place|add_rows|row_starts)/), "\(result.errors)"
    )
  }

  @Test func optionsNeedTheirIsolation() throws {
    let result = try Program.tessera("layout", "grid", "--debug")
    #expect(result.status == 64)
    #expect(result.errors.contains("--debug needs --isolation none or process; found sandbox"))
    let inside = try Program.tessera("layout", "grid", "--backtrace", "--isolation", "none")
    #expect(inside.status == 64)
    #expect(inside.errors.contains("--backtrace needs --isolation sandbox or process; found none"))
  }

  /// A worker that is debugged has this program's environment and writes to its standard error.
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

  /// A call has no time limit while a debugger may have stopped it, unless one is given.
  @Test(arguments: Soak.isFull ? ["none", "process"] : ["process"])
  func debuggingHasNoTimeLimit(isolation: String) throws {
    try CEngine(body: CEngine.column + "sleep(11);").build(in: folder)
    let arguments = [
      "layout", "./libcolumn.so", "--items", "1", "--isolation", isolation, "--debug",
    ]
    let result = try Program.tessera(arguments, in: folder)
    #expect(result.status == 0, "\(result.errors)")
    let limited = try Program.tessera(arguments + ["--timeout", "0.5"], in: folder)
    #expect(limited.status == 70)
    #expect(limited.errors.contains("did not return"))
  }

  // MARK: - The output of a crash

  /// A Swift engine's trap is reported with its reason, however long the trace is that follows.
  @Test(arguments: ["sandbox", "process"]) func reasonOfASwiftTrapIsReported(isolation: String)
    throws
  {
    try folder.write(
      "trap.swift",
      "@_cdecl(\"trap\") public func trap(_ index: Int) -> Int { [1, 2, 3][index] }")
    let object = folder.path("trap.o")
    let compiled = try Program.run(
      "swiftc", ["-parse-as-library", "-emit-object", folder.path("trap.swift"), "-o", object])
    #expect(compiled.status == 0, "\(compiled.errors)")
    try folder.write(
      "column.c", CEngine(declarations: "long trap(long);", body: "trap(12);").source)
    let engine = folder.path("column.o")
    try CCompiler("gcc").compile(
      folder.path("column.c"), to: engine, flags: ["-std=c11", "-fPIC", "-c"])
    let linked = try Program.run(
      "swiftc", ["-emit-library", object, engine, "-o", folder.path("libcolumn.so")])
    #expect(linked.status == 0, "\(linked.errors)")
    let result = try Program.tessera(
      "layout", "./libcolumn.so", "--items", "1", "--isolation", isolation, in: folder)
    #expect(result.status == 70)
    #expect(result.errors.contains("Fatal error: Index out of range"), "\(result.errors)")
    #expect(!result.errors.contains("stack trace"), "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1)
  }
}
