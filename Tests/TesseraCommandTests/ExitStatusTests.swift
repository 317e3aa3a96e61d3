import Foundation
import TestSupport
import Testing

/// Each kind of failure has its own status and one sentence on standard error.
@Suite struct ExitStatusTests {
  /// Checks that a command ended with a status and said one sentence that holds all of `parts`.
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
    (["--offset", "nan,0"], ["offset[0]", "nan"]),
    (["--sections", "3,x"], ["sections[1].items", "a whole number"]),
    (["--items", "-3"], ["sections[0].items is the number -3; expected a whole number"]),
    (["--set", "spacing"], ["--set", "name=value"]),
    (["--set", "spacin=3"], ["spacin", "spacing"]),
    (["--set", "spacing=1/0"], ["spacing"]),
    (["--item", "size=3,4"], ["size"]),
  ]

  @Test(arguments: wrong)
  func invalidInputIsReported(arguments: [String], parts: [String]) throws {
    let result = try Program.tessera(["layout", "mosaic"] + arguments, in: TemporaryFolder())
    expect(result, 65)
    for part in parts { #expect(result.errors.contains(part), "\(result.errors)") }
  }

  @Test func invalidScenarioIsReported() throws {
    let folder = try TemporaryFolder()
    try folder.write("scenario.json", #"{"bonds": [1, 2]}"#)
    let result = try Program.tessera("layout", "mosaic", "--scenario", "scenario.json", in: folder)
    expect(result, 65, "bonds", "bounds")
  }

  @Test func invalidTableRowIsReported() throws {
    let result = try Program.tessera(
      "layout", "flow", "--items-from", "-", input: "width,height\n10,20\n10,tall\n")
    expect(result, 65, "line 3", "tall")
  }

  @Test func tooManyRowsAreReported() throws {
    let result = try Program.tessera("layout", "grid", "--items", "1000000000")
    expect(result, 65, "--visible")
  }

  // MARK: 66, not there

  @Test func missingEngineIsReported() throws {
    expect(try Program.tessera("layout", "mosiac"), 66, "mosiac", "mosaic")
    expect(try Program.tessera("info", "org.example.none"), 66, "org.example.none")
    expect(try Program.tessera("info", "./none.so"), 66, "none.so")
  }

  @Test func missingFilesAreReported() throws {
    expect(
      try Program.tessera("layout", "mosaic", "--scenario", "none.json"), 66, "none.json")
    expect(
      try Program.tessera("layout", "mosaic", "--items-from", "none.csv"), 66, "none.csv")
    expect(try Program.tessera("list", "--engines", "none"), 66, "--engines none")
  }

  // MARK: 69 and 70, engines that refuse or misbehave

  private func layout(_ engine: CEngine, _ arguments: String...) throws -> ProgramResult {
    let folder = try TemporaryFolder()
    let library = try engine.build(in: folder)
    return try Program.tessera(["layout", library] + arguments, in: folder)
  }

  @Test func refusalIsReported() throws {
    let engine = CEngine(
      body: """
        the_host->report(the_host, TESSERA_ERROR_INVALID_VALUE, "20 items are too many; give 3");
        return TESSERA_ERROR_INVALID_VALUE;
        """)
    expect(try layout(engine), 69, "20 items are too many; give 3")
  }

  @Test func brokenContractIsReported() throws {
    let engine = CEngine(body: CEngine.column + "rows->frame[3].x = NAN;")
    expect(try layout(engine), 70, "org.example.column", "nan")
  }

  @Test func libraryHangsDuringLoading() throws {
    let engine = CEngine(registration: "for (;;) sleep(1);")
    expect(
      try layout(engine, "--timeout", "0.5"), 70, "libcolumn.so: it did not return from",
      "its registration", "within 0.5 s")
    expect(
      try layout(engine, "--timeout", "0.5", "--isolation", "none"), 70, "loading", "libcolumn.so",
      "within 0.5 s", "with this command")
  }

  @Test func workerCannotBeStarted() throws {
    let folder = try TemporaryFolder()
    let library = try CEngine().build(in: folder)
    for engine in [library, "column"] {
      expect(
        try Program.tessera(
          "layout", engine, in: folder,
          environment: ["TESSERA_WORKER": "/none/worker", "TESSERA_PATH": folder.path]), 69,
        "the worker /none/worker cannot be started")
    }
    #expect(
      try Program.tessera(
        "layout", library, "--isolation", "none", in: folder,
        environment: ["TESSERA_WORKER": "/none/worker"]
      ).status == 0)
  }

  /// A worker that ends before it has loaded anything, as one of another release does, is no crash of
  /// an engine: the engine is not refused afterwards.
  @Test func workerEndsAtOnce() throws {
    let folder = try TemporaryFolder()
    let library = try CEngine().build(in: folder)
    for _ in 0..<4 {
      expect(
        try Program.tessera(
          "layout", library, in: folder,
          environment: ["TESSERA_WORKER": "/bin/false", "HOME": folder.path]), 69,
        "the worker /bin/false ended with exit status 1", "of this host's release")
    }
    let result = try Program.tessera(
      "layout", library, in: folder, environment: ["HOME": folder.path])
    #expect(result.status == 0, "\(result.errors)")
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

  // MARK: 76, files that cannot be loaded

  @Test func fileIsNotAnEngine() throws {
    let folder = try TemporaryFolder()
    let text = try folder.write("libtext.so", "This is no library.\n")
    expect(try Program.tessera("info", text, in: folder), 76, "libtext.so")
    try folder.write("plain.c", "int answer(void) { return 42; }\n")
    try CCompiler("gcc").compile(folder.path("plain.c"), to: folder.path("libplain.so"))
    expect(try Program.tessera("layout", "./libplain.so", in: folder), 76, "libplain.so")
  }

  @Test func newerEngineIsRefused() throws {
    let folder = try TemporaryFolder()
    let source = CEngine().source.replacingOccurrences(
      of: "#include <tessera/tessera.h>",
      with: "#include <tessera/tessera.h>\n#undef TESSERA_ABI_MAJOR\n#define TESSERA_ABI_MAJOR 9")
    try folder.write("future.c", source)
    try CCompiler("gcc").compile(folder.path("future.c"), to: folder.path("libfuture.so"))
    expect(try Program.tessera("info", "./libfuture.so", in: folder), 76, "9.0", "1.0")
  }

  // MARK: 77, libraries that are not allowed

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
