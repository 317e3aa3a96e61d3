import Foundation
import TestSupport
import Testing

/// `Tools/tessera` in a small checkout of its own, with a `swift` that only copies `Sources/text`
/// into the command.
@Suite struct RunToolTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("Tools")
    for tool in ["Tools/tessera", "Tools/build", "Tools/rust-engines"] {
      try FileManager.default.copyItem(
        atPath: BuiltProducts.repository.appendingPathComponent(tool).path,
        toPath: folder.path(tool))
    }
    try folder.write("Package.swift", "")
    try folder.write("Sources/text", "first")
    try folder.write("Sources/Module/unused", "")
    try folder.write("Plugins/engine.map", "")
    try program("Tools/setup", "")
    try program(
      "bin/swift",
      """
      echo build >>\(folder.path)/builds
      text=$(cat \(folder.path)/Sources/text)
      [ "$text" != broken ] || { echo "error: broken"; exit 1; }
      mkdir -p \(folder.path)/.build/release
      built=\(folder.path)/.build/release/tessera
      printf '#!/bin/sh\\necho "%s $*"\\nexit 7\\n' "$text" >$built.$$
      chmod +x $built.$$
      mv $built.$$ $built
      """)
  }

  private func program(_ name: String, _ text: String) throws {
    let path = try folder.write(name, "#!/usr/bin/env bash\nset -e\n\(text)\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  private func run(_ launcher: [String] = []) throws -> ProgramResult {
    let words = launcher + [folder.path("Tools/tessera"), "list"]
    return try Program.run(
      words[0], Array(words.dropFirst()),
      environment: ["PATH": "\(folder.path("bin")):/usr/bin:/bin"])
  }

  /// How often `swift` was started.
  private var builds: Int {
    (try? folder.bytes("builds").count { $0 == UInt8(ascii: "\n") }) ?? 0
  }

  @Test func buildsOnlyWhatChanged() throws {
    for _ in 1...3 {
      let result = try run()
      #expect(result.output == "first list\n")
      #expect(result.status == 7, "the command's own status")
    }
    #expect(builds == 1)

    try folder.write("Sources/text", "second")
    #expect(try run().output == "second list\n")
    #expect(try run().output == "second list\n")
    #expect(builds == 2)
  }

  @Test(arguments: ["deleted", "renamed", "added", "replaced by an older file", "manifest"])
  func changeIsBuilt(change: String) throws {
    let files = FileManager.default
    let unused = folder.path("Sources/Module/unused")
    _ = try run()
    switch change {
    case "deleted": try files.removeItem(atPath: unused)
    case "renamed": try files.moveItem(atPath: unused, toPath: unused + "2")
    case "added": try folder.write("Plugins/Engine/Engine.swift", "")
    case "manifest": try folder.write("Package.swift", "// changed")
    default:
      try folder.write("older", "older")
      try files.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: folder.path("older"))
      try files.removeItem(atPath: unused)
      try files.moveItem(atPath: folder.path("older"), toPath: unused)
    }
    _ = try run()
    #expect(builds == 2)
    _ = try run()
    #expect(builds == 2)
  }

  @Test func otherCompilerBuilds() throws {
    _ = try run()
    try program("bin/swift", "echo build >>\(folder.path)/builds")
    _ = try run()
    #expect(builds == 2)
  }

  @Test func failedBuildIsRepeated() throws {
    _ = try run()
    try folder.write("Sources/text", "broken")
    for count in 2...3 {
      let result = try run()
      #expect(result.status == 70)
      #expect(result.output == "")
      #expect(result.errors.contains("error: broken"))
      #expect(builds == count)
    }
    try folder.write("Sources/text", "mended")
    #expect(try run().output == "mended list\n")
  }

  @Test func missingCommandIsBuilt() throws {
    _ = try run()
    try FileManager.default.removeItem(atPath: folder.path(".build/release/tessera"))
    #expect(try run().output == "first list\n")
    #expect(builds == 2)
  }

  @Test func aBuildEndsWithWhatItMade() throws {
    let result = try run()
    let made = "libtessera and 0 engines in \(folder.path(".build/release")) in "
    #expect(result.errors.contains(made), "\(result.errors)")
    #expect(!result.errors.contains("\r"), "a counter is for terminals")
    let again = try Program.run(
      folder.path("Tools/build"), [], environment: ["PATH": "\(folder.path("bin")):/usr/bin:/bin"])
    #expect(again.errors == "Tools/build: \(folder.path(".build/release")) is up to date\n")
  }

  @Test func aTerminalShowsHowFarTheBuildIs() throws {
    let swift = try folder.read("bin/swift")
    try program("bin/swift", "echo '[3/7] Compiling'\n\(swift)")
    let terminal = "import pty, sys; pty.spawn(sys.argv[1:])"
    let result = try Program.run(
      "python3", ["-c", terminal, folder.path("Tools/build")],
      environment: ["PATH": "\(folder.path("bin")):/usr/bin:/bin"])
    #expect(result.output.contains("\r\u{1B}[KTools/build: 3 of 7 steps, "), "\(result.output)")
    #expect(result.output.contains("\r\u{1B}[KTools/build: built"), "\(result.output)")
  }

  /// Its files are newer than the build, and the same.
  @Test func aCopyOfTheCloneIsNotBuiltAgain() throws {
    _ = try run()
    let copy = try TemporaryFolder()
    let copied = try Program.run("cp", ["-R", folder.path, copy.path("clone")])
    try #require(copied.status == 0, "\(copied.errors)")
    let result = try Program.run(
      copy.path("clone/Tools/tessera"), ["list"],
      environment: ["PATH": "\(folder.path("bin")):/usr/bin:/bin"])
    #expect(result.output == "first list\n")
    #expect(builds == 1)
  }

  /// The compiler rejects a cache that it made in another folder.
  @Test func aMovedCloneLosesItsModuleCaches() throws {
    try FileManager.default.removeItem(atPath: folder.path("Tools/setup"))
    try FileManager.default.copyItem(
      atPath: BuiltProducts.repository.appendingPathComponent("Tools/setup").path,
      toPath: folder.path("Tools/setup"))
    _ = try run()
    for build in [".build", ".build/tests", ".build-check"] {
      let isHere = build == ".build-check"
      try folder.write("\(build)/release.yaml", "\"\(isHere ? folder.path : "/elsewhere")/a.o\"")
      try folder.write("\(build)/machine/release/ModuleCache/a.pcm", "")
    }
    try folder.write("Sources/text", "second")
    let result = try run()
    #expect(result.output == "second list\n")
    for build in [".build", ".build/tests", ".build-check"] {
      let isHere = build == ".build-check"
      let sentence = "\(folder.path(build)) was made in another folder"
      #expect(result.errors.contains(sentence) == !isHere, "\(result.errors)")
      #expect(
        FileManager.default.fileExists(atPath: folder.path("\(build)/machine/release/ModuleCache"))
          == isHere)
    }
    try folder.write("Sources/text", "third")
    #expect(try !run().errors.contains("another folder"))
  }

  @Test func concurrentRunsSucceed() throws {
    let result = try Program.run(
      "bash", ["-c", "for run in 1 2 3 4; do Tools/tessera list & done; wait"], in: folder.path,
      environment: ["PATH": "\(folder.path("bin")):/usr/bin:/bin"])
    #expect(result.output == String(repeating: "first list\n", count: 4))
    let before = builds
    #expect(try run().output == "first list\n")
    #expect(builds == before)
  }

  @Test func unwritableCheckoutRunsWhatIsBuilt() throws {
    _ = try run()
    try folder.write("Sources/text", "second")
    let files = FileManager.default
    var launcher: [String] = []
    if getuid() == 0 {
      launcher = ["setpriv", "--reuid=65534", "--clear-groups", "--"]
    } else {
      try files.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path(".build"))
    }
    defer {
      try? files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path(".build"))
    }
    #expect(try run(launcher).output == "first list\n")
    #expect(builds == 1)
  }
}
