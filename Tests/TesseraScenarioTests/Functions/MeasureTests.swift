import TestSupport
import Testing

@testable import TesseraScenario

@Suite struct MeasureTests {
  /// Row heights of a table 200 wide.
  private func heights(_ measure: String) throws -> [Double] {
    let library = BuiltProducts.engine("Table").path
    let session = try Session(
      Host(
        searchPath: SearchPath(folders: []),
        configuration: HostConfiguration(isolation: .none)
      ).engine(library))
    let scenario = try Scenario(
      parsing: Array(
        """
        { "bounds": [200, 100], "parameters": { "estimatedRowHeight": 44 },
          "sections": [{ "items": 2 }, { "items": 4 }], "measure": \(measure) }
        """.utf8), name: "scenario.json")
    try scenario.apply(to: session)
    return try session.elements().filter { $0.identity.category == .cell }.map(\.frame.height)
  }

  @Test("an expression measures each item, by what it is offered and where it stands")
  func measures() throws {
    #expect(try heights(#""proposedWidth, 40 + index""#) == [40, 41, 42, 43, 44, 45])
    #expect(try heights(#"["0", "proposedWidth / 10 + items"]"#) == [22, 22, 24, 24, 24, 24])
    #expect(try heights(#"[0, "section * 10 + item + height"]"#) == [100, 101, 110, 111, 112, 113])
    #expect(try heights(#""1x25""#) == [25, 25, 25, 25, 25, 25])
  }

  @Test("what goes wrong is told with the expression, however the session puts it")
  func failures() {
    func error(_ measure: String) -> String { message { _ = try heights(measure) } }
    #expect(
      error(#""width, 1 / (1 - item)""#).hasPrefix(
        "measure: the expression \"1 / (1 - item)\" gives infinity for item 1 of section 0"))
    #expect(
      error(#""width""#)
        == "measure is \"width\", 1 part; expected 2 numbers or expressions: width and height")
    #expect(error(#""1, -5""#) == "measure is 1x-5; expected 0 or more")
    #expect(
      error(#""1, 2 - item""#)
        == "measure: for item 3 of section 1 the expression \"1,2 - item\" gives 1x-1; expected 0 or "
        + "more")
  }
}
