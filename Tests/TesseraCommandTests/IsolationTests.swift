import Foundation
import TestSupport
import Testing

@Suite struct IsolationTests {
  private static let modes = ["sandbox", "process", "none"]

  @Test func engineRunsInThisProcessOnlyWithoutIsolation() throws {
    let folder = try TemporaryFolder()
    // Tells whether its parent is the command or the command's parent.
    let engine = CEngine(
      body: CEngine.column + "rows->frame[0].width = getppid();")
    try engine.build(in: folder)
    func parent(_ mode: String) throws -> Double {
      let answer = try Program.tessera(
        "layout", "./libcolumn.so", "--items", "1", "--isolation", mode, in: folder
      ).layout()
      return try #require(answer.frames.first)[2]
    }
    #expect(try parent("none") == Double(getpid()))
    #expect(try parent("process") != Double(getpid()))
    #expect(try parent("sandbox") != Double(getpid()))
  }

  @Test(arguments: modes)
  func slowCallIsStopped(mode: String) throws {
    let folder = try TemporaryFolder()
    try CEngine(body: "for (volatile uint64_t i = 0; n; i++) {}").build(in: folder)
    let start = ContinuousClock.now
    let result = try Program.tessera(
      "layout", "./libcolumn.so", "--timeout", "1.5", "--isolation", mode, in: folder)
    #expect(ContinuousClock.now - start < .seconds(15))
    #expect(result.status == 70)
    #expect(!result.wasKilled)
    #expect(result.output.isEmpty)
    #expect(result.errors.count { $0 == "\n" } == 1)
    #expect(result.errors.hasPrefix("tessera: org.example.column did not return"))
    #expect(result.errors.contains("within 1.5 s and was stopped"), "\(result.errors)")
    #expect(result.errors.contains("with this command") == (mode == "none"))
    #expect(result.errors.contains("--timeout"))
  }

}
