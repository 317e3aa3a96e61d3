import Foundation
import TestSupport
import Testing

@Suite struct NewCommandTests {
  private func new(
    _ arguments: [String], in folder: TemporaryFolder, environment: [String: String] = [:]
  ) throws -> ProgramResult {
    try Program.run(
      BuiltProducts.command.path, ["new"] + arguments, in: folder.path, environment: environment)
  }

  @Test(arguments: [
    ("spiral", "spiral", "struct spiral :", "Spiral"),
    ("BrickWall", "brick-wall", "struct brick_wall :", "Brick Wall"),
    ("Big_Bricks 2", "big-bricks-2", "struct big_bricks_2 :", "Big Bricks 2"),
    ("class", "class", "struct class_layout :", "Class"),
  ])
  func namesAreWrittenAsIsUsual(_ name: (String, String, String, String)) throws {
    let folder = try TemporaryFolder()
    let result = try new([name.0, "--language", "C++"], in: folder)
    #expect(result.status == 0, "\(result.errors)")
    let text = String(
      decoding: try folder.bytes("\(name.1)/\(name.1).cpp"), as: UTF8.self)
    #expect(text.contains(name.2))
    #expect(text.contains(".name = \"\(name.3)\""))
    #expect(text.contains("\"org.example.\(name.1)\""))
  }

  private static let refusals: [(arguments: [String], status: Int32, sentence: String)] = [
    (["9x"], 65, "the name is \"9x\"; expected at most 60 letters from a to z"),
    (["../x"], 65, "the name is \"../x\""), (["a/b"], 65, "the name is \"a/b\""),
    (["a\u{1B}[31m"], 65, "the name is \"a\\u{1B}[31m\""),
    ([String(repeating: "a", count: 61)], 65, "expected at most 60 letters"),
    (["a", "--id", "spiral"], 65, "--id is \"spiral\"; expected parts of letters"),
    (["a", "--licence", "MTI"], 65, "there is no licence \"MTI\"; did you mean MIT?"),
    (["a", "--licence", "../make/Makefile"], 65, "there is no licence \"../make/Makefile\""),
    (["a", "--author", "a\"b"], 65, "--author is \"a\"b\"; expected a name"),
    (["a", "--author", "a\u{1B}[31m"], 65, "without quotation marks, backslashes and control"),
    (["a", "--base", "flwo"], 66, "there is no engine \"flwo\"; did you mean flow?"),
    (["there"], 73, "cannot create there: it exists already; give another name"),
  ]

  @Test(arguments: refusals)
  func invalidArgumentsAreRejected(
    _ refusal: (arguments: [String], status: Int32, sentence: String)
  ) throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("there")
    try folder.write("file", "kept")
    let result = try new(refusal.arguments + ["--language", "c"], in: folder)
    #expect(result.status == refusal.status)
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("tessera: "))
    #expect(result.errors.contains(refusal.sentence), "\(result.errors)")
    #expect(result.errors.filter(\.isNewline).count == 1)
    #expect(!result.errors.contains("\u{1B}"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
        "file", "there",
      ])
    #expect(try folder.bytes("file") == Array("kept".utf8))
  }

  @Test func theLicenceIsThere() throws {
    let folder = try TemporaryFolder()
    let result = try new(
      ["a", "-l", "c", "--licence", "Apache-2.0", "--author", "Zoë Example"], in: folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect(try folder.read("a/LICENSE").contains("Apache License"))
    let source = try folder.read("a/a.c")
    #expect(source.contains(".license = \"Apache-2.0\""))
    #expect(source.contains(".author = \"Zoë Example\""))
    #expect(try new(["b", "-l", "c", "--licence", "none"], in: folder).status == 0)
    #expect(!FileManager.default.fileExists(atPath: folder.path("b/LICENSE")))
  }

  @Test func authorIsTheUserOfGit() throws {
    let folder = try TemporaryFolder()
    let home = try TemporaryFolder()
    try home.write(".gitconfig", "[user]\n\tname = Grace Example\n")
    let git = try Program.run("git", ["--version"])
    let result = try new(["a", "-l", "c"], in: folder, environment: ["HOME": home.path])
    #expect(result.status == 0, "\(result.errors)")
    let source = String(decoding: try folder.bytes("a/a.c"), as: UTF8.self)
    #expect(source.contains(".author = \"Grace Example\"") == (git.status == 0))
  }

  @Test func missingToolsAreReported() throws {
    let folder = try TemporaryFolder()
    let bin = try TemporaryFolder()
    let result = try new(["a", "-l", "rust"], in: folder, environment: ["PATH": bin.path])
    #expect(result.status == 0, "\(result.errors)")
    for (tool, installation) in [("make", "sudo apt-get install make"), ("rustc", "curl ")] {
      let advice = "Building needs \(tool), which is not in PATH; install it with: \(installation)"
      #expect(result.output.contains(advice), "\(result.output)")
    }
  }
}
