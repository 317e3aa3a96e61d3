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

  @Test func pagesStandWithoutIt() throws {
    let folder = try TemporaryFolder()
    let copied = try Program.run(
      "cp", ["-r"] + Self.parts + [folder.path], in: BuiltProducts.repository.path)
    try #require(copied.status == 0, "\(copied.errors)")
    let result = try Program.run(
      folder.path("Tools/docs"), ["--command", BuiltProducts.command.path, "--check", "links"])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }
}
