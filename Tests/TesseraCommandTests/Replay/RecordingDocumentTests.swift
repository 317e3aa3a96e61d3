import Foundation
import TestSupport
import Testing

/// The examples of Documentation/Recording.md work.
@Suite struct RecordingDocumentTests {
  private func blocks(in language: String) throws -> [String] {
    let text = try String(
      contentsOfFile: "\(BuiltProducts.repository.path)/Documentation/Recording.md",
      encoding: .utf8)
    return text.components(separatedBy: "\n```").enumerated()
      .filter { $0.offset % 2 == 1 && $0.element.hasPrefix("\(language)\n") }
      .map { String($0.element.dropFirst(language.count + 1)) + "\n" }
  }

  @Test func itsCommandsRun() throws {
    let folder = try TemporaryFolder()
    let commands = try #require(blocks(in: "sh").first)
      .split(separator: "\n").map { $0.replacing("tessera ", with: "'\(Program.tessera)' ") }
      .joined(separator: "\n")
    let result = try Program.shell("set -e\n\(commands)", in: folder)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    #expect(result.output.hasSuffix("calls, as recorded\n"))
    #expect(try folder.names == ["mosaic.jsonl", "mosaic.svg"])
  }

  @Test func failureRecordingsCanBeReplayed() throws {
    let folder = try TemporaryFolder()
    let recordings = try blocks(in: "jsonl")
    #expect(recordings.count == 2)
    for recording in recordings {
      try folder.write("r.jsonl", recording)
      let result = try Program.tessera("replay", "r.jsonl", in: folder)
      #expect(result.status == 0, "\(result.output)\(result.errors)")
    }
  }
}
