import Foundation
import TestSupport
import Testing

@Suite struct ReplayTests {
  private static let sessions: [[String]] = [
    ["layout", "flow", "--sections", "14,9", "--item", "size=60+noise(index)*110,80"],
    ["layout", "grid", "--items", "1000000000", "--offset", "0,6000000", "--visible"],
    ["layout", "table", "--direction", "rightToLeft"],
    ["layout", "aspect-flow", "--delegate", "layoutModeForItem=item % 2"],
    ["layout", "table", "--set", "estimatedRowHeight=44", "--measure", "width,40+index*2"],
    ["snap", "cover-flow", "--offset", "310.3,0", "--velocity", "-250,0"],
    ["call", "cover-flow", "restingOffset", "width/2", "0"],
    ["update", "table", "--script", "script.json"],
  ]

  private static let script = """
    {"before": {"sections": [{"items": 3}]}, "after": {"sections": [{"items": 4}]},
     "operations": [{"insert": [0, 1]}, {"move": [0, 2], "to": [0, 0]}]}
    """

  @Test("recording changes no answer, and its replay gives the same", arguments: sessions)
  func roundTrip(arguments: [String]) throws {
    let folder = try TemporaryFolder()
    try folder.write("script.json", Self.script)
    let format = ["--format", "json"]
    let plain = try Program.tessera(arguments + format, in: folder)
    let recorded = try Program.tessera(arguments + format + ["--record", "r.jsonl"], in: folder)
    #expect(recorded.status == 0, "\(recorded.errors)")
    #expect(recorded.output == plain.output)
    let lines = try folder.read("r.jsonl").split(separator: "\n")
    let first = #"{"tessera":"recording","format":1,"engine":"org.tessera."#
    #expect(lines.first?.hasPrefix(first) == true)
    #expect(lines.contains { $0.contains("\"answer\":") })
    let replayed = try Program.tessera("replay", "r.jsonl", in: folder)
    #expect(replayed.status == 0, "\(replayed.output)\(replayed.errors)")
    #expect(replayed.output.hasSuffix("\(lines.count - 1) calls, as recorded\n"))
  }

  private func columns() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for row in [10, 12] {
      try CEngine(
        version: "1.0.\(row)",
        body: """
          for (uint64_t i = 0; i < n; i++)
            rows->frame[i] = (tessera_rect){0, \(row).0 * (double)i, in->viewport.width, \(row)};

          """
      ).build(in: folder, as: "lib\(row).so")
    }
    let recorded = try Program.tessera(
      "layout", "./lib10.so", "--sections", "7,5", "--bounds", "320x480", "--offset", "0,20",
      "--record", "r.jsonl", in: folder)
    try #require(recorded.status == 0, "\(recorded.errors)")
    return folder
  }

  @Test func changedRowHeightIsTheFirstDifference() throws {
    let folder = try columns()
    let result = try Program.tessera("replay", "r.jsonl", "--engine", "./lib12.so", in: folder)
    #expect(result.status == 1, "\(result.errors)")
    #expect(
      result.output == """
        org.example.column 1.0.12 differs at call 9 of 11
          call      {"call":"elements"}
          of        cell 0 of section 0: frame
          expected  [0, 0, 320, 10]
          found     [0, 0, 320, 12]

        """)
    let json = try Program.tessera(
      "replay", "r.jsonl", "--engine", "./lib12.so", "--format", "json", in: folder)
    #expect(json.status == 1 && json.output.contains(#""equal": false"#))
    // Row 6 differs by 12.
    func status(_ tolerance: String) throws -> Int32 {
      try Program.tessera(
        "replay", "r.jsonl", "--engine", "./lib12.so", "--tolerance", tolerance, in: folder
      ).status
    }
    #expect(try status("12") == 0)
    #expect(try status("11.9") == 1)
  }

  @Test func aRecordingShrinksToTheKnownMinimum() throws {
    let folder = try columns()
    let result = try Program.tessera(
      "replay", "r.jsonl", "--engine", "./lib12.so", "--reference", "./lib10.so", "--shrink", "-o",
      "small.jsonl", in: folder)
    #expect(result.status == 1, "\(result.errors)")
    // Minimal: one item and one query.
    let small = try folder.read("small.jsonl")
    #expect(
      small.split(separator: "\n").dropFirst().map(String.init)
        == [
          #"{"call":"sections","counts":[1]}"#,
          #"{"call":"elements","answer":[{"category":"cell","section":0,"item":0,"#
            + #""frame":[0,0,375,10]}]}"#,
        ], "\(small)")
    func status(_ library: String) throws -> Int32 {
      try Program.tessera("replay", "small.jsonl", "--engine", library, in: folder).status
    }
    #expect(try status("./lib10.so") == 0)
    #expect(try status("./lib12.so") == 1)
  }

  private static let crashing = CEngine(
    declarations: "#include <stdlib.h>",
    body: CEngine.column + "if (in->viewport.width > 350 && n > 4) abort();\n")

  @Test func crashedSessionIsRecorded() throws {
    let folder = try TemporaryFolder()
    try Self.crashing.build(in: folder, as: "libcrash.so")
    let recorded = try Program.tessera(
      "layout", "./libcrash.so", "--record", "r.jsonl", in: folder)
    #expect(recorded.status == 70)
    let lines = try folder.read("r.jsonl").split(separator: "\n")
    #expect(lines.last?.contains(#""error":{"kind":"died","code":"crashed","#) == true)
    let replayed = try Program.tessera(
      "replay", "r.jsonl", "--engine", "./libcrash.so", in: folder)
    #expect(replayed.status == 0, "\(replayed.output)")
  }

  @Test func invalidRecordingIsReported() throws {
    let folder = try TemporaryFolder()
    try folder.write("no.jsonl", "{\"engine\": 3}\n")
    let result = try Program.tessera("replay", "no.jsonl", in: folder)
    #expect(result.status == 65)
    #expect(result.errors.contains("is no recording that this host reads"))
    #expect(try Program.tessera("replay", "missing.jsonl", in: folder).status == 66)
  }

  @Test("a failure of the suite is a recording that shows it, until it is mended")
  func suiteFailureIsReported() throws {
    let folder = try TemporaryFolder()
    try CEngine(body: CEngine.column + "if (n > 2) rows->frame[0].width = -1;\n")
      .build(in: folder, as: "libnegative.so")
    try CEngine().build(in: folder, as: "libmended.so")
    let checked = try Program.tessera(
      "check", "./libnegative.so", "--level", "quick", "--filter", "geometry-*", "--record",
      "failures", in: folder)
    #expect(checked.status == 1, "\(checked.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("failures"))
    #expect(names.contains("geometry-sizes-not-negative.jsonl"))
    let failures = checked.output.components(separatedBy: "FAILED geometry-").count - 1
    #expect(names.count == failures)
    for name in names {
      let file = "failures/\(name)"
      let broken = try Program.tessera("replay", file, "--engine", "./libnegative.so", in: folder)
      #expect(broken.status == 1, "\(name): \(broken.output)\(broken.errors)")
      #expect(broken.output.contains("differs at call"))
    }
    let file = "failures/geometry-sizes-not-negative.jsonl"
    let mended = try Program.tessera("replay", file, "--engine", "./libmended.so", in: folder)
    #expect(mended.status == 0, "\(mended.output)\(mended.errors)")
  }
}
