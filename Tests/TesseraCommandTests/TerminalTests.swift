import TestSupport
import Testing

/// Terminal output, through util-linux's `script`.
@Suite struct TerminalTests {
  private func onTerminal(_ line: String, _ environment: [String: String] = [:]) throws -> String {
    let result = try Program.run(
      "/usr/bin/script", ["-qec", "'\(Program.tessera)' \(line)", "/dev/null"],
      environment: environment.merging(["TERM": "xterm"]) { given, _ in given })
    try #require(result.status == 0, "\(result.errors)")
    return result.output.replacing("\r\n", with: "\n")
  }

  @Test func tableIsTheDefaultAndIsTruncated() throws {
    let output = try onTerminal("layout mosaic --items 100")
    let lines = output.split(separator: "\n")
    #expect(lines.count == 43)
    #expect(lines[0] == "org.tessera.mosaic  content 375 × 7839  100 elements")
    #expect(lines[1].hasPrefix("\u{1B}[1mELEMENT"))
    #expect(lines[42] == "… 60 more; --format json prints all")
  }

  @Test(arguments: [["NO_COLOR": "1"], ["TERM": "dumb"]])
  func coloursCanBeDisabled(environment: [String: String]) throws {
    let output = try onTerminal("layout mosaic --items 100", environment)
    #expect(!output.contains("\u{1B}"))
  }

  /// Reports progress longer than the command's delay before showing it.
  @Test func longWorkShowsProgressAndCleansUp() throws {
    let folder = try TemporaryFolder()
    let library = try CEngine(
      declarations: """
        #include <time.h>
        static double now(void) { return (double)clock() / CLOCKS_PER_SEC; }
        """,
      body: CEngine.column + """
        for (double end = now() + 1; now() < end;)
          if (!the_host->progress(the_host, 0.25)) return TESSERA_ERROR_CANCELLED;
        the_host->report(the_host, TESSERA_OK, "that took a while");

        """
    ).build(in: folder)
    let output = try onTerminal("layout \(library) --items 1")
    let line = "\r\u{1B}[Korg.example.column 25 %"
    #expect(output.hasPrefix(line))
    let rest = output.replacing(line, with: "")
    #expect(
      rest.hasPrefix(
        "\r\u{1B}[Ktessera: org.example.column: that took a while\norg.example.column  content"))
  }
}
