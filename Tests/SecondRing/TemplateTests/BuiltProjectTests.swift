import Foundation
import TestSupport
import Testing

@Suite struct BuiltProjectTests {
  private static let made = [NewProject.Language.c, .cpp, .rust].flatMap { language in
    [(language, false), (language, true)]
  }

  @Test(arguments: made)
  func projectsBuiltWithMakePass(_ language: NewProject.Language, isDerived: Bool) throws {
    let project = try NewProject(language, isDerived: isDerived)
    let build = try project.run("make")
    #expect(build.status == 0 && build.errors.isEmpty, "\(build.errors)")
    let test = try project.run("make", "test")
    #expect(test.status == 0, "\(test.output)\(test.errors)")
    try expectSuitePassed(test, project)
    let picture = try project.read("brick-wall.svg")
    #expect(try project.run("make", "picture").status == 0)
    #expect(try project.read("brick-wall.svg") == picture)
    try expectLayout(of: project)
    try expectOneSymbol(in: project)

    let home = try TemporaryFolder()
    #expect(try project.run("make", "install", "PREFIX=\(home.path)").status == 0)
    let list = try project.run(
      ".tessera/tessera", "info", "brick-wall", "--engines", home.path("lib/tessera"))
    #expect(list.output.hasPrefix("Brick Wall 0.1.0\n"), "\(list.errors)")
  }

  /// One test, since building the SDK dominates.
  @Test func projectsBuiltWithSwiftPass() throws {
    let project = try NewProject(.swift, isDerived: false)
    let test = try project.run("swift", "test")
    #expect(test.status == 0, "\(test.output)\(test.errors)")
    #expect(test.output.contains("Test run with 2 tests in 1 suite passed"))
    #expect(try !project.files.contains { $0.hasSuffix("Package.resolved") })
    #expect(try project.run("make", "-n", "deb").output.contains("-static-stdlib\n./deb "))
    try expectSwiftLayout(of: project)

    let derived = try project.derivedInPlace()
    let build = try derived.run("swift", "build")
    #expect(build.status == 0, "\(build.output)\(build.errors)")
    try expectSuitePassed(
      derived.run(
        ".tessera/tessera", "check", derived.library, "--level", "quick", "--golden", "goldens"),
      derived)
    try expectSwiftLayout(of: derived)
  }

  private func expectSwiftLayout(of project: NewProject) throws {
    let picture = try project.read("brick-wall.svg")
    let drawing = try project.run("./picture")
    #expect(drawing.status == 0, "\(drawing.errors)")
    #expect(try project.read("brick-wall.svg") == picture)
    try expectLayout(of: project)
    try expectOneSymbol(in: project)
  }

  private func expectSuitePassed(_ result: ProgramResult, _ project: NewProject) throws {
    #expect(
      result.output.contains("\norg.example.brick-wall 0.1.0 passed at quick: "),
      "\(result.output)\(result.errors)")
    #expect(result.output.contains("\ngolden           2 "), "\(result.output)")
  }

  /// Two of 60 fit into 190, next to a shift of half of 60 + 6; three of flow's 50, 20 apart, every
  /// second one 6 smaller on each side and half opaque.
  private func expectLayout(of project: NewProject) throws {
    let result = try project.run(
      ".tessera/tessera", "layout", project.library, "--items", "4", "--bounds", "190x300",
      "--format", "csv")
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    let rows = result.output.split(separator: "\n").dropFirst().map {
      let fields = $0.split(separator: ",", omittingEmptySubsequences: false)
      return (fields[4...7] + [fields[9]]).compactMap { Double($0) }
    }
    #expect(
      rows
        == (project.isDerived
          ? [
            [0, 0, 50, 50, 1], [76, 6, 38, 38, 0.5], [140, 0, 50, 50, 1], [6, 66, 38, 38, 0.5],
          ]
          : [[0, 0, 60, 40, 1], [66, 0, 60, 40, 1], [33, 46, 60, 40, 1], [99, 46, 60, 40, 1]]))
  }

  private func expectOneSymbol(in project: NewProject) throws {
    let symbols = try project.run(
      "nm", "-D", "--defined-only", "--extern-only", "-j", project.library)
    #expect(symbols.output == "tessera_register\n", "\(symbols.errors)")
  }
}
