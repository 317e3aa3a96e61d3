import TestSupport
import Testing

/// `tessera transition`.
///
/// Flow's cells of 50 lie 65 apart in a width of 375; three of 100 fill it, 137.5 apart.
@Suite struct TransitionTests {
  @Test func fromOneLayoutToAnother() throws {
    let animation = try AnimationOutput(
      Program.tessera(
        "transition", "flow", "grid", "--items", "2", "--set", "columns=1", "--set",
        "itemSize=100x60"))
    #expect(animation.from == "org.tessera.flow")
    #expect(animation.to == "org.tessera.grid")
    #expect(animation.tracks.map(\.from.frame) == [[0, 0, 100, 60], [137.5, 0, 100, 60]])
    #expect(animation.tracks.map(\.to.frame) == [[0, 0, 100, 60], [0, 70, 100, 60]])
    #expect(animation.tracks.allSatisfy { $0.before == $0.after })
  }

  @Test func oneEngineWithOtherParameters() throws {
    let arguments = [
      "transition", "flow", "flow", "--items", "3", "--to-set", "itemSize=100x100", "--to-offset",
      "0,-3",
    ]
    let animation = try AnimationOutput(Program.tessera(arguments))
    #expect(animation.tracks.map { $0.to.frame[0] } == [0, 137.5, 275])
    #expect(animation.offsetAfter == [0, -3])
    let half = try Program.tessera(arguments + ["--progress", "0.5"]).layout()
    #expect(half.engine == "org.tessera.flow → org.tessera.flow")
    #expect(half.frames == [[0, 0, 75, 75], [101.25, 0, 75, 75], [202.5, 0, 75, 75]])
    #expect(half.contentSize == [375, 75])
  }

  @Test func picturesWithLabels() throws {
    let folder = try TemporaryFolder()
    try folder.write("items.csv", "width,height,label\n100,60,one\n120,60,two\n")
    let result = try Program.tessera(
      "transition", "flow", "cover-flow", "--items-from", "items.csv", "-o", "way.html", in: folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect(try folder.read("way.html").contains("two"))
  }

  static let refusals: [(arguments: [String], status: Int32, sentence: String)] = [
    (["flow", "mosiac"], 66, "mosiac"),
    (
      ["flow", "mosaic", "--set", "spacin=1"], 65,
      "--set spacin: org.tessera.flow has no parameter \"spacin\""
    ),
    (
      ["flow", "mosaic", "--to-set", "itemSize=1,2"], 65,
      "--to-set itemSize: org.tessera.mosaic has no parameter \"itemSize\""
    ),
    (["flow", "mosaic", "--to-offset", "1"], 65, "to-offset is a list of 1; expected 2 numbers"),
    (["flow"], 64, "Missing expected argument '<b>'"),
    (["flow", "flow", "--progress", "-1"], 64, "--progress is -1.0; give a number from 0 to 1"),
    (["flow", "flow", "--format", "ndjson"], 64, "ndjson holds only one moment"),
  ]

  @Test(arguments: refusals)
  func whatIsWrong(arguments: [String], status: Int32, sentence: String) throws {
    let result = try Program.tessera(["transition"] + arguments)
    #expect(result.status == status)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains(sentence), "\(result.errors)")
  }

  @Test func transitionRejectsARect() throws {
    let folder = try TemporaryFolder()
    try folder.write("scenario.json", #"{"rect": [0, 0, 1, 1]}"#)
    let result = try Program.tessera(
      "transition", "flow", "mosaic", "--scenario", "scenario.json", in: folder)
    #expect(result.status == 65)
    #expect(result.errors.contains("the scenario has a rect, but a transition moves all elements"))
  }
}
