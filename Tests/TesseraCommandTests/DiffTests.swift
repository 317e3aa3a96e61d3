import Foundation
import TestSupport
import Testing

@Suite struct DiffTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func diff(_ arguments: String...) throws -> ProgramResult {
    try Program.tessera(["diff"] + arguments, in: folder)
  }

  // By mosaic's rules for three items, and flow's: gaps of (375 - 6 * 50) / 5 = 15.
  @Test func everyDifferenceIsListed() throws {
    let result = try diff("flow", "mosaic", "--items", "3")
    #expect(result.status == 1)
    #expect(
      result.output == """
        ELEMENT              OF           A                 B
                             contentSize  [375, 50]         [375, 402]
        cell 0 of section 0  frame        [0, 0, 50, 50]    [0, 1, 375, 200]
        cell 1 of section 0  frame        [65, 0, 50, 50]   [0, 202, 188, 200]
        cell 2 of section 0  frame        [130, 0, 50, 50]  [189, 202, 186, 200]
        4 differences

        """)
  }

  @Test func jsonHasEveryDifference() throws {
    let more = try folder.write(
      "more.json",
      #"{"elements": [{"category": "cell", "section": 0, "item": 7, "frame": [1, 2, 3, 4]}]}"#)
    let none = try folder.write("none.json", #"{"elements": []}"#)
    let result = try diff(more, none, "--format", "json")
    #expect(result.status == 1)
    let found = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? NSDictionary
    let difference: NSDictionary = [
      "element": "cell 7 of section 0", "of": NSNull(), "a": "frame [1, 2, 3, 4]",
      "b": "no such element",
    ]
    #expect(found == ["a": more, "b": none, "equal": false, "differences": [difference]])
  }

  @Test(arguments: ["json", "ndjson", "jsonl"])
  func aFileEqualsTheLayoutThatItHolds(ending: String) throws {
    let file = folder.path("layout.\(ending)")
    let option = ending == "jsonl" ? "--record" : "-o"
    let written = try Program.tessera(
      ["layout", "flow", "--items", "9", "--item", "size=30+item,20", option, file], in: folder)
    try #require(written.status == 0)
    let equal = try diff(file, "flow", "--items", "9", "--item", "size=30+item,20")
    #expect(equal.status == 0 && equal.output == "no difference\n", "\(equal.output)")
    let other = try diff(file, "flow", "--items", "9", "--item", "size=30+item,21")
    #expect(other.status == 1)
    #expect(other.output.hasSuffix("10 differences\n"))
  }

  @Test func numbersWithinTheToleranceAreEqual() throws {
    let file = try folder.write(
      "near.json",
      #"{"elements": [{"category": "cell", "section": 0, "item": 0, "frame": [0, 0, 50.25, 50]}]}"#)
    #expect(try diff(file, "flow", "--items", "1", "--tolerance", "0.25").status == 0)
    #expect(try diff(file, "flow", "--items", "1", "--tolerance", "0.24").status == 1)
  }

  @Test func badInputIsReported() throws {
    #expect(try diff("missing.json", "flow").errors.contains("missing.json cannot be read"))
    #expect(try diff("flow", "grid", "--tolerance", "-1").status == 64)
    let recording = folder.path("snap.jsonl")
    _ = try Program.tessera(
      ["snap", "cover-flow", "--offset", "1,2", "--record", recording], in: folder)
    let result = try diff(recording, "flow")
    #expect(result.status == 65)
    #expect(result.errors.contains("a recording in which no elements are queried"))
  }
}
