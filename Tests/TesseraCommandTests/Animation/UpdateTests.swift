import Foundation
import TestSupport
import Testing

/// `tessera update`.
///
/// Flow's cells are 50 square and six fill a line of 375, so each lies 65 from the one before.
@Suite struct UpdateTests {
  static let script = """
    {"before": {"sections": [{"items": 3}]}, "after": {"sections": [{"items": 4}]},
     "operations": [{"insert": [0, 1]}, {"insert": [0, 3]}, {"delete": [0, 1]},
                    {"move": [0, 2], "to": [0, 0]}]}
    """

  private func update(_ script: String, _ arguments: String...) throws -> ProgramResult {
    let folder = try TemporaryFolder()
    try folder.write("change.json", script)
    return try Program.tessera(["update"] + arguments + ["--script", "change.json"], in: folder)
  }

  @Test func tracksOfAllElements() throws {
    let animation = try AnimationOutput(update(Self.script, "flow"))
    #expect(animation.engine == "org.tessera.flow")
    #expect(animation.contentSizeBefore == [375, 50])
    #expect(animation.contentSizeAfter == [375, 50])
    let ways = animation.tracks.map { track in
      [
        track.before.map { Double($0.item) }, track.after.map { Double($0.item) },
        track.from.frame[0], track.to.frame[0], track.from.alpha, track.to.alpha,
      ]
    }
    #expect(
      ways == [
        [2, 0, 130, 0, nil, nil], [nil, 1, 65, 65, 0, nil], [1, nil, 65, 65, nil, 0],
        [0, 2, 0, 130, nil, nil], [nil, 3, 195, 195, 0, nil],
      ])
  }

  @Test func oneMomentInAnyFormat() throws {
    let half = try update(Self.script, "flow", "--progress", "0.5").layout()
    #expect(half.frames.map { $0[0] } == [65, 65, 65, 65, 195])
    let fourth = try update(Self.script, "flow", "--progress", "0.25", "--format", "csv")
    #expect(
      fourth.output.split(separator: "\n").dropFirst() == [
        "cell,,0,0,97.5,0,50,50,0,1,false", "cell,,0,1,65,0,50,50,0,0.25,false",
        "cell,,0,1,65,0,50,50,0,0.75,false", "cell,,0,2,32.5,0,50,50,0,1,false",
        "cell,,0,3,195,0,50,50,0,0.25,false",
      ])
    let lines = try update(Self.script, "flow", "--progress", "1", "--format", "ndjson")
    #expect(lines.output.split(separator: "\n").count == 5)
    for format in ["svg", "html"] {
      let still = try update(Self.script, "flow", "--progress", "0.5", "--format", format)
      #expect(still.status == 0)
      #expect(!still.output.contains("<animate"))
    }
  }

  @Test func animationIsDrawn() throws {
    let svg = try update(Self.script, "flow", "--format", "svg")
    #expect(svg.status == 0)
    #expect(svg.output.hasPrefix("<svg") || svg.output.hasPrefix("<?xml"))
    #expect(svg.output.contains("<animate"))
    let html = try update(Self.script, "flow", "--format", "html")
    #expect(html.output.contains("type=\"range\""))
  }

  @Test func animationIsPrintedAsATable() throws {
    let table = try update(Self.script, "flow", "--format", "table")
    #expect(
      table.output == """
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

  @Test func identitiesFromStandardInput() throws {
    let result = try Program.tessera(
      "update", "flow", "--script", "-",
      input: #"{"identities": {"before": [["a", "b"]], "after": [["b", "a", "c"]]}}"#)
    let animation = try AnimationOutput(result)
    #expect(animation.tracks.map { $0.before?.item } == [1, 0, nil])
    #expect(animation.tracks.map { $0.after?.item } == [0, 1, 2])
  }

  @Test func optionsApplyBeforeAndAfter() throws {
    let animation = try AnimationOutput(
      update(Self.script, "flow", "--set", "itemSize=80x10", "--bounds", "100x100"))
    #expect(animation.contentSizeBefore == [100, 50])
    #expect(animation.contentSizeAfter == [100, 70])
    #expect(animation.tracks.allSatisfy { $0.from.frame[2...] == [80, 10] })
  }

  @Test func traceLogsTheCalls() throws {
    let result = try update(Self.script, "flow", "--trace")
    #expect(result.status == 0)
    let calls = result.errors.split(separator: "\n")
    #expect(calls.count { $0.hasPrefix("prepare(") } == 2)
  }

  /// Rows of 20 and 30 are measured; the one that is inserted between them is 40 high.
  @Test func rowsAreMeasuredOnBothSides() throws {
    let animation = try AnimationOutput(
      update(
        """
        {"before": {"sections": [{"items": 2}], "measure": [0, "20 + item * 10"]},
         "after": {"sections": [{"items": 3}], "measure": [0, "item == 1 ? 40 : 5"]},
         "operations": [{"insert": [0, 1]}]}
        """, "table", "--set", "estimatedRowHeight=44", "--set", "sectionHeaderHeight=0"))
    let rows = animation.tracks.filter { ($0.after ?? $0.before)?.category == "cell" }
    #expect(rows.map(\.from.frame[3]) == [20, 40, 30])
    // What stays keeps the size that it was measured to have.
    #expect(rows.map(\.to.frame[3]) == [20, 40, 30])
    #expect(rows.map(\.to.frame[1]) == [0, 20, 60])
  }

  static let refusals: [(script: String, status: Int32, sentence: String)] = [
    (
      #"{"before": {"sections": [{"items": 3}]}, "operations": [{"inset": [0, 1]}]}"#, 65,
      "operations[0].inset is not a key of an operation; did you mean insert?"
    ),
    (
      #"{"before": {"sections": [{"items": 3}]}, "operations": [{"insert": [0, 1]}]}"#, 65,
      "operations: "
    ),
    (
      #"{"before": {"parameters": {"itmSize": 1}}, "operations": []}"#, 65,
      "before.parameters.itmSize: org.tessera.flow has no parameter \"itmSize\"; did you mean itemSize?"
    ),
    (
      #"{"after": {"sections": [{"items": 2, "itemValues": {"size": [[1, 2]]}}]}, "operations": []}"#,
      65, "after.sections[0].itemValues.size has 1 entry for 2 items; give one value, or 2"
    ),
    ("", 65, "change.json is not JSON: it ends too early"),
  ]

  @Test(arguments: refusals)
  func invalidScriptsAreReported(script: String, status: Int32, sentence: String) throws {
    let result = try update(script, "flow")
    #expect(result.status == status)
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("tessera: \(sentence)"), "\(result.errors)")
  }

  @Test func usage() throws {
    #expect(try update(Self.script, "flow", "--progress", "1.5").status == 64)
    let csv = try update(Self.script, "flow", "--format", "csv")
    #expect(csv.status == 64)
    #expect(csv.errors.contains("csv holds only one moment; give --progress 0 to 1"))
    #expect(try Program.tessera("update", "flow").status == 64)
    #expect(try Program.tessera("update", "flow", "--script", "none.json").status == 66)
  }
}
