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
    "keep-figures", "level-times", "library", "mutation", "setup", "soak", "test", "uninstall",
  ])
  func helpNamesTheTool(tool: String) throws {
    let result = try Self.run(tool, ["--help"])
    #expect(result.status == 0)
    #expect(result.output.hasPrefix("Tools/\(tool)"))
    #expect(result.errors.isEmpty)
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
    try folder.write("Documentation/Figures.md", page("old\nrows\n"))
    let result = try Self.run("keep-figures", ["first"], in: folder.path, input: "| 1 & 2 |\n")
    #expect(result.status == 0, "\(result.errors)")
    let written = try folder.read("Documentation/Figures.md")
    let date = try #require(written.firstMatch(of: /Measured on \d{4}-\d\d-\d\d, .*\.\n/))
    #expect(written == page("\(date.output)\n| 1 & 2 |\n"))

    let unknown = try Self.run("keep-figures", ["third"], in: folder.path, input: "x")
    #expect(unknown.status == 65)
    #expect(unknown.errors.contains("has no section third"))
    #expect(try folder.read("Documentation/Figures.md") == written)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("Documentation"))
    #expect(names == ["Figures.md"])
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
