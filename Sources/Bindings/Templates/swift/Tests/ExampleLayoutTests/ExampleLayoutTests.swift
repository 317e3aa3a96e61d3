import Foundation
import Testing

/// The engine as hosts use it: the library that `swift build` makes.
@Suite struct ExampleLayoutTests {
  /// Every rule that engines keep, and the layouts that are stored in goldens/.
  @Test func theSuitePasses() throws {
    let level = ProcessInfo.processInfo.environment["LEVEL"] ?? "standard"
    let report = try tessera("check", library, "--level", level, "--golden", "\(project)/goldens")
    #expect(report.status == 0, "\(report.text)")
  }

  /// Two of 60 fit into 190 beside the shift of half of 60 + 6.
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

/// The library lies beside these tests.
private let library = URL(fileURLWithPath: CommandLine.arguments[0])
  .deletingLastPathComponent().appendingPathComponent("libExampleLayout.so").path

/// Runs the command of the Tessera that this project is linked to.
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
