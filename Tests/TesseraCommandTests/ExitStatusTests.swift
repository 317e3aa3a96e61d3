import Foundation
import TestSupport
import Testing

@Suite struct ExitStatusTests {
  private func expect(
    _ result: ProgramResult, _ status: Int32, _ parts: String...,
    at location: SourceLocation = #_sourceLocation
  ) {
    #expect(result.status == status, "\(result.errors)", sourceLocation: location)
    #expect(!result.wasKilled, sourceLocation: location)
    #expect(result.output.isEmpty, sourceLocation: location)
    #expect(result.errors.hasPrefix("tessera: "), sourceLocation: location)
    #expect(result.errors.last == "\n", sourceLocation: location)
    #expect(result.errors.count(where: { $0 == "\n" }) == 1, sourceLocation: location)
    for part in parts {
      #expect(result.errors.contains(part), "\(result.errors)", sourceLocation: location)
    }
  }

  // MARK: 65, wrong input

  static let wrong: [(arguments: [String], parts: [String])] = [
    (["--bounds", "wide"], ["bounds", "width and height"]),
    (["--items", "-3"], ["sections[0].items is the number -3; expected a whole number"]),
    (["--set", "itemSiz=3"], ["did you mean itemSize?"]),
    (["--items-from", "table.csv"], ["line 3", "tall"]),
    (["--scenario", "scenario.json"], ["bonds", "bounds"]),
  ]

  @Test(arguments: wrong)
  func invalidInputIsReported(arguments: [String], parts: [String]) throws {
    let folder = try TemporaryFolder()
    try folder.write("scenario.json", #"{"bonds": [1, 2]}"#)
    try folder.write("table.csv", "width,height\n10,20\n10,tall\n")
    let result = try Program.tessera(["layout", "flow"] + arguments, in: folder)
    expect(result, 65)
    for part in parts { #expect(result.errors.contains(part), "\(result.errors)") }
  }

  @Test func tooManyRowsAreReported() throws {
    let result = try Program.tessera("layout", "grid", "--items", "1000000000")
    expect(result, 65, "--visible")
  }

  // MARK: 66, not there

  @Test func missingEngineIsReported() throws {
    expect(try Program.tessera("layout", "mosiac"), 66, "mosiac", "mosaic")
    expect(try Program.tessera("info", "org.example.none"), 66, "org.example.none")
  }

  // MARK: 73, output

  @Test func unwritableOutputIsReported() throws {
    let folder = try TemporaryFolder()
    expect(
      try Program.tessera("layout", "mosaic", "-o", "none/picture.svg", in: folder), 73,
      "none/picture.svg", "No such file or directory")
    expect(
      try Program.tessera("layout", "mosaic", "--format", "csv", "-o", "/dev/full", in: folder), 73,
      "/dev/full", "No space left on device")
    let full = try Program.shell("'\(Program.tessera)' layout mosaic > /dev/full", in: folder)
    expect(full, 73, "standard output", "No space left on device")
    #expect(try folder.names == [])
  }

  // MARK: 0, a reader that goes away

  @Test func brokenPipeEndsQuietly() throws {
    let result = try Program.shell(
      "'\(Program.tessera)' layout grid --items 200000 --format ndjson | head -n 1; "
        + "echo ${PIPESTATUS[0]}", in: TemporaryFolder())
    #expect(result.errors.isEmpty)
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.last == "0")
  }
}
