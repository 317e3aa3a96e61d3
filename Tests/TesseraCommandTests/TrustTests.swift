import Foundation
import TestSupport
import Testing

@Suite struct TrustTests {
  private let folder: TemporaryFolder
  private let home: TemporaryFolder
  private let library: String

  init() throws {
    folder = try TemporaryFolder()
    home = try TemporaryFolder()
    library = try CEngine().build(in: folder)
  }

  private func tessera(_ arguments: String...) throws -> ProgramResult {
    try Program.tessera(
      arguments, in: folder, environment: ["HOME": home.path, "TESSERA_PATH": folder.path])
  }

  private var sum: String {
    get throws {
      String(try Program.run("sha256sum", [library]).output.prefix(64))
    }
  }

  @Test func listHasTheFormatOfSha256sum() throws {
    let added = try tessera("trust", "add", "./libcolumn.so")
    #expect(added.output == "added \(library) with the checksum \(try sum)\n", "\(added.errors)")
    #expect(try home.read(".config/tessera/trusted") == "\(sum)  \(library)\n")
    let again = try tessera("trust", "add", library)
    #expect(again.status == 0)
    #expect(
      again.output == "\(library) is already on the allowlist, with the checksum \(try sum)\n")
  }

  @Test func onlyListedLibrariesAreAllowed() throws {
    #expect(try tessera("trust", "add", library).status == 0)
    #expect(try tessera("layout", "./libcolumn.so", "--require-hash").status == 0)
    try CEngine(name: "Other").build(in: folder)
    let changed = try tessera("layout", "column", "--require-hash")
    #expect(changed.status == 77)
    #expect(changed.errors.contains("a different sum for that path"), "\(changed.errors)")
    #expect(try tessera("layout", "column").status == 0)
  }

  @Test(arguments: [
    ["info", "column"], ["layout", "column"], ["snap", "column", "--offset", "0,0"],
    ["call", "column", "any"], ["check", "column"], ["transition", "column", "column"],
    ["check", "./libcolumn.so"], ["update", "column", "--script", "script.json"],
  ])
  func everyCommandRequiresTheAllowlist(arguments: [String]) throws {
    try folder.write("script.json", #"{"before": {}, "after": {}, "operations": []}"#)
    let result = try Program.tessera(
      arguments + ["--require-hash"], in: folder,
      environment: ["HOME": home.path, "TESSERA_PATH": folder.path])
    #expect(result.status == 77, "\(result.errors)")
    #expect(result.output.isEmpty)
    #expect(result.errors.contains("not on the allowlist"))
    #expect(result.errors.count { $0 == "\n" } == 1)
  }

  @Test func allowlistCanHaveAnyName() throws {
    #expect(try tessera("trust", "add", "--allowlist", "allowed", library).status == 0)
    #expect(try tessera("layout", library, "--allowlist", "allowed").status == 0)
    #expect(try tessera("layout", library, "--require-hash").status == 77)
  }

  @Test func listReportsTheStateOfEachLibrary() throws {
    let other = try CEngine(id: "org.example.row").build(in: folder, as: "librow.so")
    let third = try CEngine(id: "org.example.third").build(in: folder, as: "libthird.so")
    #expect(try tessera("trust", "add", library, other, third).status == 0)
    try CEngine(id: "org.example.changed").build(in: folder, as: "librow.so")
    try FileManager.default.removeItem(atPath: third)
    let table = try tessera("trust", "list").output.split(separator: "\n")
    try #require(table.count == 4)
    #expect(table[1] == "\(try sum.prefix(16))  unchanged  \(library)")
    #expect(table[2].hasSuffix("  changed    \(other)"))
    #expect(table[3].hasSuffix("  missing    \(third)"))
    let json = try tessera("trust", "list", "--format", "json").output
    #expect(json.contains("\"exists\": true"))
    #expect(json.contains("\"sha256\": \"\(try sum)\""))
  }

  @Test(arguments: ["path", "missing", "sum"])
  func removedLibraryIsNotListed(by way: String) throws {
    #expect(try tessera("trust", "add", library).status == 0)
    let expected = "removed \(library) with the checksum \(try sum)\n"
    let name = way == "sum" ? String(try sum.prefix(12)) : "./libcolumn.so"
    if way == "missing" { try FileManager.default.removeItem(atPath: library) }
    #expect(try tessera("trust", "remove", name).output == expected)
    #expect(try home.read(".config/tessera/trusted") == "")
    let again = try tessera("trust", "remove", name)
    #expect(again.status == 66)
    #expect(again.errors.contains("neither a path nor a sum \(name)"))
  }

  @Test func invalidArgumentsAreReported() throws {
    try folder.write("libtext.so", "not a library")
    try folder.write("wrong", "no sum\n")
    for (arguments, status, sentence) in [
      (["add", "./libtext.so"], 76, "./libtext.so: it is a text file"),
      (["add", "--allowlist", "/proc/none/a", library], 73, "/proc/none/a cannot be written"),
      (["list", "--allowlist", "wrong"], 65, "expected a SHA-256 sum of 64 digits"),
    ] as [([String], Int32, String)] {
      let result = try Program.tessera(
        ["trust"] + arguments, in: folder, environment: ["HOME": home.path])
      #expect(result.status == status, "\(result.errors)")
      #expect(result.errors.contains(sentence), "\(result.errors)")
    }
    #expect(try !home.names.contains(".config"))
  }
}
