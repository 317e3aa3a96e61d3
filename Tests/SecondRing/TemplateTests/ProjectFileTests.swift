import Foundation
import TestSupport
import Testing

@Suite struct ProjectFileTests {
  @Test(arguments: NewProject.Language.allCases, [false, true])
  func everyNameIsFilledIn(_ language: NewProject.Language, isDerived: Bool) throws {
    let project = try NewProject(language, isDerived: isDerived)
    let files = try project.files
    for name in [
      "README.md", "LICENSE", "brick-wall.svg", ".gitignore", ".github/workflows/test.yml",
    ] {
      #expect(files.contains(name), "\(name)")
    }
    let stale = try Regex(
      "(?i)@[a-z-]+@|example[-_ ]?layout|Example Author|LicenseRef|example\\.base|9\\.8\\.7|YEAR")
    for file in files where !file.hasPrefix(".tessera/") {
      #expect(file.firstMatch(of: stale) == nil, "\(file)")
      let text = try project.read(file)
      #expect(text.firstMatch(of: stale) == nil, "\(file)")
      #expect(text.hasSuffix("\n"), "\(file)")
    }
    let year = Calendar(identifier: .gregorian).component(.year, from: Date())
    #expect(try project.read("LICENSE").contains("\nCopyright (c) \(year) Ada Example\n"))
    #expect(try project.read("README.md").contains("org.tessera.flow") == isDerived)
  }

  /// Templates' goldens and picture use flow, so projects on other bases lack them.
  @Test func projectOnAnotherBaseHasNoPictureYet() throws {
    let folder = try TemporaryFolder()
    let result = try Program.run(
      BuiltProducts.command.path, ["new", "a", "-l", "c", "--base", "mosaic"], in: folder.path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("a/a.svg")))
    let goldens = folder.path("a/goldens/narrow")
    #expect(try FileManager.default.contentsOfDirectory(atPath: goldens) == ["scenario.json"])
    let make = try Program.run(
      "make", ["test", "picture", "goldens"], in: folder.path("a"),
      environment: ["LEVEL": "quick"])
    #expect(make.status == 0, "\(make.output)\(make.errors)")
    #expect(FileManager.default.fileExists(atPath: folder.path("a/a.svg")))
    #expect(try FileManager.default.contentsOfDirectory(atPath: goldens).count == 2)
  }

  @Test func linksOfACloneAreRecreated() throws {
    let project = try NewProject(.c, isDerived: false)
    let links = "\(project.path)/.tessera"
    let before = try FileManager.default.subpathsOfDirectory(atPath: links).sorted()
    try FileManager.default.removeItem(atPath: links)
    let missing = try project.run("make", "TESSERA=no-such-tessera")
    #expect(missing.status != 0)
    #expect(missing.errors.hasPrefix("there is no no-such-tessera in PATH; install Tessera"))
    let make = try project.run("make", "TESSERA=\(BuiltProducts.command.path)")
    #expect(make.status == 0, "\(make.errors)")
    #expect(try FileManager.default.subpathsOfDirectory(atPath: links).sorted() == before)
    #expect(try project.run(".tessera/tessera", "link").status == 0)
    #expect(try FileManager.default.subpathsOfDirectory(atPath: links).sorted() == before)
  }

  @Test(arguments: [("c", "CC", "gcc"), ("cpp", "CXX", "g++"), ("rust", "RUSTC", "rustup")])
  func aMissingCompilerIsNamed(_ missing: (String, String, String)) throws {
    let language = try #require(NewProject.Language(rawValue: missing.0))
    let make = try NewProject(language, isDerived: false).run("make", "\(missing.1)=no-such-one")
    #expect(make.status != 0)
    #expect(make.errors.contains("\"no-such-one\" here; install one"))
    #expect(make.errors.contains(missing.2))
  }
}
