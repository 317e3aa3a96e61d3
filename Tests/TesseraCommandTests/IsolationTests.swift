import Foundation
import TestSupport
import Testing

/// The isolation of engines, and the cache of their descriptions.
@Suite struct IsolationTests {
  private static let modes = ["sandbox", "process", "none"]

  @Test func engineRunsInThisProcessOnlyWithoutIsolation() throws {
    let folder = try TemporaryFolder()
    // Its answer says whether its parent is the command or what started the command.
    let engine = CEngine(
      body: CEngine.column + "rows->frame[0].width = getppid();")
    try engine.build(in: folder)
    func parent(_ mode: String) throws -> Double {
      let answer = try Program.tessera(
        "layout", "./libcolumn.so", "--items", "1", "--isolation", mode, in: folder
      ).layout()
      return try #require(answer.frames.first)[2]
    }
    #expect(try parent("none") == Double(getpid()))
    #expect(try parent("process") != Double(getpid()))
    #expect(try parent("sandbox") != Double(getpid()))
  }

  @Test(arguments: modes)
  func slowCallIsStopped(mode: String) throws {
    let folder = try TemporaryFolder()
    try CEngine(body: "for (volatile uint64_t i = 0; n; i++) {}").build(in: folder)
    let start = ContinuousClock.now
    let result = try Program.tessera(
      "layout", "./libcolumn.so", "--timeout", "1.5", "--isolation", mode, in: folder)
    #expect(ContinuousClock.now - start < .seconds(15))
    #expect(result.status == 70)
    #expect(!result.wasKilled)
    #expect(result.output.isEmpty)
    #expect(result.errors.count { $0 == "\n" } == 1)
    #expect(result.errors.hasPrefix("tessera: org.example.column did not return"))
    #expect(result.errors.contains("within 1.5 s and was stopped"), "\(result.errors)")
    #expect(result.errors.contains("with this command") == (mode == "none"))
    #expect(result.errors.contains("--timeout"))
  }

  @Test func onlySandboxedEngineCannotReadAFile() throws {
    let folder = try TemporaryFolder()
    let secret = try folder.write("secret", "x")
    let engine = CEngine(
      declarations: "#include <fcntl.h>",
      body: CEngine.column + "rows->frame[0].width = open(\"\(secret)\", O_RDONLY) >= 0;")
    try engine.build(in: folder)
    func opened(_ mode: String) throws -> Double {
      let answer = try Program.tessera(
        "layout", "./libcolumn.so", "--items", "1", "--isolation", mode, in: folder
      ).layout()
      return try #require(answer.frames.first)[2]
    }
    #expect(try opened("process") == 1)
    let kernel = try Program.tessera("doctor", "--format", "json").output
    if kernel.contains("\"files\": true") { #expect(try opened("sandbox") == 0) }
  }

  // MARK: - What is remembered

  @Test func secondListingStartsNoWorker() throws {
    let home = try TemporaryFolder()
    let first = try Program.tessera("list", environment: ["HOME": home.path])
    #expect(first.status == 0)
    let start = ContinuousClock.now
    let second = try Program.tessera(
      "list", environment: ["HOME": home.path, "TESSERA_WORKER": "/bin/false"])
    #expect(ContinuousClock.now - start < .seconds(2))
    #expect(second.output == first.output)
    #expect(!second.output.contains("Refused"))
    // Without the cache the same worker is of no use.
    let without = try Program.tessera(
      "list", environment: ["HOME": home.path("empty"), "TESSERA_WORKER": "/bin/false"])
    #expect(without.output.contains("Refused"))
  }

  @Test func theCacheGoesWhereTheEnvironmentSays() throws {
    let folder = try TemporaryFolder()
    let result = try Program.tessera(
      "list", environment: ["HOME": folder.path, "XDG_CACHE_HOME": folder.path("cache")])
    #expect(result.status == 0)
    #expect(try folder.names == ["cache"])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("cache/tessera/8")).count > 9)
  }

  /// A library that is not asked for is not loaded again, not even into the command's own process.
  @Test func enginesWithoutIsolationAreCachedToo() throws {
    let folder = try TemporaryFolder()
    try CEngine(
      registration: #"extern int dprintf(int, const char *, ...); dprintf(2, "registered\n");"#
    ).build(in: folder)
    try CEngine(id: "org.example.other", name: "Other").build(in: folder, as: "libother.so")
    // A file that has just changed is not cached.
    usleep(150_000)
    let environment = ["HOME": folder.path("home"), "TESSERA_PATH": folder.path]
    func errors(_ engine: String) throws -> String {
      let result = try Program.tessera(
        "layout", engine, "--items", "1", "--isolation", "none", environment: environment)
      #expect(result.status == 0, "\(result.errors)")
      return result.errors
    }
    #expect(try errors("other") == "registered\n")
    #expect(try errors("other") == "")
    #expect(try errors("column") == "registered\n")
  }

  @Test func refusedLibraryOfAnEngineIsReported() throws {
    let folder = try TemporaryFolder()
    try CEngine(registration: "__builtin_trap();").build(in: folder)
    let result = try Program.tessera(
      "layout", "column", environment: ["TESSERA_PATH": folder.path])
    #expect(result.status == 70)
    #expect(result.errors.contains("there is no engine \"column\" that can be used"))
    #expect(result.errors.contains("crashed in its registration"), "\(result.errors)")
  }
}
