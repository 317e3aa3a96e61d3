import Foundation
import TestSupport
import Testing

@Suite struct FormatTests {
  static let arguments = ["layout", "mosaic", "--items", "3"]

  private func layout(_ more: String..., in folder: TemporaryFolder) throws -> ProgramResult {
    try Program.tessera(Self.arguments + more, in: folder)
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

  @Test func aSpreadsheetHasNoFormulas() throws {
    let folder = try TemporaryFolder()
    let texts = ["=1+1", "+1", "-1", "@a", "a=b", "\"=x,y\""]
    try folder.write("t.csv", (["label"] + texts).joined(separator: "\n"))
    func labels(_ format: String) throws -> [String] {
      let result = try Program.tessera(
        "layout", "flow", "--items-from", "t.csv", "--format", format, in: folder)
      return result.output.split(separator: "\n").dropFirst().map { line in
        String(line.split(separator: ",", maxSplits: 11, omittingEmptySubsequences: false)[11])
      }
    }
    #expect(try labels("csv") == texts)
    #expect(
      try labels("spreadsheet") == ["'=1+1", "'+1", "'-1", "'@a", "a=b", "\"'=x,y\""])
    let far = try Program.tessera(
      "layout", "flow", "--items", "1", "--bounds", "0x0", "--format", "spreadsheet", in: folder)
    #expect(far.output.contains(",-25,"))
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

  /// Killed while the file is open, named or not.
  @Test(arguments: [SIGTERM, SIGKILL], [true, false])
  func nothingIsLeftOfAnUnfinishedFile(signal: Int32, replaces: Bool) throws {
    let folder = try TemporaryFolder()
    if replaces { try folder.write("out.json", "old") }
    let result = try Program.shell(
      """
      '\(Program.tessera)' layout grid --items 300000 -o out.json &
      until ls -l /proc/$!/fd | grep -qF "$PWD/"; do kill -0 $! || break; done
      kill -\(signal) $!; wait $!; echo $?
      """, in: folder)
    #expect(result.output == "\(128 + signal)\n")
    #expect(try folder.names == (replaces ? ["out.json"] : []))
    if replaces { #expect(try folder.read("out.json") == "old") }
  }

  /// A script replaces the drawing program.
  @Test(arguments: ["png", "pdf"]) func pixelsAndPagesAreDrawnByAProgram(format: String) throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("bin")
    let built = BuiltProducts.folder.path
    func draw() throws -> ProgramResult {
      try Program.shell(
        """
        cp '\(built)/tessera' '\(built)/tessera-worker' bin
        bin/tessera layout mosaic --engines '\(built)' --scale 3 -o x.\(format)
        """, in: folder)
    }
    let without = try draw()
    #expect(without.status == 66)
    #expect(
      without.errors.contains("need the program tessera-pictures, which is neither beside")
        && without.errors.split(separator: "\n").count == 1, "\(without.errors)")
    #expect(try folder.names == ["bin"])
    let script = "#!/bin/sh\nprintf 'sandbox full\\n'; echo $*; head -c 4\n"
    try folder.write("bin/tessera-pictures", script)
    chmod(folder.path("bin/tessera-pictures"), 0o755)
    let drawn = try draw()
    #expect(drawn.status == 0 && drawn.errors.isEmpty, "\(drawn.errors)")
    let scale = format == "png" ? "3.0" : "1.0"
    #expect(try folder.read("x.\(format)") == "draw \(format) \(scale) grade\n<svg")
  }
}
