import TestSupport
import Testing

/// What is different where a person looks on; `script` of util-linux stands in for the terminal.
@Suite struct TerminalTests {
  private func onTerminal(_ line: String, _ environment: [String: String] = [:]) throws -> String {
    let result = try Program.run(
      "/usr/bin/script", ["-qec", "'\(Program.tessera)' \(line)", "/dev/null"],
      environment: environment.merging(["TERM": "xterm"]) { given, _ in given })
    try #require(result.status == 0, "\(result.errors)")
    return result.output.replacing("\r\n", with: "\n")
  }

  @Test func aTableIsTheDefaultAndIsCutShort() throws {
    let output = try onTerminal("layout mosaic --items 100")
    let lines = output.split(separator: "\n")
    #expect(lines.count == 43)
    #expect(lines[0] == "org.tessera.mosaic  content 375 × 7839  100 elements")
    #expect(lines[1].hasPrefix("\u{1B}[1mELEMENT"))
    #expect(lines[42] == "… 60 more; --format json prints all")
  }

  @Test func nothingIsLeftOutOfASmallOne() throws {
    let output = try onTerminal("layout mosaic --items 40")
    #expect(output.split(separator: "\n").count == 42)
    #expect(!output.contains("more"))
  }

  @Test(arguments: [["NO_COLOR": "1"], ["TERM": "dumb"]])
  func coloursCanBeRefused(environment: [String: String]) throws {
    let output = try onTerminal("layout mosaic --items 100", environment)
    #expect(!output.contains("\u{1B}"))
  }
}
