import Foundation
import TestSupport
import Testing

/// `tessera call` and `tessera snap`.
///
/// cover-flow's covers are 180 wide and 60 over one another, so their centres lie at 90 + 120 k; in
/// bounds 375 wide the middle of the viewport lies 187.5 from the offset. For 310 that is 497.5, and
/// the nearest centre 450 rests at 262.5.
@Suite struct CallTests {
  private func lines(_ arguments: String...) throws -> String {
    let result = try Program.tessera(arguments)
    #expect(result.errors.isEmpty)
    #expect(result.status == 0)
    return result.output
  }

  @Test func publishedFunctionIsCalled() throws {
    #expect(try lines("call", "cover-flow", "restingOffset", "310", "0") == "262.5,0\n")
    #expect(try lines("call", "cover-flow", "restingOffset", "-10", "0") == "22.5,0\n")
    #expect(
      try lines("call", "cover-flow", "restingOffset", "--items", "5", "-10", "-2") == "22.5,-2\n")
    #expect(
      try lines("call", "cover-flow", "restingOffset", "-width", "width/2", "--items", "1")
        == "-375,187.5\n")
    // With room for 3 covers and items 100 wide the pitch is 40: 150 + 20 lies between 10 covers.
    #expect(
      try lines(
        "call", "cover-flow", "restingOffset", "0", "0", "--bounds", "300x300", "--set",
        "itemSize=100,100") == "-20,0\n")
  }

  @Test func callPrintsJSON() throws {
    let output = try lines(
      "call", "cover-flow", "restingOffset", "310", "0", "--format", "json")
    #expect(
      output == """
        {
          "function": "restingOffset",
          "signature": "point(f64,f64)",
          "result": [262.5, 0]
        }

        """)
  }

  @Test func snapPrintsTheRestingOffset() throws {
    #expect(try lines("snap", "cover-flow", "--offset", "310,0") == "262.5,0\n")
    #expect(
      try lines("snap", "cover-flow", "--offset", "-10,3", "--velocity", "-9,0") == "22.5,0\n")
    // 20 items of 50 fill less than the bounds, and nothing scrolls.
    #expect(try lines("snap", "flow", "--offset", "1.25,-3") == "0,0\n")
    #expect(
      try lines("snap", "cover-flow", "--offset", "310,0", "--velocity", "5,0", "--format", "json")
        == """
        {
          "engine": "org.tessera.cover-flow",
          "proposed": [310, 0],
          "velocity": [5, 0],
          "resting": [262.5, 0]
        }

        """)
  }

  @Test func traceLogsTheCalls() throws {
    let result = try Program.tessera("snap", "cover-flow", "--offset", "310,0", "--trace")
    #expect(result.output == "262.5,0\n")
    #expect(result.errors.contains("prepare("))
    #expect(result.errors.contains("resting_offset("))
  }

  static let refusals: [(arguments: [String], sentence: String)] = [
    (
      ["call", "cover-flow", "restingOffset", "1"],
      "restingOffset takes 2 arguments (f64, f64) but was given 1; give 2"
    ),
    (
      ["call", "cover-flow", "restingOffse", "1", "2"],
      "org.tessera.cover-flow publishes no function \"restingOffse\"; did you mean restingOffset?"
    ),
    (["call", "flow", "f"], "org.tessera.flow publishes no function \"f\"; it has none"),
    (
      ["call", "cover-flow", "restingOffset", "1/0", "2"],
      "argument 1 of restingOffset: the expression \"1/0\" gives infinity; expected a finite number"
    ),
    (["snap", "flow", "--offset", "1"], "offset is a list of 1; expected 2 numbers: x and y"),
    (
      ["snap", "flow", "--offset", "1,2", "--velocity", "x,2"],
      "velocity[0] is the text \"x\"; expected a number"
    ),
    (
      ["layout", "aspect-flow", "--delegate", "layoutModForItem=1"],
      "--delegate layoutModForItem: org.tessera.aspect-flow declares no delegate function "
        + "\"layoutModForItem\"; did you mean layoutModeForItem?"
    ),
    (
      ["layout", "aspect-flow", "--delegate", "layoutModeForItem=item-3"],
      "--delegate layoutModeForItem: for item 0 of section 0 the expression \"item-3\" gives -3 for "
        + "u8; expected a whole number from 0 to 255"
    ),
  ]

  @Test(arguments: refusals)
  func invalidArgumentIsReported(arguments: [String], sentence: String) throws {
    let result = try Program.tessera(arguments)
    #expect(result.status == 65)
    #expect(result.output.isEmpty)
    #expect(result.errors == "tessera: \(sentence)\n")
  }
}
