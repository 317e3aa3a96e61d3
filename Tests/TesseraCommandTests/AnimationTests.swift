import Foundation
import TestSupport
import Testing

/// Flow's cells are 50 square, six per line of 375, 65 apart; three of 100 are 137.5 apart.
@Suite struct AnimationTests {
  private static let script = """
    {"before": {"sections": [{"items": 3}]}, "after": {"sections": [{"items": 4}]},
     "operations": [{"insert": [0, 1]}, {"insert": [0, 3]}, {"delete": [0, 1]},
                    {"move": [0, 2], "to": [0, 0]}]}
    """

  private func update(
    _ script: String = script, _ arguments: String...
  ) throws -> ProgramResult {
    try Program.tessera(["update", "flow", "--script", "-"] + arguments, input: script)
  }

  @Test func updateIsPrintedAsATable() throws {
    #expect(
      try update(Self.script, "--format", "table").output == """
        org.tessera.flow
        content 375 × 50 → 375 × 50, offset 0,0 → 0,0, 5 tracks: 2 appear, 1 disappears
        ELEMENT  BEFORE  AFTER  FROM         TO           ALPHA
        cell     0, 2    0, 0   130,0 50×50  0,0 50×50    1 → 1
        cell     –       0, 1   65,0 50×50   65,0 50×50   0 → 1
        cell     0, 1    –      65,0 50×50   65,0 50×50   1 → 0
        cell     0, 0    0, 2   0,0 50×50    130,0 50×50  1 → 1
        cell     –       0, 3   195,0 50×50  195,0 50×50  0 → 1

        """)
  }

  @Test func oneMomentInAnyFormat() throws {
    let half = try update(Self.script, "--progress", "0.5").layout()
    #expect(half.frames.map { $0[0] } == [65, 65, 65, 65, 195])
    let fourth = try update(Self.script, "--progress", "0.25", "--format", "csv")
    #expect(
      fourth.output.split(separator: "\n").dropFirst() == [
        "cell,,0,0,97.5,0,50,50,0,1,false", "cell,,0,1,65,0,50,50,0,0.25,false",
        "cell,,0,1,65,0,50,50,0,0.75,false", "cell,,0,2,32.5,0,50,50,0,1,false",
        "cell,,0,3,195,0,50,50,0,0.25,false",
      ])
    #expect(
      try !update(Self.script, "--progress", "0.5", "--format", "svg").output.contains("<animate"))
  }

  @Test func transitionBetweenTwoEngines() throws {
    let json = try Program.tessera(
      "transition", "flow", "grid", "--items", "2", "--set", "columns=1", "--set",
      "itemSize=100x60", "--to-offset", "0,-3"
    ).output
    #expect(json.hasPrefix(#"{"from":"org.tessera.flow","to":"org.tessera.grid","#))
    #expect(json.contains(#""from":{"frame":[137.5,0,100,60]},"to":{"frame":[0,70,100,60]}"#))
    #expect(json.contains(#""offsetAfter":[0,-3]"#))
  }

  static let refusals: [(arguments: [String], script: String?, status: Int32, sentence: String)] = [
    (
      ["update", "flow", "--script", "-"], #"{"operations": [{"inset": [0, 1]}]}"#, 65,
      "operations[0].inset is not a key of an operation; did you mean insert?"
    ),
    (
      ["update", "flow", "--script", "-", "--format", "csv"], script, 64,
      "csv holds only one moment; give --progress 0 to 1"
    ),
    (
      ["transition", "flow", "mosaic", "--to-set", "itemSize=1,2"], nil, 65,
      "--to-set itemSize: org.tessera.mosaic has no parameter \"itemSize\""
    ),
    (
      ["transition", "flow", "flow", "--progress", "-1"], nil, 64,
      "--progress is -1.0; give a number from 0 to 1"
    ),
    (
      ["transition", "flow", "mosaic", "--scenario", "scenario.json"], nil, 65,
      "the scenario has a rect, but a transition moves all elements"
    ),
  ]

  @Test(arguments: refusals)
  func whatIsWrong(
    arguments: [String], script: String?, status: Int32, sentence: String
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write("scenario.json", #"{"rect": [0, 0, 1, 1]}"#)
    let result = try Program.tessera(arguments, in: folder, input: script ?? "")
    #expect(result.status == status)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains(sentence), "\(result.errors)")
  }
}
