import Foundation
import TestSupport
import Testing

/// `tessera call`, `tessera snap`, and delegate functions from options.
///
/// Covers are 180 wide and overlap by 60: centres at 90 + 120 k. The viewport's middle is offset +
/// 187.5; for 310 that is 497.5, and the nearest centre, 450, rests at 262.5.
@Suite struct FunctionTests {
  private func lines(_ arguments: String...) throws -> String {
    let result = try Program.tessera(arguments)
    #expect(result.errors.isEmpty)
    #expect(result.status == 0)
    return result.output
  }

  @Test func publishedFunctionIsCalled() throws {
    #expect(
      try lines("call", "cover-flow", "restingOffset", "--items", "5", "-10", "-2") == "22.5,-2\n")
    #expect(
      try lines("call", "cover-flow", "restingOffset", "310", "0", "--format", "json") == """
        {
          "function": "restingOffset",
          "signature": "point(f64,f64)",
          "result": [262.5, 0]
        }

        """)
  }

  @Test func snapPrintsTheRestingOffset() throws {
    #expect(
      try lines("snap", "cover-flow", "--offset", "-10,3", "--velocity", "-9,0") == "22.5,0\n")
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

  /// Cells are 140 square: a 2:1 picture is 140 by 70 in the middle, or fills it.
  @Test func delegateFunctionIsAnswered() throws {
    let output = try lines(
      "layout", "aspect-flow", "--items", "2", "--item", "aspectRatio=2", "--delegate",
      "layoutModeForItem=item % 2")
    #expect(output.contains(#""layoutMode":"aspectFit","contentRect":[0,35,140,70]"#))
    #expect(output.contains(#""layoutMode":"aspectFill","contentRect":[0,0,140,140]"#))
  }

  static let refusals: [(arguments: [String], sentence: String)] = [
    (
      ["call", "cover-flow", "restingOffset", "1"],
      "restingOffset takes 2 arguments (f64, f64) but was given 1; give 2"
    ),
    (
      ["layout", "aspect-flow", "--delegate", "layoutModForItem=1"],
      "--delegate layoutModForItem: org.tessera.aspect-flow declares no delegate function "
        + "\"layoutModForItem\"; did you mean layoutModeForItem?"
    ),
    (
      [
        "layout", "table", "--set", "estimatedRowHeight=44", "--measure", "0,1/(3-index)",
      ],
      "--measure: the expression \"1/(3-index)\" gives infinity for item 3 of section 0; expected a "
        + "finite number"
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

@Suite struct ResultTests {
  static let engine = CEngine(
    declarations: """
      static uint64_t most(tessera_layout *l) { (void)l; return UINT64_MAX; }
      static _Bool not(tessera_layout *l, _Bool v) { (void)l; return !v; }
      static void nothing(tessera_layout *l) { (void)l; }
      static tessera_size same(tessera_layout *l, tessera_size s) { (void)l; return s; }
      static const tessera_function_declaration functions[] = {
          {"most", "u64()", "", (void (*)(void))most},
          {"not", "bool(bool)", "", (void (*)(void))not},
          {"nothing", "void()", "", (void (*)(void))nothing},
          {"same", "size(size)", "", (void (*)(void))same}};
      """,
    members: ".functions = functions, .function_count = 4,")

  static let calls: [(arguments: [String], text: String, json: String)] = [
    (["most"], "18446744073709551615\n", "18446744073709551615"),
    (["not", "scale > 1"], "false\n", "false"),
    (["nothing"], "", "null"),
    (["same", "-1,width"], "-1x375\n", "[-1, 375]"),
  ]

  @Test func everyResultTypeIsPrinted() throws {
    let folder = try TemporaryFolder()
    let library = try Self.engine.build(in: folder)
    for (arguments, text, json) in Self.calls {
      let plain = try Program.tessera(["call", library] + arguments, in: folder)
      #expect(plain.status == 0, "\(plain.errors)")
      #expect(plain.output == text)
      let structured = try Program.tessera(
        ["call", library] + arguments + ["--format", "json"], in: folder)
      #expect(structured.output.hasSuffix("\"result\": \(json)\n}\n"), "\(structured.output)")
    }
  }
}
