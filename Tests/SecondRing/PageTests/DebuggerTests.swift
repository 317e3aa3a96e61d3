import Foundation
import TestSupport
import Testing

@Suite struct DebuggerTests {
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
      #expect(line.contains("faulty.c:"), "\(result.errors)")
    }
    #expect(
      lines.dropFirst(4) == [
        "tessera: org.example.faulty crashed in prepare with SIGSEGV (invalid memory access)"
      ])
    #expect(page.contains(lines.last ?? ""))
  }

  @Test func gdbFindsTheEngine() throws {
    let result = try run("gdb")
    let text = result.output + result.errors
    #expect(text.contains("received signal SIGSEGV"), "\(text)")
    #expect(text.contains(/#0 .*place \(frames=0x0.*faulty.c:\d+/), "\(text)")
    #expect(text.contains(/Breakpoint 1, place \(.*faulty.c:\d+/), "\(text)")
    #expect(text.contains("item = 0"))
  }

  @Test func valgrindFindsTheOverflow() throws {
    let strip = try Program.run(
      "strip", ["-o", folder.path("tessera-worker"), "\(BuiltProducts.folder.path)/tessera-worker"])
    #expect(strip.status == 0, "\(strip.errors)")
    let result = try run("valgrind")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("Invalid write of size 8"), "\(result.errors)")
    #expect(result.errors.contains(/row_starts \(faulty.c:\d+\)/), "\(result.errors)")
    #expect(result.output.contains("\"org.example.faulty\""))
  }

  @Test func addressSanitizerFindsTheOverflow() throws {
    let result = try run("AddressSanitizer")
    #expect(result.errors.contains("heap-buffer-overflow"), "\(result.errors)")
    #expect(result.errors.contains(/in row_starts .*faulty.c:\d+/), "\(result.errors)")
  }

  /// Whether the kernel permits perf events; a missing perf fails the test.
  private static var canRecord: Bool {
    guard Tool.isPresent("perf"), let folder = try? TemporaryFolder() else { return true }
    return (try? Program.run("perf", ["record", "-q", "-o", folder.path("data"), "true"]))?.status
      == 0
  }

  @Test(.enabled(if: canRecord, "the kernel does not permit perf")) func perfFindsTheFunctions()
    throws
  {
    let result = try run("perf")
    #expect(
      result.output.contains(/libfaulty.so +\[\.\] (place|add_rows|row_starts)/), "\(result.errors)"
    )
  }

  /// With a debugger, the time limit is off unless set.
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
}
