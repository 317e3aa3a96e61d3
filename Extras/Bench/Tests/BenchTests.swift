import Foundation
import TestSupport
import Testing

/// `tessera bench`: that its results are complete and make sense.
///
/// No test depends on how fast anything is.
@Suite struct BenchTests {
  /// The JSON of a report, as far as tests read it.
  private struct Report: Codable {
    struct Size: Codable {
      var items: Int
      var rows: Int
      var bytesPerItem: Double
      var hitsPerQuery: Double
    }
    struct Measure: Codable {
      var measure: String
      var `where`: String
      var items: Int
      var perMemset: Double?
      var perLoop: Double?
      var median: Double
      var low: Double
      var high: Double
      var samples: [Double]
    }
    struct Growth: Codable {
      var measure: String
      var `where`: String
      var power: Double
    }
    struct LeftOut: Codable {
      var measure: String
      var `where`: String
      var items: Int
      var reason: String
    }

    var engine: String
    var version: String
    var library: String
    var tessera: String
    var build: String
    var processors: Int
    var runs: Int
    var sizes: [Size]
    var measures: [Measure]
    var growth: [Growth]
    var leftOut: [LeftOut]

    init(_ result: ProgramResult) throws {
      try #require(result.status == 0, "\(result.errors)")
      self = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
    }

    /// The samples of measures that are all chosen by a condition become multiples of what they were.
    func scaled(_ factor: Double, where condition: (Measure) -> Bool) -> Report {
      var report = self
      for index in measures.indices where condition(measures[index]) {
        report.measures[index].samples = measures[index].samples.map { $0 * factor }
      }
      return report
    }

    func write(to folder: TemporaryFolder, as name: String) throws {
      try folder.write(name, String(decoding: try JSONEncoder().encode(self), as: UTF8.self))
    }
  }

  private struct Comparison: Decodable {
    struct Row: Decodable {
      var measure: String
      var `where`: String
      var items: Int
      var ratio: Double
      var isNoise: Bool
    }
    var reports: [Report]
    var comparison: [Row]
    var sentence: String
  }

  private static let small = ["--items", "50,200", "--runs", "3"]

  /// One run, whose report several tests read.
  private static let mosaic = Result {
    try Report(Program.tessera(["bench", "mosaic", "--format", "json"] + small))
  }

  @Test func everyMeasureOfEveryPlaceAndCountIsThere() throws {
    let report = try Report(
      Program.tessera(
        ["bench", "flow", "--item", "size=20+noise(item)*30,25", "--format", "json"] + Self.small))
    #expect(report.engine == "org.tessera.flow")
    #expect(report.library == "libTesseraFlow.so")
    #expect(report.runs == 3)
    #expect(report.leftOut.isEmpty)
    let names = [
      "prepare", "first", "index", "query", "scroll", "lookup", "values", "append", "change",
      "update",
    ]
    for place in ["in process", "isolated"] {
      for items in [50, 200] {
        for name in names {
          let found = report.measures.filter {
            $0.measure == name && $0.where == place && $0.items == items
          }
          #expect(found.count == 1, "\(name), \(place), \(items)")
        }
      }
      #expect(report.measures.contains { $0.measure == "start" && $0.where == place })
      #expect(report.measures.contains { $0.measure == "empty" && $0.where == place })
      let grown = report.growth.filter { $0.where == place }.map(\.measure)
      #expect(grown == names)
    }
    for name in ["memset", "loop", "stream", "copy", "filter", "touch"] {
      #expect(report.measures.contains { $0.measure == name && $0.where == "machine" }, "\(name)")
    }
    for measure in report.measures {
      #expect(measure.samples.count == 3 && measure.samples == measure.samples.sorted())
      #expect(measure.median == measure.samples[1] && measure.median.isFinite)
      #expect(measure.low <= measure.median && measure.median <= measure.high)
      for ratio in [measure.perMemset, measure.perLoop].compactMap(\.self) {
        #expect(ratio.isFinite && ratio > 0, "\(measure.measure)")
      }
      if ["prepare", "update"].contains(measure.measure) { #expect(measure.perMemset != nil) }
    }
    #expect(report.growth.allSatisfy { $0.power.isFinite })
  }

  /// A row of a flow is a frame, 4 numbers of 8 bytes; a grid is lazy and writes none in prepare.
  @Test func sizesCountRowsAndBytes() throws {
    let flow = try Report(Program.tessera(["bench", "flow", "--format", "json"] + Self.small))
    #expect(flow.sizes.map(\.items) == [50, 200])
    #expect(flow.sizes.map(\.rows) == [50, 200])
    #expect(flow.sizes.map(\.bytesPerItem) == [32, 32])
    let grid = try Report(
      Program.tessera(
        ["bench", "grid", "--isolated-only", "--only", "query,empty", "--format", "json"]
          + Self.small))
    let names = Set(grid.measures.filter { $0.where == "isolated" }.map(\.measure))
    #expect(names == ["query", "empty"])
    #expect(grid.sizes.map(\.rows) == [0, 0])
    // 375 × 667 points hold at most 7 columns of cells 50 wide and 10 apart, and 13 lines of them.
    #expect(grid.sizes.allSatisfy { $0.hitsPerQuery > 0 && $0.hitsPerQuery <= 91 })
    #expect(grid.measures.allSatisfy { $0.where != "in process" })
  }

  @Test func perMemsetIsTheRatioOfTheMedians() throws {
    let report = try Self.mosaic.get()
    let memset = try #require(report.measures.first { $0.measure == "memset" && $0.items == 200 })
    let prepare = try #require(report.measures.first { $0.measure == "prepare" && $0.items == 200 })
    #expect(prepare.perMemset == prepare.median / memset.median)
  }

  @Test func tableStartsWithRatiosAndShowsTheMachine() throws {
    let result = try Program.tessera(["bench", "mosaic"] + Self.small)
    #expect(result.status == 0, "\(result.errors)")
    let lines = result.output.components(separatedBy: "\n")
    #expect(lines[0].hasPrefix("org.tessera.mosaic 0.1.0  "))
    #expect(lines[1].contains(#/^MEASURE +ITEMS +× MEMSET +× C +ISOLATED × +GROWTH +IN PROCESS/#))
    #expect(lines.contains { $0.contains(#/^prepare +200 .* n\^-?[0-9.]+ /#) })
    #expect(lines.contains("This machine"))
    #expect(lines.contains { $0.hasPrefix("memset of 32 bytes an item") })
    // Diagnostics are no terminal here.
    #expect(!result.errors.contains("measuring"))
  }

  @Test func plotIsAnSVGWithALineForEachMeasure() throws {
    let folder = try TemporaryFolder()
    let result = try Program.tessera(
      ["bench", "mosaic", "-o", "growth.svg"] + Self.small, in: folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.isEmpty)
    let svg = try folder.read("growth.svg")
    let check = try Program.run("xmllint", ["--noout", folder.path("growth.svg")])
    #expect(check.status == 0, "\(check.errors)")
    // Prepare, index, query, lookup, append and update in both places; three of the machine's own.
    #expect(svg.components(separatedBy: "<polyline").count - 1 == 2 * 6 + 3)
    for name in ["prepare", "update", "memset", "C loop"] {
      #expect(svg.contains(">\(name)</text>"))
    }
    #expect(!svg.contains("nan") && !svg.contains("inf"))
  }

  @Test func equalResultsDifferByNoise() throws {
    let folder = try TemporaryFolder()
    let report = try Self.mosaic.get()
    try report.write(to: folder, as: "one.json")
    let result = try Program.tessera("bench", "one.json", "--against", "one.json", in: folder)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    #expect(result.output.hasSuffix("All 40 differences are noise.\n"), "\(result.output)")
  }

  /// Oracle: samples that are exactly twice the others, without spread.
  @Test func twiceTheTimeIsNoNoise() throws {
    let folder = try TemporaryFolder()
    var report = try Self.mosaic.get()
    for index in report.measures.indices {
      report.measures[index].samples = Array(repeating: report.measures[index].median, count: 3)
    }
    try report.write(to: folder, as: "before.json")
    try report.scaled(2) { $0.measure == "query" && $0.where == "isolated" }
      .write(to: folder, as: "slow.json")
    // A machine of half the speed: equal multiples of its own work.
    try report.scaled(2) { _ in true }.write(to: folder, as: "slow-machine.json")
    let result = try Program.tessera(
      "bench", "slow.json", "--against", "before.json", "--format", "json", in: folder)
    let comparison = try JSONDecoder().decode(Comparison.self, from: Data(result.output.utf8))
    for row in comparison.comparison {
      let isSlow = row.measure == "query" && row.where == "isolated"
      #expect(abs(row.ratio - (isSlow ? 2 : 1)) < 1e-9)
      #expect(row.isNoise == !isSlow)
    }
    #expect(
      comparison.sentence
        == "The greatest difference is query of 50 items, isolated: 2 × slower. 38 of 40 differences are "
        + "noise.")
    let machine = try Program.tessera(
      "bench", "slow-machine.json", "--against", "before.json", "--format", "json", in: folder)
    let other = try JSONDecoder().decode(Comparison.self, from: Data(machine.output.utf8))
    for row in other.comparison where ["prepare", "query", "update"].contains(row.measure) {
      #expect(abs(row.ratio - 1) < 1e-9)
    }
  }

  @Test func twoEnginesAreMeasuredInOneRun() throws {
    let result = try Program.tessera(
      ["bench", "mosaic", "--against", "flow", "--isolated-only", "--format", "json"] + Self.small)
    let comparison = try JSONDecoder().decode(Comparison.self, from: Data(result.output.utf8))
    #expect(comparison.reports.map(\.engine) == ["org.tessera.mosaic", "org.tessera.flow"])
    #expect(comparison.comparison.allSatisfy { $0.where == "isolated" && $0.ratio.isFinite })
    #expect(Set(comparison.comparison.map(\.items)) == [0, 50, 100, 200])
  }

  @Test func resultThatCannotBeReadIsReported() throws {
    let folder = try TemporaryFolder()
    let report = try Self.mosaic.get()
    var empty = report
    empty.measures[0].samples = []
    try empty.write(to: folder, as: "empty.json")
    var elsewhere = report
    elsewhere.measures[0].where = "elsewhere"
    try elsewhere.write(to: folder, as: "elsewhere.json")
    try folder.write("list.json", "[]")
    try folder.write("text.json", "prepare")
    for (name, status, sentence) in [
      ("none.json", 66, "none.json cannot be read: No such file or directory"),
      ("text.json", 65, "text.json"),
      ("list.json", 65, "is not a result of tessera bench --format json: engine is missing"),
      ("empty.json", 65, "measures[0].samples is a list of 0; expected at least one number"),
      (
        "elsewhere.json", 65,
        "measures[0].where is the text \"elsewhere\"; expected machine, in process or isolated"
      ),
    ] {
      let result = try Program.tessera("bench", "mosaic", "--against", name, in: folder)
      #expect(result.status == status, "\(name): \(result.errors)")
      #expect(result.errors.contains(sentence), "\(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1)
    }
  }

  @Test func engineThatFailsIsReported() throws {
    let folder = try TemporaryFolder()
    let path = try CEngine(body: "return TESSERA_ERROR_FAILED;").build(in: folder)
    let result = try Program.tessera(["bench", path] + Self.small)
    #expect([69, 70].contains(result.status), "\(result.errors)")
    let crashing = try CEngine(body: "*(volatile int *)0 = 1;").build(in: folder, as: "libcrash.so")
    let crash = try Program.tessera(["bench", crashing] + Self.small)
    #expect(crash.status == 70, "\(crash.errors)")
    #expect(!crash.wasKilled, "the engine runs isolated first")
    let unknown = try Program.tessera("bench", "no-such-engine")
    #expect(unknown.status == 66)
  }

  @Test func moreItemsThanFitAreRefusedAtOnce() throws {
    let memory = try String(contentsOfFile: "/proc/meminfo", encoding: .utf8)
    let free = try #require(memory.firstMatch(of: /MemAvailable: +(\d+)/)).1
    // 32 bytes for each of three arrays and two for each of two layouts.
    guard Int(free)! << 10 < 100_000_000 * 32 * 7 else { return }
    let result = try Program.tessera("bench", "grid", "--items", "1e8")
    #expect(result.status == 69)
    #expect(result.errors.contains("MiB are free; give fewer with --items"), "\(result.errors)")
  }
}
