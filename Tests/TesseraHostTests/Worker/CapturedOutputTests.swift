import Testing

@testable import TesseraWorker

@Suite struct CapturedOutputTests {
  private func output(_ pieces: String...) -> CapturedOutput {
    var output = CapturedOutput(descriptor: -1)
    for piece in pieces { Array(piece.utf8).withUnsafeBytes { output.add($0) } }
    return output
  }

  @Test func shortOutputIsShownWhole() {
    #expect(output("one\n", "two\n").summary == "one two")
    #expect(output("one\ntwo").ofCrash == "one two")
    #expect(output().summary == nil)
    #expect(output("\n \u{1B}").ofCrash == nil)
  }

  @Test(arguments: [1, 7, 4096, 1 << 20]) func longOutputIsShownByItsEnds(piece: Int) throws {
    let text = Array(("first\n" + String(repeating: "x", count: 100_000) + "\nlast").utf8)
    var output = CapturedOutput(descriptor: -1)
    for start in stride(from: 0, to: text.count, by: piece) {
      text[start..<min(start + piece, text.count)].withUnsafeBytes { output.add($0) }
    }
    #expect(output.total == text.count)
    let shown = try #require(output.summary)
    #expect(shown.hasPrefix("first xxx") && shown.hasSuffix("xxx last"))
    #expect(shown.contains(" … ") && shown.count < 400)
    output.forget()
    #expect(output.summary == nil && output.total == 0)
  }

  @Test(arguments: [
    "Swift/Array.swift:692: Fatal error: Index out of range",
    "a.c:12: f: Assertion `x > 0' failed.",
    "terminate called after throwing an instance of 'std::out_of_range'",
    "thread '<unnamed>' panicked at src/lib.rs:4:5:",
    "==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1",
    "*** stack smashing detected ***: terminated",
  ])
  func crashIsShownFromItsFirstLine(line: String) throws {
    let before = String(repeating: "a line of the engine\n", count: 10_000)
    let trace = (0..<100).map { "\($0) libx.so 0x00007f12 <unavailable> + 12\n" }.joined()
    let shown = try #require(output(before, line + "\n", trace).ofCrash)
    #expect(shown.hasPrefix(line), "\(shown)")
    let swift = try #require(output(before, line + "\nCurrent stack trace:\n" + trace).ofCrash)
    #expect(swift == line)
  }
}
