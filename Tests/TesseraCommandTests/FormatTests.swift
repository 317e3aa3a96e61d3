import Foundation
import TestSupport
import Testing

/// The formats of `tessera layout`, and their destinations.
@Suite struct FormatTests {
  static let arguments = ["layout", "mosaic", "--items", "3"]

  private func layout(_ more: String..., in folder: TemporaryFolder) throws -> ProgramResult {
    try Program.tessera(Self.arguments + more, in: folder)
  }

  @Test func jsonIsTheDefaultAwayFromATerminal() throws {
    let folder = try TemporaryFolder()
    let result = try layout(in: folder)
    #expect(result.output == (try layout("--format", "json", in: folder)).output)
    #expect(try LayoutOutput(result.output).elements.count == 3)
  }

  @Test func aTable() throws {
    #expect(
      try layout("--format", "table", in: TemporaryFolder()).output == """
        org.tessera.mosaic  content 375 × 402  3 elements
        ELEMENT  SECTION  ITEM    X    Y  WIDTH  HEIGHT
        cell           0     0    0    1    375     200
        cell           0     1    0  202    188     200
        cell           0     2  189  202    186     200

        """)
  }

  @Test(arguments: ["json", "ndjson", "csv", "svg", "html"])
  func extensionSelectsTheFormat(format: String) throws {
    let folder = try TemporaryFolder()
    let printed = try layout("--format", format, in: folder)
    let written = try layout("-o", "out.\(format)", in: folder)
    #expect(written.status == 0)
    #expect(written.output.isEmpty)
    #expect(written.errors.isEmpty)
    #expect(try folder.read("out.\(format)") == printed.output)
    #expect(try folder.names == ["out.\(format)"])
  }

  @Test func formatOverridesTheExtension() throws {
    let folder = try TemporaryFolder()
    _ = try layout("--format", "csv", "-o", "out.json", in: folder)
    #expect(try folder.read("out.json").hasPrefix("category,"))
  }

  @Test func fileIsReplacedAtomically() throws {
    let folder = try TemporaryFolder()
    try folder.write("old.csv", "old")
    try #require(chmod(folder.path("old.csv"), 0o640) == 0)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.csv"), withDestinationPath: "old.csv")
    #expect(try layout("-o", "link.csv", in: folder).status == 0)
    #expect(try folder.read("old.csv").hasPrefix("category,"))
    #expect(try folder.names == ["link.csv", "old.csv"])
    var status = stat()
    #expect(lstat(folder.path("link.csv"), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    #expect(lstat(folder.path("old.csv"), &status) == 0 && status.st_mode & 0o777 == 0o640)
  }

  @Test func failureKeepsTheOldFile() throws {
    let folder = try TemporaryFolder()
    try folder.write("old.csv", "old")
    #expect(try layout("--set", "spacing=-1,1", "-o", "old.csv", in: folder).status == 65)
    #expect(try folder.read("old.csv") == "old")
    #expect(try folder.names == ["old.csv"])
  }

  @Test func deviceIsWrittenDirectly() throws {
    let folder = try TemporaryFolder()
    #expect(try layout("--format", "csv", "-o", "/dev/null", in: folder).status == 0)
    var status = stat()
    #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
  }

  /// The command is interrupted as soon as the unfinished file is seen.
  @Test func interruptRemovesTheUnfinishedFile() throws {
    let folder = try TemporaryFolder()
    let result = try Program.shell(
      """
      '\(Program.tessera)' layout grid --items 300000 -o out.json &
      until ls out.json* >/dev/null 2>&1; do kill -0 $! || break; done
      kill -TERM $!; wait $!; echo $?
      """, in: folder)
    #expect(result.output == "143\n")
    #expect(try folder.names == [])
  }
}
