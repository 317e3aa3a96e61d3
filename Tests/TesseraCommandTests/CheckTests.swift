import Foundation
import TestSupport
import Testing

@Suite struct CheckTests {
  @Test func formatsAreWellFormed() throws {
    func run(_ format: String) throws -> ProgramResult {
      try Program.tessera(
        "check", "mosaic", "--level", "quick", "--filter", "counts", "--format", format)
    }
    #expect(try run("tap").output.hasPrefix("TAP version 13\n1..14\n"))
    #expect(try run("junit").output.hasPrefix("<?xml version=\"1.0\""))
    let json = try JSONSerialization.jsonObject(with: Data(run("json").output.utf8))
    #expect((json as? [String: Any])?["passed"] as? Bool == true)
  }

  @Test func theCatalogueIsListedWithoutAnEngine() throws {
    let result = try Program.tessera("check", "--list")
    #expect(result.status == 0)
    let lines = result.output.split(separator: "\n")
    #expect(lines.first?.hasPrefix("CASE") == true)
    #expect(lines.contains { $0.hasPrefix("geometry-frames-finite ") })
    let some = try Program.tessera("check", "--list", "--filter", "counts-two")
    #expect(some.output.split(separator: "\n").count == 2)
    let json = try Program.tessera("check", "--list", "--filter", "counts-two", "--format", "json")
    let cases = try JSONDecoder().decode([[String: String?]].self, from: Data(json.output.utf8))
    #expect(cases.count == 1 && cases[0]["id"] == "counts-two" && cases[0]["level"] == "quick")
    #expect(cases[0]["category"] == "counts" && cases[0]["skippedIf"] == .some(nil))
    for key in ["rule", "why", "remedy"] { #expect(cases[0][key]??.isEmpty == false) }
  }

  @Test func seedAndJobsDoNotChangeTheCases() throws {
    func verdicts(_ options: String...) throws -> [String] {
      let result = try Program.tessera(
        ["check", "grid", "--level", "quick", "--format", "tap"] + options)
      return result.output.split(separator: "\n").filter { $0.contains("ok ") }.map(String.init)
    }
    let first = try verdicts("--jobs", "1")
    #expect(first.count > 40)
    #expect(try verdicts("--jobs", "4") == first)
    #expect(try verdicts("--seed", "99") == first)
  }

  @Test func sampleIsTestedAlone() throws {
    let result = try Program.tessera(
      "check", "mosaic", "--filter", "geometry-frames-finite", "--format", "json", "--sample",
      #"{"sections":[{"items":3}],"parameters":{"spacing":4}}"#)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("\"samples\": 1"))
    let wrong = try Program.tessera(
      "check", "mosaic", "--sample", #"{"parameters":{"spacin":4}}"#)
    #expect(wrong.status == 65)
    #expect(wrong.errors.contains("spacing"))
  }

  @Test func unloadableLibraryHasAReportAndOtherFilesDoNot() throws {
    let folder = try TemporaryFolder()
    try CCompiler("gcc").compile(
      folder.write("note.c", "int nothing(void) { return 0; }"), to: folder.path("libnote.so"))
    let library = try Program.tessera("check", "./libnote.so", in: folder)
    #expect(library.status == 1, "\(library.errors)")
    #expect(library.output.contains("FAILED library-loads"))
    #expect(library.output.contains("it has no Tessera note"))
    try folder.write("libtext.so", "This is no library.\n")
    let text = try Program.tessera("check", "./libtext.so", in: folder)
    #expect(text.status == 76)
    #expect(text.output.isEmpty)
    #expect(try Program.tessera("check", "./libnone.so", in: folder).status == 66)
  }

  @Test func storedLayoutsAreRecordedComparedAndDrawn() throws {
    let folder = try TemporaryFolder()
    try folder.write("goldens/one/scenario.json", #"{"sections": [{"items": 1}]}"#)
    func check(_ options: String...) throws -> ProgramResult {
      try Program.tessera(
        ["check", "mosaic", "--filter", "counts-two"] + options, in: folder)
    }
    let missing = try check("--golden", "goldens")
    #expect(missing.status == 66)
    #expect(
      missing.errors
        == "tessera: goldens/one has no expected.json; store it with --record-golden goldens\n")
    let recorded = try check("--record-golden", "goldens")
    #expect(recorded.status == 0 && recorded.output == "one: stored, 1 element\n")
    #expect(try check("--golden", "goldens").status == 0)
    let changed = try folder.read("goldens/one/expected.json").replacing("375,200", with: "300,200")
    try folder.write("goldens/one/expected.json", changed)
    let failed = try check("--golden", "goldens", "--pictures", "pictures")
    #expect(failed.status == 1)
    #expect(failed.output.contains("FAILED golden-one"))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("pictures"))
    #expect(names.sorted() == ["golden-one-expected.svg", "golden-one-found.svg"])
    #expect(try folder.read("pictures/golden-one-found.svg").hasPrefix("<svg"))
  }
}
