import TesseraCommand
import TesseraHost
import TesseraScenario

struct BenchResult {
  let report: BenchReport
  let comparison: BenchComparison?

  init(report: BenchReport, other: BenchReport?, isOneRun: Bool) throws(HostError) {
    self.report = report
    var comparison: BenchComparison?
    if let other { comparison = try BenchComparison(report, other, isOneRun: isOneRun) }
    self.comparison = comparison
  }

  func write(_ format: BenchFormat, to output: BufferedOutput) throws {
    switch format {
    case .json: try output.write((comparison?.json ?? report.json).text + "\n")
    case .svg: try output.write(plot.svg)
    case .png: try draw(as: .png, to: output)
    case .pdf: try draw(as: .pdf, to: output)
    case .table:
      if let comparison {
        try write(comparison, to: output)
      } else {
        try writeReport(to: output)
      }
    }
  }

  /// Two pixels per unit, for high-density displays.
  private func draw(as format: LayoutFormat, to output: BufferedOutput) throws {
    try PictureProgram().draw(as: format, scale: 2, to: output) {
      try $0.write(plot.svg)
    }
  }

  private func title(_ report: BenchReport) -> String {
    "\(report.engine) \(report.version)  \(report.isRelease ? "release" : "debug") build, medians of "
      + "\(report.runs) runs, \(report.processors) processors\n"
  }

  private func writeReport(to output: BufferedOutput) throws {
    try output.write(title(report))
    let places = [BenchPlace.inProcess, .isolated]
    var rows: [[String]] = []
    for name in report.names {
      let counts = Set(report.measures.filter { $0.name == name }.map(\.items)).sorted()
      for items in counts {
        let found = places.map { report.measure(name, $0, items) }
        // In-process ratios exclude the cost of isolation.
        guard let best = found[0] ?? found[1] else { continue }
        let ratio = found[0].flatMap { inside in found[1].map { $0.median / inside.median } }
        let growth = items == counts.last ? report.growth(name, best.place) : nil
        rows.append(
          [
            name, items.grouped, report.perMemset(best)?.threeDigits ?? "",
            report.perLoop(best)?.threeDigits ?? "", ratio?.threeDigits ?? "",
            growth.map { "n^\($0.threeDigits)" } ?? "",
          ] + found.map { $0?.median.asTime ?? "" } + [
            items > Self.perItemFrom && report.perMemset(best) != nil
              ? (best.median / Double(items)).asTime : "",
            "\(best.spread.lowerBound.asTime) … \(best.spread.upperBound.asTime)",
          ])
      }
    }
    try TextTable(
      [
        .init("MEASURE"), .init("ITEMS", isNumeric: true), .init("× MEMSET", isNumeric: true),
        .init("× C", isNumeric: true), .init("ISOLATED ×", isNumeric: true),
        .init("GROWTH", isNumeric: true), .init("IN PROCESS", isNumeric: true),
        .init("ISOLATED", isNumeric: true), .init("AN ITEM", isNumeric: true), .init("SPREAD"),
      ], rows: rows
    ).write(to: output)
    try output.write("\n")
    try writeMemory(to: output)
    try output.write("\nThis machine\n")
    try writeMachine(to: output)
    for left in report.leftOut {
      try output.writeLine(
        "left out: \(left.name) of \(left.items.grouped) items, \(left.place.rawValue): \(left.reason)"
      )
    }
  }

  /// Below this, the time per item means little.
  private static let perItemFrom = 100

  private func writeMemory(to output: BufferedOutput) throws {
    let rows = report.sizes.sorted { $0.items < $1.items }.map { size in
      [
        size.items.grouped, size.rows.grouped, size.bytesPerItem.threeDigits,
        size.indexBytesPerItem?.threeDigits ?? "", size.hitsPerQuery.threeDigits,
      ]
    }
    let titles = ["ITEMS", "ROWS", "BYTES AN ITEM", "INDEX, BYTES AN ITEM", "HITS A QUERY"]
    try TextTable(titles.map { .init($0, isNumeric: true) }, rows: rows).write(to: output)
  }

  private func writeMachine(to output: BufferedOutput) throws {
    let works: [(name: String, title: String)] = [
      ("memset", "memset of 32 bytes an item"), ("loop", "C loop that stores a frame an item"),
      ("stream", "the same past the caches"), ("copy", "memcpy of the frames"),
      ("filter", "C loop that compares every frame"), ("touch", "memset of fresh memory"),
      ("round trip", "to another process and back"),
    ]
    var rows: [[String]] = []
    for work in works {
      for measure in report.measures
      where measure.name == work.name && measure.place == .machine && measure.median > 0 {
        let isCall = work.name == "round trip"
        if isCall, measure.items != report.counts.last { continue }
        let bytes = Double(measure.items * 32)
        rows.append([
          work.title, isCall ? "" : measure.items.grouped, measure.median.asTime,
          isCall ? "" : "\((bytes / measure.median / 1e9).threeDigits) GB/s",
        ])
      }
    }
    try TextTable(
      [
        .init("WORK"), .init("ITEMS", isNumeric: true), .init("TIME", isNumeric: true),
        .init("SPEED", isNumeric: true),
      ], rows: rows
    ).write(to: output)
  }

  private func write(_ comparison: BenchComparison, to output: BufferedOutput) throws {
    try output.write("first   \(title(comparison.first))second  \(title(comparison.second))")
    if !comparison.isOneRun {
      try output.write(
        "Not of one run: figures are times the machine's own work, where there is one.\n")
    }
    func text(_ value: Double, _ name: String) -> String {
      comparison.isOneRun || ["lookup", "start", "again", "empty", "batch"].contains(name)
        ? value.asTime : "\(value.threeDigits) ×"
    }
    let rows = comparison.rows.map { row in
      [
        row.name, row.items.grouped, row.place.rawValue, row.ratio.threeDigits, row.verdict,
        text(row.first.median, row.name), text(row.second.median, row.name),
      ]
        + [row.first, row.second].map {
          "\(text($0.spread.lowerBound, row.name)) … \(text($0.spread.upperBound, row.name))"
        }
    }
    try TextTable(
      [
        .init("MEASURE"), .init("ITEMS", isNumeric: true), .init("WHERE"),
        .init("FIRST/SECOND", isNumeric: true), .init("THE FIRST IS"),
        .init("FIRST", isNumeric: true), .init("SECOND", isNumeric: true), .init("FIRST, SPREAD"),
        .init("SECOND, SPREAD"),
      ], rows: rows
    ).write(to: output)
    try output.write(comparison.sentence + "\n")
  }
}

extension BenchResult {
  var plot: Plot {
    let shown = ["prepare", "index", "query", "lookup", "append", "change", "update"]
    func growth(_ report: BenchReport, _ place: BenchPlace, isDashed: Bool) -> [Plot.Line] {
      shown.enumerated().compactMap { number, name in
        line(report, name, place, colour: number, isDashed: isDashed)
      }
    }
    var lines: [Plot.Line]
    let note: String
    if let comparison {
      let place: BenchPlace =
        comparison.rows.contains { $0.place == .inProcess } ? .inProcess : .isolated
      lines =
        growth(comparison.first, place, isDashed: false)
        + growth(comparison.second, place, isDashed: true)
      note =
        "\(place.rawValue); solid: \(comparison.first.library), "
        + "dashed: \(comparison.second.library)"
    } else {
      let isBoth = report.measures.contains { $0.place == .inProcess }
      lines =
        growth(report, .inProcess, isDashed: false)
        + growth(report, .isolated, isDashed: isBoth)
      note = isBoth ? "solid: in process, dashed: isolated" : "isolated"
    }
    lines += [("memset", "memset"), ("loop", "C loop"), ("filter", "C filter")].compactMap {
      line(report, $0.0, .machine, colour: nil, title: $0.1)
    }
    return Plot(
      title: "\(report.engine) \(report.version)", note: "\(note), grey: this machine",
      axis: "items", lines: lines)
  }

  private func line(
    _ report: BenchReport, _ name: String, _ place: BenchPlace, colour: Int?,
    isDashed: Bool = false, title: String? = nil
  ) -> Plot.Line? {
    let points = report.measures.filter {
      $0.name == name && $0.place == place && $0.items > 0 && $0.median > 0
    }.sorted { $0.items < $1.items }
    guard !points.isEmpty else { return nil }
    return Plot.Line(
      name: title ?? name, colour: colour, isDashed: isDashed,
      points: points.map { Point(x: Double($0.items), y: $0.median) })
  }
}
