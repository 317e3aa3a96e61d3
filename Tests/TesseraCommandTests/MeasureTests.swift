import TestSupport
import Testing

/// Rows of a table whose heights are given by an expression.
@Suite struct MeasureTests {
  private func table(_ arguments: String...) throws -> ProgramResult {
    try Program.tessera(
      [
        "layout", "table", "--items", "40", "--set", "estimatedRowHeight=44", "--set",
        "sectionHeaderHeight=0",
      ] + arguments)
  }

  @Test func everyRowIsMeasured() throws {
    let answer = try table("--measure", "proposedWidth,40+index%3").layout()
    let rows = answer.elements.filter { $0.category == "cell" }
    let heights = (0..<40).map { item in Double(40 + item % 3) }
    #expect(rows.map { $0.frame[3] } == heights)
    // 13 times 40 + 41 + 42, and 40.
    #expect(answer.contentSize == [375, 1639])
  }

  /// Rows above the viewport keep the estimate, which the offset takes into account: those in it
  /// begin where the viewport does.
  @Test func onlyVisibleRowsAreMeasured() throws {
    let answer = try table(
      "--measure", "0,60", "--visible", "--bounds", "100x120", "--offset", "0,440"
    ).layout()
    let rows = answer.elements.filter { $0.category == "cell" }
    #expect(rows.map(\.item) == [10, 11])
    #expect(rows.map(\.frame) == [[0, 440, 100, 60], [0, 500, 100, 60]])
    let measured = answer.contentSize[1] - 40 * 44
    #expect(measured >= 2 * 16 && measured < 6 * 16)
  }

  @Test func optionsOverrideTheScenario() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "scenario.json",
      #"{"parameters": {"estimatedRowHeight": 44}, "measure": "0,60", "sections": [{"items": 1}]}"#)
    let arguments = ["layout", "table", "--scenario", "scenario.json"]
    #expect(try Program.tessera(arguments, in: folder).layout().frames[0][3] == 60)
    #expect(
      try Program.tessera(arguments + ["--measure", "0,70"], in: folder).layout().frames[0][3] == 70
    )
  }

  @Test func errorNamesTheExpression() throws {
    let infinite = try table("--measure", "0,1/(3-index)")
    #expect(infinite.status == 65)
    #expect(
      infinite.errors
        == "tessera: --measure: the expression \"1/(3-index)\" gives infinity for item 3 of section "
        + "0; expected a finite number\n")
    let negative = try table("--measure", "0,3-index")
    #expect(negative.status == 65)
    #expect(
      negative.errors
        == "tessera: --measure: for item 4 of section 0 the expression \"0,3-index\" gives 0x-1; "
        + "expected 0 or more\n")
    #expect(try table("--measure", "60").status == 65)
  }
}
