import Foundation
import TestSupport
import Testing

@Suite struct ExtrasTests {
  /// Core files that may name Extras or its contents, and why.
  private static let exempt = [
    "README.md": "one line says what it is",
    "Documentation/README.md": "one line says what it is",
    "Tools/test": "runs its tests with --all",
    "Tools/Documentation/repository.py": "leaves it out of the core's pages",
    "Tests/DocumentationTests/ExtrasTests.swift": "this file",
    "Tools/tessera": "builds the extra that has a command",
    "Sources/tessera/Commands/LayoutCommand.swift": "says which command has an option now",
    "Tests/TesseraCommandTests/UsageTests.swift": "tests that it says so",
  ]
  private static let parts = [
    "Documentation", "Plugins", "Sources", "Tests", "Tools", ".ci", "Package.swift", "README.md",
    "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "LICENSE",
  ]

  @Test func noOtherFileNamesAnExtra() throws {
    #expect(Self.exempt.count == 8, "the exemptions only become fewer")
    let names =
      "Extras\\b|tesseragtk|tessera-gtk|tessera-view|tessera_layout as|pyspark"
      + "|tessera[- ](figure|album|sheet|play|bench)\\b"
    let parts = Self.parts.filter { $0 != "CHANGELOG.md" }
    let found = try Program.run(
      "grep", ["-rlIE", "--exclude-dir=__pycache__", names] + parts,
      in: BuiltProducts.repository.path)
    let files = Set(found.output.split(separator: "\n").map(String.init))
    #expect(files.subtracting(Self.exempt.keys) == [])
    #expect(Set(Self.exempt.keys).subtracting(files) == [], "these need no exemption")
  }

  /// A copy of some parts, without build folders.
  private static func copy(_ parts: [String]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let line = #"clone=$1; shift; tar c --exclude=.build "$@" | tar x -C "$clone""#
    let copied = try Program.run(
      "bash", ["-c", line, "copy", folder.path] + parts, in: BuiltProducts.repository.path)
    try #require(copied.status == 0 && copied.errors.isEmpty, "\(copied.errors)")
    return folder
  }

  private static func check(_ parts: [String], in clone: TemporaryFolder) throws -> ProgramResult {
    try Program.run(
      clone.path("Tools/docs"),
      ["--command", BuiltProducts.command.path, "--check"] + parts, in: clone.path)
  }

  @Test func pagesStandWithoutIt() throws {
    let result = try Self.check(["links"], in: Self.copy(Self.parts))
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }

  /// The manifest names nothing in it, the site is built, and the products are installed.
  @Test(.secondRing) func coreIsDescribedDocumentedAndInstalledWithoutIt() throws {
    let clone = try Self.copy(Self.parts)
    let described = try Program.run("swift", ["package", "describe"], in: clone.path)
    #expect(described.status == 0 && !described.errors.contains("warning"), "\(described.errors)")
    // Saves installing MkDocs again.
    let tool = BuiltProducts.repository.appendingPathComponent(".build/mkdocs").path
    if FileManager.default.fileExists(atPath: "\(tool)/bin/mkdocs") {
      try clone.makeFolder(".build")
      try clone.link(".build/mkdocs", to: tool)
    }
    let checked = try Self.check(["made", "site"], in: clone)
    #expect(checked.status == 0, "\(checked.output)\(checked.errors)")
    // As in this clone, so that products linked for another test aren't linked again.
    let commit = try Program.run(
      "git", ["describe", "--always", "--dirty", "--exclude=*", "--abbrev=12"],
      in: BuiltProducts.repository.path
    ).output.split(separator: "\n").joined()
    let installed = try Program.run(
      clone.path("Tools/install"),
      ["--products", BuiltProducts.folder.path, clone.path("prefix")],
      environment: ["TESSERA_COMMIT": commit])
    try #require(installed.status == 0, "\(installed.output)\(installed.errors)")
    let layout = try Program.run(
      clone.path("prefix/bin/tessera"), ["layout", "flow", "--items", "2", "--format", "csv"])
    #expect(layout.output.split(separator: "\n").count == 3, "\(layout.errors)")
  }

  private static let extras =
    ((try? FileManager.default.contentsOfDirectory(
      atPath: BuiltProducts.repository.appendingPathComponent("Extras").path)) ?? []).sorted()

  @Test(.secondRing, arguments: extras) func pagesStandWithoutOne(of extra: String) throws {
    let others = Self.extras.filter { $0 != extra }.map { "Extras/\($0)" }
    let result = try Self.check(["links"] + others, in: Self.copy(Self.parts + others))
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }
}
