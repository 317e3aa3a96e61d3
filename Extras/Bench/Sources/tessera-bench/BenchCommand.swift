import ArgumentParser
import CTesseraBench
import TesseraCommand
import TesseraHost
import TesseraScenario

/// `tessera bench`.
@main
struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tessera bench",
    abstract: "Measures the speed and memory of an engine, or compares two.",
    discussion: """
      The engine lays out several numbers of items, once inside this command and once isolated. The \
      same run measures the machine, and the figures are multiples of that: of a memset of 32 bytes for \
      each item, and of a plain C loop that stores a frame for each item or, for queries, of one that \
      compares every frame with the rectangle. All measures take turns, so that a busy moment affects \
      all of them, and the medians are shown.

      prepare is a layout for new bounds; first, the first prepare of a new session, in a kept process \
      if isolated; index, the first \
      query after a prepare; query, the elements of a viewport at a random place; scroll, those after \
      scrolling by 20 points; lookup, one item at a random place; values, setting the item values that \
      differ from item to item; append, one more item and a query; change, one changed item value and a \
      query; update, a batch of up to 1,000 changes with its animation; start, a new session of 100 items \
      until its first answer; again, the same where the process of an earlier session is kept; empty, a \
      prepare of no items; batch, a layout of 100 items among 64 in one call. append and change do not include setting \
      the values. A measure that would take more than half a minute or most of the free memory is left \
      out.

      --against measures a second engine in the same run, or reads the JSON of an earlier run, and \
      prints the ratio of the medians. A difference is noise if the middle halves of the samples \
      overlap, or if it is below 3 in 100.

      EXAMPLES
        tessera bench mosaic
        tessera bench ./libspiral.so --items 1e4,1e6 --isolated-only
        tessera bench mosaic --items 1e7 --only prepare,query --runs 25
        tessera bench flow --item size='40+noise(item)*80,90' --format svg -o growth.svg
        tessera bench mosaic --format json -o before.json
        tessera bench mosaic --against before.json
        tessera bench ./libspiral.so --against ./libspiral-2.so
      """)

  static let _errorPrefix = "tessera: "

  static func main() { CommandProgram.run(BenchCommand.self) }

  @Argument(
    help: ArgumentHelp(
      "The engine's id, the last part of its id, or the path of its library.",
      discussion: """
        With --against, it can also be the JSON of an earlier run, with a name that ends in .json.
        """,
      valueName: "engine"), completion: .file(extensions: ["so", "json"]))
  var engine: String

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "The item counts to measure, such as 1000 or 1e6; from 1 to 1e8, at most 16.",
      valueName: "1e3,1e4"))
  var items = ItemCounts(counts: [1_000, 10_000, 100_000, 1_000_000])

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Take only these measures.", valueName: "prepare,query"),
    completion: .list(BenchReport.allNames))
  var only: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("The number of samples of each measure; from 3 to 999.", valueName: "n"))
  var runs = 9

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Compare with another engine, or with the JSON of an earlier run.",
      valueName: "engine-or-file"), completion: .file(extensions: ["so", "json"]))
  var against: String?

  @Flag(
    name: .long,
    help: "Do not run the engine inside this command; use it for engines that you do not trust.")
  var isolatedOnly = false

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "The output format; svg, png and pdf draw how the times grow with the number of items."))
  var format: BenchFormat?

  @Option(
    name: [.customShort("o"), .customLong("output")], parsing: .unconditional,
    help: ArgumentHelp(
      "Write to this file; the extension .json, .svg, .png or .pdf selects the format.",
      discussion: "The file is written completely or not at all.", valueName: "file"),
    completion: .file(extensions: ["json", "svg", "png", "pdf"]))
  var output: String?

  @OptionGroup(title: "Content") var values: ValueOptions
  @OptionGroup(title: "Viewport") var viewport: ViewportOptions
  @OptionGroup(title: "Engines") var engineOptions: EngineOptions

  mutating func validate() throws {
    guard 3...999 ~= runs else {
      throw ValidationError("--runs is \(runs); give a number from 3 to 999")
    }
    if let unknown = wantedNames.first(where: { !BenchReport.allNames.contains($0) }) {
      let names = BenchReport.allNames
      throw ValidationError(
        "--only \(Phrase.quoted(unknown)) is no measure; expected "
          + "\(names.dropLast().joined(separator: ", ")) or \(names[names.count - 1])")
    }
    guard !isolatedOnly || engineOptions.chosenIsolation != .none else {
      throw ValidationError("--isolated-only needs --isolation sandbox or process; found none")
    }
    guard against != nil || !Self.isReport(engine) else {
      throw ValidationError(
        "\(engine) is the result of an earlier run; give --against with another, or an engine to "
          + "measure")
    }
  }

  func run() throws {
    // Reads reports first, so an unreadable one costs no measurement.
    let reports = try [engine, against].compactMap(\.self).map { name in
      (name: name, report: Self.isReport(name) ? try BenchReport(contentsOf: name) : nil)
    }
    let names = reports.filter { $0.report == nil }.map(\.name)
    var measured = names.isEmpty ? [] : try measure(names)
    let all = reports.map { $0.report ?? measured.removeFirst() }
    let result = try BenchResult(
      report: all[0], other: all.count > 1 ? all[1] : nil, isOneRun: names.count == all.count)
    try BufferedOutput.write(to: output) { file in try result.write(chosenFormat, to: file) }
  }

  private var wantedNames: [String] {
    only?.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      ?? BenchReport.allNames
  }

  private static func isReport(_ name: String) -> Bool { name.hasSuffix(".json") }

  private var chosenFormat: BenchFormat {
    if let format { return format }
    return BenchFormat.allCases.first { output?.hasSuffix(".\($0)") ?? false } ?? .table
  }

  private func measure(_ names: [String]) throws -> [BenchReport] {
    var stated = try Scenario(.object(viewport.keys.map { ($0.key, $0.value) }))
    try values.fill(&stated)
    var places: [(place: BenchPlace, options: EngineOptions)] = []
    if engineOptions.chosenIsolation != .none { places.append((.isolated, engineOptions)) }
    if !isolatedOnly, engineOptions.requiredSandbox == nil {
      places.append((.inProcess, engineOptions.inProcess))
    }
    let subjects = try names.map { name in
      BenchSubject(
        scenario: stated,
        engines: try places.map { (place, options) in
          (place, try options.engine(name), options)
        })
    }
    if BenchReport.isDebugBuild {
      Diagnostics.say(
        "warning: this command is a debug build, which is many times slower; build it with -c release"
      )
    }
    let progress = ProgressLine("measuring")
    defer { progress.erase() }
    let run = BenchRun(subjects: subjects, counts: items.counts, names: wantedNames, runs: runs) {
      progress.update($0)
    }
    return try run.reports()
  }
}

/// Item counts, ascending: `1e3,1e4,50000`.
struct ItemCounts: ExpressibleByArgument {
  let counts: [Int]

  init(counts: [Int]) { self.counts = counts }

  init?(argument: String) {
    let texts = argument.split(separator: ",", omittingEmptySubsequences: false)
    let counts = texts.compactMap { text in
      text.allSatisfy { $0.isASCII && ($0.isNumber || $0 == "e") }
        ? Double(text).flatMap { Int(exactly: $0) } : nil
    }
    guard counts.count == texts.count, 1...16 ~= counts.count,
      counts.allSatisfy({ 1...100_000_000 ~= $0 })
    else { return nil }
    self.counts = Set(counts).sorted()
  }

  var defaultValueDescription: String { "1e3,1e4,1e5,1e6" }
}

enum BenchFormat: String, CaseIterable, ExpressibleByArgument {
  case table, json, svg, png, pdf
}
