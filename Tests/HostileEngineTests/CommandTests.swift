import Foundation
import TestSupport
import Testing

/// The command with hostile engines ends in time, with one sentence and its status, leaving
/// nothing.
extension HostileEngineTests {
  @Suite struct CommandTests {
    private static let script = """
      {"before": {"sections": [{"items": 6}]}, "after": {"sections": [{"items": 7}]},
       "operations": [{"insert": [0, 6]}]}
      """

    private func run(
      _ hostile: HostileCase, _ library: HostileLibrary, options: [String]
    ) throws -> ProgramResult {
      let folder = try TemporaryFolder()
      var arguments: [String]
      switch hostile.question {
      case .layout: arguments = ["layout", library.name, "--items", "6", "--format", "json"]
      case .call: arguments = ["call", library.name, "attack", "--items", "6"]
      case .snap: arguments = ["snap", library.name, "--offset", "0,10", "--items", "6"]
      case .update: arguments = ["update", library.name, "--script", "-"]
      }
      arguments += ["--timeout", "\(hostile.limits.secondsPerCall)"] + hostile.arguments + options
      if hostile.isOnPath { arguments += ["--engines", library.folder] }
      let input = hostile.question == .update ? Self.script : ""
      let result = try Program.run(
        BuiltProducts.command.path, arguments, in: folder.path, input: input,
        environment: ["TESSERA_PATH": "", "TESSERA_SECRET": "seen"])
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
      return result
    }

    /// One engine for each outcome and question; all in a soak.
    private static let asked: [HostileCase] = {
      var seen: Set<String> = []
      return HostileCases.everything.filter { hostile in
        let kind = "\(hostile.ends.map(\.words).joined()) \(hostile.question)"
        return !hostile.isForEmbedding && (seen.insert(kind).inserted || Soak.isFull)
      }
    }()

    @Test(
      arguments: asked.map { ($0, false) }
        + asked.filter { $0.ends.contains { $0.status == 70 } }.map { ($0, true) })
    func commandReportsTheOutcome(_ hostile: HostileCase, hasBacktrace: Bool) throws {
      let library = try HostileLibrary(hostile)
      let strays = Processes.strayWorkers
      let start = ContinuousClock.now
      let result = try run(hostile, library, options: hasBacktrace ? ["--backtrace"] : [])
      #expect(ContinuousClock.now - start < .seconds(hostile.seconds + (hasBacktrace ? 10 : 0)))
      #expect(!result.wasKilled)
      expectSoundText(result.errors)
      let isTrace = { (line: Substring) in line.hasPrefix("backtrace, ") || line.hasPrefix("  ") }
      let lines = result.errors.split(separator: "\n")
      #expect(!hasBacktrace || lines.count(where: isTrace) <= 1 + 48 * 8)
      let untraced = ProgramResult(
        status: result.status, wasKilled: result.wasKilled, output: result.output,
        errors: hasBacktrace
          ? lines.filter { !isTrace($0) }.map { "\($0)\n" }.joined() : result.errors)
      let mismatches = hostile.ends.map { mismatch(untraced, $0, hostile, library) }
      #expect(
        mismatches.contains(nil), "\(mismatches.compactMap(\.self)): \(result.errors.prefix(1000))")
      #expect(try library.changes() == [])
      #expect(Processes.settled { Processes.strayWorkers.subtracting(strays).isEmpty })
    }

    @Test(
      arguments: Ring.isSecond
        ? ["0x7fffffffffffffff", "0x8000000000000000", "-1"] : ["0x8000000000000000"])
    func forgedReportDoesNotEndTheSuite(_ bytes: String) throws {
      let library = try HostileLibrary(
        HostileCase("takes-over", flags: ["-DFORGE=REPORT", "-DITEM=\(bytes)"], .lays))
      let result = try Program.run(
        BuiltProducts.command.path,
        ["check", library.path, "--timeout", "3", "--filter", "memory-allocations-stay-bounded"],
        environment: ["TESSERA_PATH": ""])
      #expect(result.status == (bytes == "-1" ? 0 : 1), "\(result.errors.prefix(300))")
      expectSoundText(result.errors)
      #expect(bytes == "-1" || result.output.contains("its answer has the number of bytes"))
    }

    /// No terminal escapes, no debug output.
    private func expectSoundText(_ text: String) {
      let controls = text.unicodeScalars.filter {
        $0.properties.generalCategory == .control && $0 != "\n" && $0 != "\t"
      }
      #expect(controls.isEmpty)
      for trace in ["Stack dump", "Backtrace", "Fatal error", "crashed:"] {
        #expect(!text.contains(trace))
      }
      for line in text.split(separator: "\n") { #expect(!line.hasPrefix("tessera: all is well")) }
      #expect(!text.contains("/etc/passwd") && !text.contains("\u{202E}"))
      #expect(text.utf8.count < 200_000)
    }

    private struct Layout: Decodable, Equatable {
      struct Cell: Decodable, Equatable { var section: Int, item: Int, frame: [Double] }
      var contentSize: [Double]
      var elements: [Cell]
    }

    private func mismatch(
      _ result: ProgramResult, _ end: HostileEnd, _ hostile: HostileCase, _ library: HostileLibrary
    ) -> String? {
      guard result.status == end.status else { return "status \(result.status), not \(end.status)" }
      let lines = result.errors.split(separator: "\n")
      if end.status == 0 {
        guard end.mayTalk || lines.isEmpty else { return "words beside success" }
        guard hostile.question == .layout else { return result.output.isEmpty ? "no answer" : nil }
        // Rows of 50 in a viewport 375 wide.
        let cells = (0..<6).map {
          Layout.Cell(section: 0, item: $0, frame: [0, 50 * Double($0), 375, 50])
        }
        let found = try? JSONDecoder().decode(Layout.self, from: Data(result.output.utf8))
        return found == Layout(contentSize: [375, 300], elements: cells) ? nil : "another layout"
      }
      guard result.output.isEmpty else { return "output beside a failure" }
      guard result.errors.hasSuffix("\n"), let sentence = lines.last,
        sentence.hasPrefix("tessera: "), end.mayTalk || lines.count == 1
      else { return "not one sentence" }
      let subject = hostile.id ?? "lib\(hostile.source).so"
      guard end.isAnonymous || sentence.contains(subject) || sentence.contains(library.path) else {
        return "not named"
      }
      let missing = end.missing(in: result.errors)
      return missing.isEmpty ? nil : "nothing of \(missing)"
    }
  }
}
