import Foundation
import TestSupport
import Testing

@Suite struct UsageTests {
  static let cases: [(line: String, sentence: String)] = [
    ("layut", "there is no command \"layut\"; did you mean layout?"),
    ("lay\nout", "there is no command \"lay\\u{A}out\""),
    ("layout", "Missing expected argument '<engine>'"),
    ("layout mosaic --itmes 3", "Unknown option '--itmes'"),
    ("layout mosaic --format bmp", "The value 'bmp' is invalid for '--format"),
    ("transition flow grid --format svg --width 0", "--width is 0; give a number from 1 to 100000"),
    (
      "transition flow grid -o x.svg --columns 2",
      "--columns cuts only one moment; give --progress 0 to 1 with it"
    ),
    (
      "layout treemap --title Disk -o x.svg",
      "--title is an option of tessera figure; tessera figure treemap --title … draws it"
    ),
    ("layout mosaic -o picture", "the extension of picture selects no format"),
    ("layout mosaic --rect 0,0,1,1 --visible", "give --rect or --visible, not both"),
    (
      "layout mosaic --items 3 --sections 3",
      "give only one of --items, --sections and --items-from"
    ),
    ("layout mosaic --timeout 0", "--timeout is 0.0; give seconds from 0.001 to 1000000"),
    ("layout mosaic --isolation cage", "--isolation cage"),
    ("new a", "Missing expected argument '--language <language>'"),
    ("snap flow", "give --offset x,y"),
    ("doctor --json --format text", "give --json or --format text, not both"),
    ("check", "give an engine or a library, or --list for all cases"),
    ("check flow --golden a --record-golden b", "give --golden or --record-golden, not both"),
  ]

  @Test(arguments: cases)
  func invalidUsageIsReported(line: String, sentence: String) throws {
    let result = try Program.tessera(line.split(separator: " ").map(String.init))
    #expect(result.status == 64)
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("tessera: "))
    #expect(result.errors.contains(sentence), "\(result.errors)")
    #expect(result.errors.contains("Usage: tessera"))
  }

  static let commands = [
    [], ["list"], ["info"], ["layout"], ["update"], ["transition"], ["snap"], ["call"], ["check"],
    ["replay"], ["diff"], ["new"], ["link"], ["doctor"], ["trust"], ["trust", "add"],
    ["trust", "list"], ["trust", "remove"], ["install"], ["uninstall"],
  ]

  @Test(arguments: commands)
  func helpIsPrintedOnStandardOutput(command: [String]) throws {
    let result = try Program.tessera(command + ["--help"], in: TemporaryFolder())
    #expect(result.status == 0)
    #expect(result.errors.isEmpty)
    #expect(result.output.contains("EXAMPLES\n"))
    #expect(!result.output.contains("into this process"), "it names what does not exist")
    #expect(
      result.output.contains("tessera \(command.isEmpty ? "list" : command.joined(separator: " "))")
    )
  }

  @Test func helpOfLayoutIsReadInAMinute() throws {
    let help = try Program.tessera("layout", "--help").output.split(separator: "\n")
    #expect(help.count <= 100)
    #expect(help.count { $0.hasPrefix("  -") } <= 30)
  }

  @Test func helpListsEveryStatus() throws {
    let help = try Program.tessera("--help").output
    for status in [0, 1, 64, 65, 66, 69, 70, 73, 75, 76, 77] {
      #expect(
        help.split(separator: "\n").contains { line in
          line.split(separator: " ").first == "\(status)"
        }, "\(status)")
    }
  }

  @Test func versionIsPrintedOnStandardOutput() throws {
    let result = try Program.tessera("--version")
    #expect(result.status == 0)
    // The build's commit, if known.
    let form = /tessera 1\.0\.0\nABI (\d+\.\d+)\n(?:commit (\S+)\n)?/
    let version = try #require(result.output.wholeMatch(of: form), "\(result.output)")
    let header = try String(
      contentsOf: BuiltProducts.repository.appendingPathComponent(
        "Sources/CTessera/include/tessera/tessera.h"), encoding: .utf8)
    let current = ["MAJOR", "MINOR"].map { part in
      header.components(separatedBy: "#define TESSERA_ABI_\(part) ")[1].prefix { $0.isNumber }
    }
    #expect(version.1 == current.joined(separator: "."))
  }
}
