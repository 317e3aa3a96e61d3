import Foundation
import TestSupport
import Testing

@Suite struct ProgramTests {
  /// Pinned headers are 28 high, rows 50; sections are 28 + 4 · 50 and 28 + 6 · 50, the viewport
  /// 200.
  private static let scrolled = """
    content 320 x 556
    offset 0
        28   50  row 0.0
        78   50  row 0.1
       128   50  row 0.2
       178   50  row 0.3
         0   28  header 0
    offset 200
       -22   50  row 0.3
         0   28  header 0
        56   50  row 1.0
       106   50  row 1.1
       156   50  row 1.2
        28   28  header 1
    offset 356
         0   50  row 1.2
        50   50  row 1.3
       100   50  row 1.4
       150   50  row 1.5
         0   28  header 1

    """

  @Test(arguments: CCompiler.all) func exampleScrolls(compiler: CCompiler) throws {
    let result = try CProgram.example("scroll", by: compiler).run(Prefix.engines)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output == Self.scrolled)
    #expect(result.errors.isEmpty)
  }

  /// Two columns of 100, then three; items go to the shortest column.
  ///
  /// Items 4 to 7 end at 150, 210, 210 and 290, items 8 to 11 at 260, 330, 350 and 410. In three
  /// columns, item 5 starts at 70, below item 1.
  @Test(arguments: CCompiler.all) func exampleGrowsAndStays(compiler: CCompiler) throws {
    let result = try CProgram.example("feed", by: compiler).run(Prefix.engines)
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.output == """
        offset 0: 8 items, 290 points
        offset 80: 8 items, 290 points
        offset 150: 12 items, 410 points
        width 320: item 5 from 150 to 70, offset 70

        """)
    #expect(result.errors.isEmpty)
  }

  @Test(
    arguments: [
      ("layouts", "012"), ("columns", "02"), ("arrow", "02"), ("changes", "0"),
      ("preparing", "0"), ("parts", "0"), ("seeking", "0"), ("misuse", "0"),
    ], CCompiler.all)
  func programWorks(_ program: (name: String, isolations: String), compiler: CCompiler) throws {
    let compiled = try CProgram.fixture(program.name, by: compiler)
    for isolation in program.isolations {
      try expectNoFailures(compiled, [Prefix.engines, String(isolation)])
    }
  }

  private func expectNoFailures(_ program: CProgram, _ arguments: [String]) throws {
    let result = try program.run(arguments, environment: [:])
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.output)\(result.errors)")
  }

  @Test func recordsAreThoseOfTheProgramAndCallsWithoutMemoryAreRefused() throws {
    let folder = try TemporaryFolder()
    try CCompiler("gcc").compile(FixtureEngine.source("strips"), to: folder.path("libstrips.so"))
    try expectNoFailures(CProgram.fixture("lists"), [folder.path])
    try expectNoFailures(CProgram.fixture("scarce"), [Prefix.engines, folder.path])
  }

  @Test func programsLearnWhatAReplacedLibraryChanges() throws {
    let folder = try TemporaryFolder()
    for (name, flags) in [
      ("libreloaded", ["-DONE=0", "-DOTHER=1"]), ("swapped", ["-DONE=1", "-DOTHER=0"]),
      ("renamed", ["-DRENAMED"]),
    ] {
      try CCompiler("gcc").compile(
        FixtureEngine.source("reloaded"), to: folder.path("\(name).so"),
        flags: ["-std=c11", "-shared", "-fPIC", "-DVERSION=\"1.0.0\"", "-DROW=10"] + flags)
    }
    try folder.write("broken.so", "no library")
    try expectNoFailures(CProgram.fixture("replaced"), [folder.path])
  }

  @Test(arguments: CCompiler.all) func viewsDragMeasureAndWatch(compiler: CCompiler) throws {
    let engines = try FailingEngines()
    try withExtendedLifetime(engines) {
      try expectNoFailures(
        CProgram.fixture("handling", by: compiler), [Prefix.engines, engines.path])
    }
  }

  @Test func failuresAreReported() throws {
    let engines = try FailingEngines()
    try withExtendedLifetime(engines) {
      try expectNoFailures(CProgram.fixture("failures"), [engines.path])
    }
  }

  @Test func defaultsNeedNoSettings() throws {
    let home = try CountingHome()
    #expect(try home.starts() == 3)
    #expect(try home.starts() == 1)
    let cache = try FileManager.default.contentsOfDirectory(
      atPath: home.folder.path("home/.cache/tessera/8"))
    #expect(cache.count { $0.hasPrefix("library-") } == 2)
  }

  @Test func copiesOfAHandleShareProcesses() throws {
    let home = try CountingHome()
    _ = try home.starts()
    #expect(try home.starts("yes") == 3)
  }

  private struct CountingHome {
    let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      let prefix = try Prefix.shared.get()
      try folder.write(
        "lib/libtessera.so.1", [UInt8](Data(contentsOf: URL(fileURLWithPath: prefix.library))))
      for name in ["libTesseraGrid.so", "libTesseraFlow.so"] {
        try folder.makeFolder("home/.local/lib/tessera")
        try folder.link("home/.local/lib/tessera/\(name)", to: "\(Prefix.engines)/\(name)")
      }
      try folder.makeFolder("home/.local/libexec/tessera")
      let worker = try folder.write(
        "home/.local/libexec/tessera/tessera-worker",
        "#!/bin/sh\necho started >> '\(folder.path)/starts'\n"
          + "exec '\(Prefix.engines)/tessera-worker'\n")
      chmod(worker, 0o755)
    }

    func starts(_ arguments: String...) throws -> Int {
      try folder.write("starts", "")
      let result = try CProgram.fixture("copies").run(
        arguments,
        environment: ["HOME": folder.path("home"), "LD_LIBRARY_PATH": folder.path("lib")])
      #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
      return try folder.bytes("starts").count { $0 == UInt8(ascii: "\n") }
    }
  }

  @Test(
    arguments: [
      (LackingMachine(), "full\n0 \n"),
      (LackingMachine("landlock ENOSYS"), "reduced: engines can read files, because there is no "),
      (LackingMachine("seccomp-listener EBUSY"), "reduced: an engine can load code after its "),
      (LackingMachine("seccomp ENOSYS"), "reduced: system calls are not filtered"),
    ])
  func sandboxIsGraded(machine: LackingMachine, output: String) throws {
    let result = try CProgram.fixture("grades").run(on: machine, Prefix.engines)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.output)\(result.errors)")
    #expect(result.output.hasPrefix(output), "\(result.output)")
    if !machine.missing.isEmpty {
      #expect(result.output.contains("\n69 "), "\(result.output)")
      #expect(result.output.contains("the sandbox must be full here, and is reduced: "))
    }
  }
}
