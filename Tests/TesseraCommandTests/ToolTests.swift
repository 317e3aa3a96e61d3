import Foundation
import TestSupport
import Testing

/// The scripts in Tools: their help, their options, and the page that the measuring ones write.
@Suite struct ToolTests {
  private static func run(
    _ tool: String, _ arguments: [String], in folder: String? = nil, input: String = ""
  ) throws -> ProgramResult {
    let tools = folder ?? BuiltProducts.repository.path
    return try Program.run("\(tools)/Tools/\(tool)", arguments, input: input)
  }

  @Test(arguments: [
    "attack", "broken-engines", "build", "check", "format", "install", "isolation-figures",
    "keep-figures", "level-times", "library", "mutation", "package", "setup", "soak", "test",
    "uninstall",
  ])
  func helpNamesTheTool(tool: String) throws {
    let result = try Self.run(tool, ["--help"])
    #expect(result.status == 0)
    #expect(result.output.hasPrefix("Tools/\(tool)"))
    #expect(result.errors.isEmpty)
  }

  @Test func benchRejectsUnknownNames() throws {
    let help = try Self.run("bench", ["--help"])
    #expect(help.status == 0 && help.output.hasPrefix("usage: Tools/bench"))
    let engine = try Self.run("bench", ["no-such-engine"])
    #expect(engine.status == 64)
    #expect(
      engine.errors.contains("there is no engine no-such-engine in Plugins; expected one of "))
    let folder = try TemporaryFolder()
    let products = try Self.run("bench", ["--instructions", "--products", folder.path])
    #expect(products.status == 66)
    #expect(products.errors.contains("holds no tessera; give a folder that Tessera was built in"))
  }

  /// Every table of targets in a README can be read.
  ///
  /// Each prepare that is compared with a loop in C has one, which compiles without warnings and places
  /// a few items as the engine does.
  @Test func benchReadsTheTargetsOfEngines() throws {
    let folder = try TemporaryFolder()
    let script = """
      import pathlib, sys
      sys.dont_write_bytecode = True
      sys.path.insert(0, "\(BuiltProducts.repository.path)/Tools/Bench")
      from engines import Loops, is_by_loop, loop_row, row, speed_table
      from figures import ROOT, Products, Report
      names = ["prepare", "append", "change", "update", "values", "query", "lookup", "index", "scroll", "first"]
      report = Report({"measures": [{"measure": name, "where": "in process", "items": 1000, "median": 0.5} for name in names]})
      products = Products(pathlib.Path("\(BuiltProducts.folder.path)"))
      loops = Loops(products, pathlib.Path("\(folder.path)"))
      for path in sorted((ROOT / "Plugins").glob("*/README.md")):
        engine, stated = path.parent.name, set()
        for measure, options, target in speed_table(engine):
          assert measure in names, measure
          if is_by_loop(measure, target):
            stated.add(options)
            assert loop_row([2.0, 1.0], engine, options, target).cells
          else:
            assert row(report, engine, measure, options, target).cells
        if (products.folder / f"libTessera{engine}.so").is_file():
          found = loops.run(engine, "check").keys()
          assert found == stated, (engine, found ^ stated)
      """
    let result = try Program.run("python3", ["-c", script])
    #expect(result.status == 0 && !result.errors.contains("warning"), "\(result.errors)")
  }

  /// Counts of the build that the tests run with.
  ///
  /// Skipped, with a sentence, without valgrind, with another compiler than the recorded one, and in a
  /// debug build.
  @Test func instructionsAreAsFewAsRecorded() throws {
    let result = try Self.run("bench", ["--instructions", "--products", BuiltProducts.folder.path])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    if result.output.contains("skipped") { print(result.output) }
  }

  @Test(arguments: ["attack", "install", "level-times", "mutation", "soak", "uninstall"])
  func unknownOptionIsReported(tool: String) throws {
    let result = try Self.run(tool, ["--unknown"])
    #expect(result.status == 64)
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("Tools/\(tool): there is no "))
    #expect(result.errors.contains("see Tools/\(tool) --help"))
  }

  @Test(arguments: ["mutation", "soak"])
  func invalidNumberIsReported(tool: String) throws {
    for arguments in [["--seed"], ["--seed", "x"], ["--seed", "-1"]] {
      let result = try Self.run(tool, arguments)
      #expect(result.status == 64)
      #expect(result.errors.hasPrefix("Tools/\(tool): --seed needs a number; "))
    }
  }

  @Test func figuresReplaceTheirSectionOnly() throws {
    let folder = try TemporaryFolder()
    let tool = BuiltProducts.repository.appendingPathComponent("Tools/keep-figures").path
    try folder.makeFolder("Tools")
    try FileManager.default.copyItem(atPath: tool, toPath: folder.path("Tools/keep-figures"))
    func page(_ first: String) -> String {
      "# Figures\n\n<!-- first -->\n\(first)<!-- end of first -->\n\nBy hand.\n\n"
        + "<!-- second -->\nold\n<!-- end of second -->\n"
    }
    try folder.write("Documentation/Performance.md", page("old\nrows\n"))
    let result = try Self.run("keep-figures", ["first"], in: folder.path, input: "| 1 & 2 |\n")
    #expect(result.status == 0, "\(result.errors)")
    let written = try folder.read("Documentation/Performance.md")
    let date = try #require(written.firstMatch(of: /Measured on \d{4}-\d\d-\d\d, .*\.\n/))
    #expect(written == page("\(date.output)\n| 1 & 2 |\n"))
    // It replaces the page by a new file, which others must be able to read too.
    let attributes = try FileManager.default.attributesOfItem(
      atPath: folder.path("Documentation/Performance.md"))
    #expect(attributes[.posixPermissions] as? Int == 0o644)

    let unknown = try Self.run("keep-figures", ["third"], in: folder.path, input: "x")
    #expect(unknown.status == 65)
    #expect(unknown.errors.contains("no page has a section third"))
    #expect(try folder.read("Documentation/Performance.md") == written)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("Documentation"))
    #expect(names == ["Performance.md"])
  }

  /// The sources that the first lines of a fuzz target name, which move with the modules.
  @Test(arguments: ["ELF", "Scenario"]) func fuzzTargetsNameExistingSources(target: String) throws {
    let script = """
      cd '\(BuiltProducts.repository.path)'
      eval "sources=($(sed -n 's|^//   \\(Sources/.*\\)|\\1|p' Tools/fuzz/\(target)Fuzz.swift))"
      [ ${#sources[@]} -gt 3 ]
      ls -d "${sources[@]}"
      """
    let result = try Program.run("bash", ["-euc", script])
    #expect(result.status == 0, "\(result.errors)")
  }
}
