import Foundation
import TestSupport
import Testing

/// How soon a process that waited is killed once it exceeds its memory.
///
/// Measured by a program in C, Tests/Fixtures/workers/watched.c, with the watch compiled into it.
@Suite struct WatchTests {
  /// Most attempts, because each can be the one in which a busy machine gives the watch no processor; half a
  /// period for the kill, and for the timers of a virtual machine.
  @Test func quietProcessIsStoppedInTheTimeOfSecurity() throws {
    let page = try String(
      contentsOf: BuiltProducts.repository.appendingPathComponent("SECURITY.md"), encoding: .utf8)
    let text = page.replacing("\n", with: " ")
    let found = try #require(text.firstMatch(of: /checks memory and threads every (\d+) ms/))
    let period = try #require(Double(found.output.1))
    let delays = try measure(11)
    try #require(delays.count == 11)
    #expect(delays.sorted()[7] <= 1.5 * period, "\(delays)")
  }

  private func measure(_ count: Int) throws -> [Double] {
    let folder = try TemporaryFolder()
    let system = BuiltProducts.repository.appendingPathComponent("Sources/CTesseraSystem").path
    try CCompiler("gcc").compile(
      BuiltProducts.repository.appendingPathComponent("Tests/Fixtures/workers/watched.c").path,
      to: folder.path("watched"),
      flags: [
        "-std=gnu17", "-O2", "-Wall", "-Wextra", "-Werror", "-pthread", "-I\(system)/include",
      ] + ["watch", "worker", "memory_file", "forks"].map { "\(system)/\($0).c" })
    let result = try Program.run(folder.path("watched"), ["\(count)"])
    try #require(result.status == 0, "\(result.errors)")
    return result.output.split(separator: "\n").compactMap { Double($0) }
  }
}
