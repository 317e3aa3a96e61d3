import Foundation
import Testing

/// Tests the library that `swift build` makes, as hosts use it.
@Suite struct ExampleLayoutTests {
  /// All rules for engines, and the stored layouts in goldens/.
  @Test func theSuitePasses() throws {
    let level = ProcessInfo.processInfo.environment["LEVEL"] ?? "standard"
    let report = try tessera(["check", library, "--level", level] + goldens)
    #expect(report.status == 0, "\(report.text)")
  }

  /// Opposite edges must not pass each other.
  @Test func cellsShrinkToNothing() throws {
    let layout = try tessera([
      "layout", library, "--items", "4", "--set", "every=1", "--set", "inset=1000", "--format",
      "csv",
    ])
    let widths = layout.text.split(separator: "\n").filter { $0.hasPrefix("cell,") }.map {
      $0.split(separator: ",", omittingEmptySubsequences: false)[6]
    }
    #expect(widths == ["0", "0", "0", "0"], "\(layout.text)")
  }
}

private let project = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

/// Stored layouts are compared.
private let goldens: [String] = {
  let files = try? FileManager.default.subpathsOfDirectory(atPath: "\(project)/goldens")
  return files?.contains { $0.hasSuffix("expected.json") } == true
    ? ["--golden", "\(project)/goldens"] : []
}()

private let library = URL(fileURLWithPath: CommandLine.arguments[0])
  .deletingLastPathComponent().appendingPathComponent("libExampleLayout.so").path

private func tessera(_ arguments: [String]) throws -> (status: Int32, text: String) {
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
