import Foundation
import TestSupport
import Testing

/// Delegate functions implemented by the command line and by scenarios.
@Suite struct DelegateTests {
  private struct Pictures: Decodable {
    struct Element: Decodable {
      struct Attributes: Decodable {
        let layoutMode: String
        let contentRect: [Double]
      }
      let attributes: Attributes
    }
    let elements: [Element]

    init(_ arguments: [String], in folder: TemporaryFolder? = nil) throws {
      let result = try Program.tessera(
        ["layout", "aspect-flow", "--items", "4", "--item", "aspectRatio=2"] + arguments, in: folder
      )
      #expect(result.status == 0, "\(result.errors)")
      self = try JSONDecoder().decode(Pictures.self, from: Data(result.output.utf8))
    }

    var modes: [String] { elements.map(\.attributes.layoutMode) }
  }

  /// Cells are 140 square: a picture twice as wide as high is 140 by 70 in the middle, or all of it.
  @Test func everyOtherPictureFillsItsCell() throws {
    let pictures = try Pictures(["--delegate", "layoutModeForItem=item % 2"])
    #expect(pictures.modes == ["aspectFit", "aspectFill", "aspectFit", "aspectFill"])
    #expect(
      pictures.elements.map(\.attributes.contentRect) == [
        [0, 35, 140, 70], [0, 0, 140, 140], [0, 35, 140, 70], [0, 0, 140, 140],
      ])
  }

  @Test func fallbackIsUsedWithoutADelegate() throws {
    #expect(try Set(Pictures([]).modes) == ["aspectFit"])
    #expect(try Set(Pictures(["--set", "layoutMode=aspectFill"]).modes) == ["aspectFill"])
  }

  @Test func optionsOverrideTheScenario() throws {
    let folder = try TemporaryFolder()
    try folder.write("scenario.json", #"{"delegate": {"layoutModeForItem": "index < 1"}}"#)
    let scenario = ["--scenario", "scenario.json"]
    #expect(
      try Pictures(scenario, in: folder).modes
        == ["aspectFill", "aspectFit", "aspectFit", "aspectFit"])
    #expect(
      try Pictures(scenario + ["--delegate", "layoutModeForItem=item == items - 1"], in: folder)
        .modes == ["aspectFit", "aspectFit", "aspectFit", "aspectFill"])
  }

  /// An engine that asks where each row goes, handing over where it would go by itself.
  static let asking = CEngine(
    declarations: """
      static const tessera_function_declaration functions[] = {
          {"frameForItem", "rect(u32,u32,rect)", "Where an item goes.", 0}};
      """,
    members: ".functions = functions, .function_count = 1,",
    body: CEngine.column + """
      typedef tessera_rect (*frame_for_item)(void *, uint32_t, uint32_t, tessera_rect);
      frame_for_item frame = (frame_for_item)in->functions[0].call;
      for (uint64_t i = 0; frame && i < n; i++) {
        rows->frame[i] = frame(in->functions[0].context, 0, (uint32_t)i, rows->frame[i]);
      }

      """)

  @Test func structuresArePassedAndReturned() throws {
    let folder = try TemporaryFolder()
    let library = try Self.asking.build(in: folder)
    let answer = try Program.tessera(
      "layout", library, "--items", "2", "--delegate",
      "frameForItem=cX + 1, cY + index, cWidth / 2, items", in: folder
    ).layout()
    #expect(answer.frames == [[1, 0, 187.5, 2], [1, 11, 187.5, 2]])
    let plain = try Program.tessera("layout", library, "--items", "2", in: folder).layout()
    #expect(plain.frames == [[0, 0, 375, 10], [0, 10, 375, 10]])
  }
}
