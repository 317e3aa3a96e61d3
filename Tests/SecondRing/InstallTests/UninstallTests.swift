import Foundation
import TestSupport
import Testing

@Suite struct UninstallTests {
  private let folder: TemporaryFolder
  private var prefix: String { folder.path("prefix") }

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("prefix/bin/other", "a program")
    try folder.write("prefix/lib/tessera/libother.so", "an engine by somebody else")
    try folder.write("prefix/share/man/man1/other.1", "its manual")
    try folder.makeFolder("prefix/share/doc")
    try folder.link("prefix/bin/another", to: "other")
  }

  private func replace(_ path: String, with text: String) throws {
    try text.write(toFile: "\(prefix)/\(path)", atomically: true, encoding: .utf8)
  }

  @Test func otherFilesAreUntouched() throws {
    let before = try Snapshot(of: prefix)
    let installation = try Installation(in: folder)
    let once = try Snapshot(of: prefix)
    #expect(once.paths.isStrictSuperset(of: before.paths))
    let again = try Installation.install([installation.path])
    #expect(again.status == 0, "\(again.errors)")
    #expect(try Snapshot(of: prefix).differences(from: once) == [])
    try folder.write("caches/tessera/8/description", "what the command cached")
    try folder.write("caches/other", "what another program cached")
    let gone = try Installation.uninstall(
      [prefix], environment: ["XDG_CACHE_HOME": folder.path("caches")])
    #expect(gone.status == 0, "\(gone.errors)")
    #expect(gone.output.hasPrefix("removed "))
    #expect(try Snapshot(of: prefix).differences(from: before) == [])
    #expect(try Snapshot(of: folder.path("caches")).paths == ["other"])
    let twice = try Installation.uninstall([prefix])
    #expect(twice.status == 66)
    #expect(twice.errors.contains("holds no installation"))
  }

  @Test func changedFilesAreKeptAndReported() throws {
    _ = try Installation(in: folder)
    try replace("include/tessera/tessera.h", with: "// mine now")
    try FileManager.default.removeItem(atPath: "\(prefix)/share/tessera/engine.map")
    let gone = try Installation.uninstall([prefix])
    #expect(gone.status == 0, "\(gone.errors)")
    #expect(gone.output.contains("kept \(prefix)/include/tessera/tessera.h, which was changed"))
    #expect(
      try String(contentsOfFile: "\(prefix)/include/tessera/tessera.h", encoding: .utf8)
        == "// mine now")
    #expect(try !Snapshot(of: prefix).paths.contains("share/tessera"))
  }

  @Test func filesOfOthersAreNotOverwritten() throws {
    try folder.write("prefix/bin/tessera", "another tessera")
    let before = try Snapshot(of: prefix)
    let refused = try Installation.install([prefix])
    #expect(refused.status == 73)
    #expect(refused.errors.contains("\(prefix)/bin/tessera is there already"), "\(refused.errors)")
    #expect(try Snapshot(of: prefix).differences(from: before) == [])
    #expect(try Installation.install(["--force", prefix]).status == 0)
    #expect(try Installation.uninstall([prefix]).status == 0)
    #expect(try Snapshot(of: prefix).paths == before.paths.subtracting(["bin/tessera"]))
  }

  @Test func anUpgradeTakesOldFilesAway() throws {
    let before = try Snapshot(of: prefix)
    _ = try Installation(in: folder)
    let current = try Snapshot(of: prefix)
    try folder.write("prefix/share/tessera/old/old.txt", "old")
    try folder.write("prefix/share/tessera/changed.txt", "changed")
    // printf old | sha256sum
    let sum = "cba06b5736faf67e54b07b561eae94395e774c517a7d910a54369e1263ccfbd4"
    let list = "\(prefix)/share/tessera/installed.txt"
    let text =
      try String(contentsOfFile: list, encoding: .utf8)
      + "file\t\(sum)\tshare/tessera/old/old.txt\n"
      + "folder\t-\tshare/tessera/old\nfile\t\(sum)\tshare/tessera/changed.txt\n"
    try text.write(toFile: list, atomically: true, encoding: .utf8)
    try folder.write("prefix/.tessera-install.killed/bin/tessera", "half of it")
    let upgrade = try Installation.install([prefix])
    #expect(upgrade.status == 0, "\(upgrade.errors)")
    #expect(upgrade.output.contains("kept \(prefix)/share/tessera/changed.txt"))
    #expect(upgrade.output.contains("removed files of an older version: 1"))
    try FileManager.default.removeItem(atPath: "\(prefix)/share/tessera/changed.txt")
    #expect(try Snapshot(of: prefix).differences(from: current) == [])
    #expect(try Installation.uninstall([prefix]).status == 0)
    #expect(try Snapshot(of: prefix).differences(from: before) == [])
  }

  @Test(arguments: ["file\tx\t../victim", "link\tx\t/victim", "folder\t-\ta/../..", "nonsense"])
  func listWithPathsOutsideIsRejected(line: String) throws {
    let victim = try folder.write("victim", "x")
    try folder.write("prefix/share/tessera/installed.txt", "# comment\n\(line)\n")
    let before = try Snapshot(of: folder.path)
    for result in [try Installation.uninstall([prefix]), try Installation.install([prefix])] {
      #expect(result.status == 65, "\(result.errors)")
      #expect(result.errors.contains("line 2 of "))
    }
    #expect(try Snapshot(of: folder.path).differences(from: before) == [])
    #expect(FileManager.default.fileExists(atPath: victim))
  }
}
