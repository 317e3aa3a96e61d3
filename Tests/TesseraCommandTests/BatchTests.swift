import Foundation
import TestSupport
import Testing

/// `tessera batch`: a result for each line, in order, whatever the others do.
@Suite struct BatchTests {
  /// The results of a batch, one for each line.
  private static func results(_ result: ProgramResult) throws -> [NSDictionary] {
    try result.output.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSDictionary)
    }
  }

  /// The scenarios of a few lines, of which none needs its neighbours.
  private static let scenarios = [
    #"{"sections": [{"items": 3}]}"#,
    #"{"sections": [{"items": 2, "itemValues": {"size": [[10, 20], [30, 40.5]]}}], "bounds": [200, 300]}"#,
    #"{"sections": [{"items": 4, "itemValues": {"size": "20 + index, 30 / 7"}}, {"items": 0}]}"#,
    #"{"sections": [{"items": 1}, {"items": 2}], "parameters": {"itemSize": [20, "width / 9"]}}"#,
    #"{"sections": [{"items": 40}], "rect": [0, 60, 100, 10]}"#,
    #"{"sections": [{"items": 5}], "direction": "rightToLeft", "scale": 1, "contentInsets": [1, 2, 3, 4]}"#,
    #"{}"#,
    #"{"sections": []}"#,
    #"{"sections": [{"items": 30, "values": {"sectionInset": [1, 2, 3, 4]}}, {"items": 3}]}"#,
  ]

  @Test(arguments: ["flow", "mosaic", "grid", "table", "aspect-flow", "cover-flow"])
  func eachResultIsThatOfTheLayoutCommand(engine: String) throws {
    let folder = try TemporaryFolder()
    // The last parameters are those of one engine only.
    let scenarios = Self.scenarios.filter { line in
      engine == "flow" || ["itemValues", "values", "parameters"].allSatisfy { !line.contains($0) }
    }
    try folder.write("lines", scenarios.joined(separator: "\n"))
    let options = ["--bounds", "320x480", "--isolation", "none"]
    let batch = try Program.tessera(["batch", engine, "lines"] + options, in: folder)
    #expect(batch.status == 0, "\(batch.errors)")
    let results = try Self.results(batch)
    try #require(results.count == scenarios.count)
    for (scenario, result) in zip(scenarios, results) {
      try folder.write("scenario.json", scenario)
      let hasBounds = scenario.contains("bounds")
      let single = try Program.tessera(
        [
          "layout", engine, "--scenario", "scenario.json", "--format", "json", "--isolation",
          "none",
        ]
          + (hasBounds ? [] : ["--bounds", "320x480"]), in: folder)
      let expected = try JSONSerialization.jsonObject(with: Data(single.output.utf8))
      #expect(result == expected as? NSDictionary, "\(scenario)")
    }
  }

  @Test func idsAreCarriedThroughUnchanged() throws {
    let ids = [
      "7", "12345678901234567890", "1.50", "\"seven\\u00e9\"", "null", "{\"a\": [1, 2.0]}", "true",
      "9007199254740993", "{\"a\": [9007199254740993, 1e400]}",
    ]
    let lines = ids.map { "{\"sections\": [{\"items\": 1}], \"id\": \($0) }" } + ["{}"]
    let batch = try Program.tessera(
      ["batch", "mosaic", "--jobs", "1"], input: lines.joined(separator: "\n\n") + "\r\n")
    #expect(batch.status == 0, "\(batch.errors)")
    let results = batch.output.split(separator: "\n")
    #expect(results.dropLast().map { "\($0.prefix { $0 != "," })" }.count == ids.count)
    for (id, line) in zip(ids, results) {
      #expect(line.hasPrefix("{\"id\":\(id),\"engine\":\"org.tessera.mosaic\","), "\(line)")
    }
    #expect(results.last?.hasPrefix("{\"engine\":") == true)
  }

  @Test func invalidLineCostsOnlyItself() throws {
    let lines = [
      (#"{"id": 1}"#, ""),
      (#"{"id": 2, "sections": [{"items": 2]}"#, "found \"]\" at character 35"),
      (#"{"id": 3, "sectoins": []}"#, "did you mean sections?"),
      (#"{"id": 4, "sections": [{"items": -1}]}"#, "sections[0].items is the number -1"),
      (#"[5]"#, "the line is a list of 1; expected an object"),
      (#"{"id": 6, "bounds": [1e400, 1]}"#, "bounds[0] in the line is a number too large"),
      (#"{"id": 7, "parameters": {"spacin": 3, "x": 1}}"#, "has no parameter \"spacin\""),
      (#"{"id": 8}"#, ""),
      (#"{"id": 9, "bounds": [1, 2,]}"#, "found \"]\" at character 27; expected a value"),
      (#"{"id": 10,}"#, "found \"}\" at character 11; expected a key in quotes"),
      (#"{"id": 11, "scale": 1, "scale": 2}"#, "the key \"scale\" twice at character 24"),
      (
        #"{"id": 12, "bounds": [9007199254740993, 1]}"#,
        "bounds[0] in the line is 9007199254740993, which a number cannot hold exactly; give integers"
      ),
      (
        #"{"id": 13, "scale": -123456789012345678901}"#,
        "scale in the line is -123456789012345678901, "
      ),
      (#"{"id": 14, "parameters": {"spacing": 9007199254740992}, "sections": []}"#, ""),
    ]
    let batch = try Program.tessera(
      ["batch", "mosaic"], input: "\n" + lines.map(\.0).joined(separator: "\n"))
    #expect(batch.status == 1)
    #expect(
      batch.errors.hasPrefix(
        "tessera: 11 of 14 lines failed; the first is line 3: the line is not JSON"),
      "\(batch.errors)")
    let results = try Self.results(batch)
    try #require(results.count == lines.count)
    for (number, (line, result)) in zip(lines, results).enumerated() {
      #expect(result["id"] as? Int == (number == 4 ? nil : number + 1))
      let error = result["error"] as? [String: Any]
      #expect((error == nil) == line.1.isEmpty, "\(result)")
      guard let error else { continue }
      #expect(error["line"] as? Int == number + 2)
      #expect(error["status"] as? Int == 65)
      #expect((error["code"] as? String)?.isEmpty == false, "\(error)")
      #expect((error["message"] as? String)?.contains(line.1) == true, "\(error)")
    }
  }

  /// An engine that goes wrong for some item counts.
  private static let unreliable = CEngine(
    declarations: "#include <stdlib.h>",
    body: CEngine.column + """
      if (n == 13) abort();
      if (n == 14) for (;;) pause();
      if (n == 15) rows->frame[7].height = NAN;
      if (n == 16) return TESSERA_ERROR_FAILED;
      if (n == 17) _exit(3);

      """)

  @Test func countsFromLinesPassTheirLimits() throws {
    let batch = try Program.tessera(
      ["batch", "flow", "--jobs", "1", "--timeout", "60"],
      input: [1_000_000_000, 30_000_000, 9_007_199_254_740_992, 2].map {
        "{\"sections\": [{\"items\": \($0)}, {\"items\": 1}]}\n"
      }.joined())
    #expect(batch.status == 1)
    let results = try Self.results(batch)
    let statuses = results.map { ($0["error"] as? NSDictionary)?["status"] as? Int }
    #expect(statuses == [65, 65, 65, nil], "\(batch.output)")
  }

  /// The limit is 256 MiB.
  @Test func endlessLineEndsTheBatch() throws {
    let result = try Program.run(
      "bash",
      [
        "-c",
        "yes ' ' | tr -d '\\n' | (ulimit -v 8000000; '\(BuiltProducts.command.path)' batch mosaic)",
      ],
      environment: ["TESSERA_PATH": BuiltProducts.folder.path])
    #expect(result.status == 65)
    #expect(
      result.errors.contains("line 1 of standard input has more than 256 MiB"), "\(result.errors)")
  }

  @Test func engineThatGoesWrongCostsOnlyItsLines() throws {
    let folder = try TemporaryFolder()
    try Self.unreliable.build(in: folder)
    let counts = [3, 13, 4, 14, 0, 15, 5, 16, 17, 13, 13, 13, 13, 13, 6]
    let words = [13: "SIGABRT", 14: "within 2 s", 15: "cell 7 of section 0", 17: "exit status 3"]
    let statuses = [13: 70, 14: 70, 15: 70, 16: 69, 17: 70]
    let input = counts.map { "{\"id\": \($0), \"sections\": [{\"items\": \($0)}]}\n" }.joined()
    // A path of its own, by which its processes are found.
    let worker = folder.path("tessera-worker")
    try FileManager.default.copyItem(
      atPath: BuiltProducts.folder.appendingPathComponent("tessera-worker").path, toPath: worker)
    let batch = try Program.tessera(
      ["batch", "./libcolumn.so", "--timeout", "2"], in: folder, input: input,
      environment: ["TESSERA_WORKER": worker])
    #expect(batch.status == 1)
    #expect(!batch.wasKilled)
    let results = try Self.results(batch)
    #expect(results.map { $0["id"] as? Int } == counts)
    for (count, result) in zip(counts, results) {
      let error = result["error"] as? [String: Any]
      #expect(error?["status"] as? Int == statuses[count], "\(count): \(result)")
      let message = error?["message"] as? String ?? ""
      if let word = words[count] { #expect(message.contains(word), "\(count): \(message)") }
      if error == nil { #expect((result["elements"] as? [Any])?.count == count) }
    }
    let survivors = try Program.run("pgrep", ["-f", worker])
    #expect(survivors.output.isEmpty, "no process stays")
  }

  @Test func bytesDependNeitherOnJobsNorOnIsolationNorOnPipes() throws {
    let folder = try TemporaryFolder()
    let lines = (0..<700).map { number in
      number % 97 == 5
        ? "{\"id\": \(number), \"items\": 3}"
        : "{\"id\": \(number), \"sections\": [{\"items\": \(number * 7 % 23)}]}"
    }
    try folder.write("lines", lines.joined(separator: "\n"))
    let outputs = try [
      "tessera batch mosaic lines --jobs 1", "tessera batch mosaic lines --jobs 4",
      "tessera batch mosaic --isolation none --jobs 3 < lines",
      "(head -c 9999 lines; sleep 0.2; tail -c +10000 lines) | tessera batch mosaic -",
      "tessera batch mosaic lines -o out.ndjson; cat out.ndjson",
    ].map { command in
      try Program.run(
        "bash", ["-c", command.replacing("tessera", with: Program.tessera)], in: folder.path
      ).output
    }
    #expect(outputs[0].split(separator: "\n").count == lines.count)
    for output in outputs.dropFirst() { #expect(output == outputs[0]) }
  }

  @Test func whatAllLinesShareIsCheckedFirst() throws {
    let wrong = try Program.tessera("batch", "mosaic", "--set", "spacin=1", input: "{}\n")
    #expect(wrong.status == 65)
    #expect(wrong.output.isEmpty)
    let missing = try Program.tessera("batch", "mosaic", "nowhere.ndjson")
    #expect(missing.status == 66)
    #expect(missing.errors == "tessera: nowhere.ndjson cannot be read: No such file or directory\n")
    let empty = try Program.tessera("batch", "mosaic", input: "")
    #expect(empty.status == 0 && empty.output.isEmpty && empty.errors.isEmpty)
  }
}
