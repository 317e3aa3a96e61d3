import Foundation
import TestSupport
import Testing

/// `tessera trust`, `--require-hash` and unsafe folders.
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

  /// The sum as the system's own program writes it.
  private var sum: String {
    get throws {
      String(try Program.run("sha256sum", [library]).output.prefix(64))
    }
  }

  @Test func listHasTheFormatOfSha256sum() throws {
    let added = try tessera("trust", "add", "./libcolumn.so")
    #expect(added.status == 0, "\(added.errors)")
    #expect(added.output == "added \(library) with the checksum \(try sum)\n")
    #expect(try home.read(".config/tessera/trusted") == "\(sum)  \(library)\n")
    let again = try tessera("trust", "add", library)
    #expect(again.status == 0)
    #expect(
      again.output == "\(library) is already on the allowlist, with the checksum \(try sum)\n")
    #expect(try home.read(".config/tessera/trusted") == "\(sum)  \(library)\n")
  }

  @Test func onlyListedLibrariesAreAllowed() throws {
    let path = try tessera("layout", "./libcolumn.so", "--require-hash")
    #expect(path.status == 77)
    #expect(path.errors.contains("libcolumn.so: it is not on the allowlist"), "\(path.errors)")
    #expect(path.errors.contains("tessera trust add"))
    #expect(try tessera("trust", "add", library).status == 0)
    #expect(try tessera("layout", "./libcolumn.so", "--require-hash").status == 0)
    #expect(try tessera("layout", "column", "--require-hash").status == 0)
    try CEngine(name: "Other").build(in: folder)
    let changed = try tessera("layout", "column", "--require-hash")
    #expect(changed.status == 77)
    #expect(changed.errors.contains("a different sum for that path"), "\(changed.errors)")
    #expect(try tessera("layout", "column").status == 0)
  }

  @Test(arguments: [
    ["info", "column"], ["layout", "column"], ["snap", "column", "--offset", "0,0"],
    ["call", "column", "any"], ["check", "column"], ["transition", "column", "column"],
    ["check", "./libcolumn.so"],
  ])
  func everyCommandRequiresTheAllowlist(arguments: [String]) throws {
    let result = try Program.tessera(
      arguments + ["--require-hash"], in: folder,
      environment: ["HOME": home.path, "TESSERA_PATH": folder.path])
    #expect(result.status == 77, "\(result.errors)")
    #expect(result.output.isEmpty)
    #expect(result.errors.contains("not on the allowlist"))
    #expect(result.errors.count { $0 == "\n" } == 1)
  }

  @Test func updateRequiresTheAllowlist() throws {
    try folder.write("script.json", #"{"before": {}, "after": {}, "operations": []}"#)
    let result = try tessera("update", "column", "--script", "script.json", "--require-hash")
    #expect(result.status == 77, "\(result.errors)")
  }

  @Test func allowlistCanHaveAnyName() throws {
    let missing = try tessera("layout", library, "--allowlist", "allowed")
    #expect(missing.status == 66)
    #expect(missing.errors.contains("tessera trust add --allowlist allowed"))
    #expect(try tessera("trust", "add", "--allowlist", "allowed", library).status == 0)
    #expect(try tessera("layout", library, "--allowlist", "allowed").status == 0)
    #expect(try tessera("layout", library, "--require-hash").status == 77)
    #expect(try !home.names.contains(".config"))
  }

  @Test func listReportsTheStateOfEachLibrary() throws {
    #expect(
      try tessera("trust", "list").output.hasPrefix(
        "the allowlist \(home.path(".config/tessera/trusted")) is empty; "))
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
    let text = try tessera("trust", "list", "--format", "json").output
    let json = try #require(
      JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(json["exists"] as? Bool == true)
    let libraries = try #require(json["libraries"] as? [[String: String]])
    #expect(libraries[0] == ["sha256": try sum, "library": library, "state": "unchanged"])
    #expect(libraries.map { $0["state"] } == ["unchanged", "changed", "missing"])
  }

  @Test(arguments: ["path", "missing", "sum"])
  func removedLibraryIsNotListed(by way: String) throws {
    #expect(try tessera("trust", "add", library).status == 0)
    let expected = "removed \(library) with the checksum \(try sum)\n"
    let name = way == "sum" ? String(try sum.prefix(12)) : "./libcolumn.so"
    if way == "missing" { try FileManager.default.removeItem(atPath: library) }
    let removed = try tessera("trust", "remove", name)
    #expect(removed.status == 0, "\(removed.errors)")
    #expect(removed.output == expected)
    #expect(try home.read(".config/tessera/trusted") == "")
    let again = try tessera("trust", "remove", name)
    #expect(again.status == 66)
    #expect(again.errors.contains("neither a path nor a sum \(name)"))
  }

  @Test func onlyEngineLibrariesAreAdded() throws {
    let text = try folder.write("libtext.so", "not a library")
    let none = try tessera("trust", "add", "./none.so")
    #expect(none.status == 66)
    #expect(none.errors.hasPrefix("tessera: ./none.so: there is no such file"))
    let result = try tessera("trust", "add", text)
    #expect(result.status == 76)
    #expect(result.errors.hasPrefix("tessera: \(text): it is a text file"), "\(result.errors)")
    #expect(try !home.names.contains(".config"))
  }

  @Test func unwritableOrInvalidListIsReported() throws {
    let nowhere = try tessera("trust", "add", "--allowlist", "/proc/none/allowed", library)
    #expect(nowhere.status == 73)
    #expect(nowhere.errors.contains("/proc/none/allowed cannot be written"), "\(nowhere.errors)")
    try folder.write("wrong", "no sum\n")
    #expect(try tessera("trust", "list", "--allowlist", "wrong").status == 65)
    try folder.write("open", "")
    #expect(chmod(folder.path("open"), 0o666) == 0)
    #expect(try tessera("layout", library, "--allowlist", "open").status == 77)
  }

  @Test func folderWritableByOthersIsSkipped() throws {
    let open = try folder.makeFolder("open")
    try CEngine(id: "org.example.open").build(in: folder, as: "open/libopen.so")
    #expect(chmod(open, 0o777) == 0)
    let named = try tessera("layout", "open", "--engines", open)
    #expect(named.status == 77)
    #expect(named.errors.contains("chmod o-w"), "\(named.errors)")
    let onPath = try Program.tessera("info", "open", environment: ["TESSERA_PATH": open])
    #expect(onPath.status == 77)
    #expect(onPath.errors.contains("there is no engine \"open\" that can be used"))
    // Named outright it is what the caller wants.
    #expect(try tessera("layout", "./open/libopen.so").status == 0)
    let list = try tessera("list", "--engines", open, "--format", "json")
    #expect(list.status == 0)
    let json = try #require(
      JSONSerialization.jsonObject(with: Data(list.output.utf8)) as? NSDictionary)
    let refused = try #require((json["refused"] as? [NSDictionary])?.first)
    #expect(refused["file"] as? String == open)
    #expect(refused["status"] as? Int == 77)
  }
}
