import Foundation
import Testing

/// Tests the library that `swift build` makes, as hosts use it.
@Suite struct ExampleLayoutTests {
  /// All rules for engines, and the stored layouts in goldens/.
  @Test func theSuitePasses() throws {
    let level = ProcessInfo.processInfo.environment["LEVEL"] ?? "standard"
    let report = try tessera("check", library, "--level", level, "--golden", "\(project)/goldens")
    #expect(report.status == 0, "\(report.text)")
  }

  /// Two cells of 60 fit into 190 beside the shift of half of 60 + 6.
  @Test func everySecondRowIsShifted() throws {
    let layout = try tessera(
      "layout", library, "--items", "4", "--bounds", "190x100", "--format", "csv")
    let frames = layout.text.split(separator: "\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false)[4...7].joined(separator: " ")
    }
    #expect(frames == ["0 0 60 40", "66 0 60 40", "33 46 60 40", "99 46 60 40"])
  }
}

private let project = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

private let library = URL(fileURLWithPath: CommandLine.arguments[0])
  .deletingLastPathComponent().appendingPathComponent("libExampleLayout.so").path

private func tessera(_ arguments: String...) throws -> (status: Int32, text: String) {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "\(project)/.tessera/tessera")
  process.arguments = arguments
  let output = Pipe()
  process.standardOutput = output
  process.standardError = output
  try process.run()
  let bytes = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
}
