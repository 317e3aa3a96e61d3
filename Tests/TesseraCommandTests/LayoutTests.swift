import TestSupport
import Testing

/// Numbers are calculated by hand from the engines' rules.
///
/// A grid of 50 × 50 cells, 10 apart, has six per row of 375.
@Suite struct LayoutTests {
  @Test func parametersAndExpressions() throws {
    let answer = try Program.tessera(
      "layout", "grid", "--items", "2", "--set", "itemSize=floor((width-2)/3),90", "--set",
      "spacing=-(2-3)"
    ).layout()
    #expect(answer.frames == [[0, 0, 124, 90], [125, 0, 124, 90]])
  }

  @Test func negativeValuesAreAccepted() throws {
    #expect(
      try Program.tessera("layout", "grid", "--rect", "-10,-10,20,20").layout().frames
        == [[0, 0, 50, 50]])
    #expect(
      try Program.tessera(
        "layout", "grid", "--visible", "--bounds", "20x20", "--offset", "-10,-10",
        "--content-insets", "-0,0,0,0"
      ).layout().frames == [[0, 0, 50, 50]])
    #expect(try Program.tessera("layout", "grid", "--set", "columns=-1").status == 65)
    #expect(try Program.tessera("layout", "flow", "--item", "size=-1,4").status != 64)
  }

  @Test func optionsOverrideTheScenario() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "scenario.json",
      """
      {"bounds": [120, 100], "parameters": {"spacing": 10, "itemSize": [20, 20]},
       "sections": [{"items": 3}], "rect": [0, 0, 40, 10]}
      """)
    let run = { (arguments: [String]) in
      try Program.tessera(
        ["layout", "grid", "--scenario", "scenario.json"] + arguments, in: folder
      ).layout()
    }
    #expect(try run([]).frames == [[0, 0, 20, 20], [30, 0, 20, 20]])
    #expect(try run(["--set", "spacing=0"]).frames == [[0, 0, 20, 20], [20, 0, 20, 20]])
    #expect(try run(["--items", "1"]).elements.count == 1)
    #expect(try run(["--rect", "60,0,1,1"]).frames == [[60, 0, 20, 20]])
    #expect(try run(["--visible"]).elements.count == 3)
  }

  @Test func resultsHaveTheTextsOfTheRowsAndWhatWasSet() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "items.tsv", "width\theight\tlabel\tid\n100\t60\ta, \"\"b\t\n120\t60\t\t7\n")
    func output(_ format: String) throws -> [Substring] {
      let result = try Program.tessera(
        "layout", "flow", "--items-from", "items.tsv", "--set", "minimumLineSpacing=4", "--bounds",
        "300x200", "--format", format, in: folder)
      #expect(result.errors.isEmpty, "\(result.errors)")
      return result.output.split(separator: "\n")
    }
    let cells = [
      #"{"category":"cell","section":0,"item":0,"frame":[0,0,100,60],"id":"","label":"a, \"\"b"}"#,
      #"{"category":"cell","section":0,"item":1,"frame":[110,0,120,60],"id":"7","label":""}"#,
    ]
    let head =
      #"{"engine":"org.tessera.flow","contentSize":[300,60],"bounds":[300,200],"#
      + #""parameters":{"minimumLineSpacing":4}"#
    #expect(try output("ndjson") == [Substring(head + "}")] + cells.map { Substring($0) })
    #expect(
      try output("json")
        == [
          Substring(head + #","elements":["#), Substring(cells[0] + ","), Substring(cells[1]), "]}",
        ])
    #expect(
      try output("csv") == [
        "category,kind,section,item,x,y,width,height,zIndex,alpha,hidden,id,label",
        #"cell,,0,0,0,0,100,60,0,1,false,,"a, """"b""#, "cell,,0,1,110,0,120,60,0,1,false,7,",
      ])
  }

  @Test func traceIsWrittenToStandardError() throws {
    let quiet = try Program.tessera("layout", "mosaic")
    let traced = try Program.tessera("layout", "mosaic", "--trace")
    #expect(traced.status == 0)
    #expect(traced.output == quiet.output)
    #expect(traced.errors.contains("prepare"))
  }
}
