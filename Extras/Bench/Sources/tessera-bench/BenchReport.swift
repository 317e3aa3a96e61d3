import Glibc
import TesseraCommand
import TesseraHost
import TesseraScenario

struct BenchReport {
  struct Measure {
    let name: String
    let place: BenchPlace
    let items: Int
    /// Seconds, ascending.
    let samples: [Double]

    var median: Double {
      (samples[(samples.count - 1) / 2] + samples[samples.count / 2]) / 2
    }
    /// The interquartile range.
    var spread: ClosedRange<Double> {
      samples[samples.count / 4]...samples[samples.count - 1 - samples.count / 4]
    }
  }

  struct Size {
    let items: Int
    /// 0 if lazy.
    let rows: Int
    /// Written by the engine.
    let bytesPerItem: Double
    /// Nil if not measured.
    let indexBytesPerItem: Double?
    /// Mean number of elements in a viewport.
    let hitsPerQuery: Double
  }

  let engine: String
  let version: String
  let library: String
  let tessera: String
  let isRelease: Bool
  let processors: Int
  let runs: Int
  var sizes: [Size] = []
  var measures: [Measure] = []
  var leftOut: [(name: String, place: BenchPlace, items: Int, reason: String)] = []

  static let startItems = 100

  static var isDebugBuild: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }

  init(_ subject: BenchSubject, runs: Int) {
    let engine = subject.engines.first?.engine
    self.engine = engine?.description.id ?? ""
    version = engine?.description.version ?? ""
    library = engine.flatMap { $0.library.split(separator: "/").last.map(String.init) } ?? ""
    tessera = CommandProgram.version
    isRelease = !Self.isDebugBuild
    processors = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    self.runs = runs
  }

  func measure(_ name: String, _ place: BenchPlace, _ items: Int) -> Measure? {
    measures.first { $0.name == name && $0.place == place && $0.items == items }
  }

  var counts: [Int] { Set(sizes.map(\.items)).sorted() }

  /// In report order: by name, then by number of items.
  var names: [String] {
    Self.allNames.filter { name in
      measures.contains { $0.name == name && $0.place != .machine }
    }
  }

  static let allNames = [
    "prepare", "first", "index", "query", "scroll", "lookup", "values", "append", "change",
    "update", "start", "again", "empty", "batch",
  ]

  /// The machine's work to compare a measure with.
  private static func reference(_ name: String) -> String? {
    switch name {
    case "query", "scroll": "filter"
    case "lookup", "start", "again", "empty", "batch": nil
    default: "loop"
    }
  }

  /// Ratio to a memset of the frames; nil for measures that don't touch every frame.
  func perMemset(_ measure: Measure) -> Double? {
    guard Self.reference(measure.name) == "loop" else { return nil }
    return ratio(measure, "memset")
  }

  /// Ratio to the plain C loop; nil without a loop.
  func perLoop(_ measure: Measure) -> Double? {
    Self.reference(measure.name).flatMap { ratio(measure, $0) }
  }

  private func ratio(_ measure: Measure, _ reference: String) -> Double? {
    guard measure.place != .machine,
      let machine = self.measure(reference, .machine, measure.items), machine.median > 0
    else { return nil }
    return measure.median / machine.median
  }

  /// Exponent of the time in the number of items; nil below two counts.
  func growth(_ name: String, _ place: BenchPlace) -> Double? {
    let points = measures.filter { $0.name == name && $0.place == place && $0.median > 0 }
    guard let first = points.min(by: { $0.items < $1.items }),
      let last = points.max(by: { $0.items < $1.items }), first.items > 0, first.items < last.items
    else { return nil }
    return log(last.median / first.median) / log(Double(last.items) / Double(first.items))
  }
}

extension BenchReport {
  var json: JSON {
    func optional(_ number: Double?) -> JSON { number.map(JSON.number) ?? .null }
    return .object([
      ("engine", .text(engine)), ("version", .text(version)), ("library", .text(library)),
      ("tessera", .text(tessera)), ("build", .text(isRelease ? "release" : "debug")),
      ("processors", .integer(processors)), ("runs", .integer(runs)),
      (
        "sizes",
        .list(
          sizes.map { size in
            .object([
              ("items", .integer(size.items)), ("rows", .integer(size.rows)),
              ("bytesPerItem", .number(size.bytesPerItem)),
              ("indexBytesPerItem", optional(size.indexBytesPerItem)),
              ("hitsPerQuery", .number(size.hitsPerQuery)),
            ])
          })
      ),
      (
        "measures",
        .list(
          measures.map { measure in
            .object([
              ("measure", .text(measure.name)), ("where", .text(measure.place.rawValue)),
              ("items", .integer(measure.items)), ("perMemset", optional(perMemset(measure))),
              ("perLoop", optional(perLoop(measure))), ("median", .number(measure.median)),
              ("low", .number(measure.spread.lowerBound)),
              ("high", .number(measure.spread.upperBound)),
              ("samples", .list(measure.samples.map(JSON.number))),
            ])
          })
      ),
      (
        "growth",
        .list(
          names.flatMap { name in
            [BenchPlace.inProcess, .isolated].compactMap { place in
              growth(name, place).map { power in
                .object([
                  ("measure", .text(name)), ("where", .text(place.rawValue)),
                  ("power", .number(power)),
                ])
              }
            }
          })
      ),
      (
        "leftOut",
        .list(
          leftOut.map { left in
            .object([
              ("measure", .text(left.name)), ("where", .text(left.place.rawValue)),
              ("items", .integer(left.items)), ("reason", .text(left.reason)),
            ])
          })
      ),
    ])
  }

  /// - Throws: `.notFound` if the file can't be read; `.invalidInput`, with the place, if it isn't
  ///   a report.
  init(contentsOf path: String) throws(HostError) {
    let root = JSONNode(
      try JSON(parsing: try path.inputBytes(), name: path), source: "")
    do throws(HostError) { try self.init(root) } catch {
      throw HostError(
        .invalidValue, "\(path) is not a result of tessera bench --format json: \(error.message)")
    }
  }

  private init(_ root: JSONNode) throws(HostError) {
    engine = try root.required("engine", "a text").string()
    version = try root.required("version", "a text").string()
    library = try root.required("library", "a text").string()
    tessera = try root.required("tessera", "a text").string()
    isRelease = try root.required("build", "a text").string() == "release"
    processors = try root.required("processors", "a number").count()
    runs = try root.required("runs", "a number").count()
    sizes = try root.values("sizes", of: "objects") { (node) throws(HostError) in
      Size(
        items: try node.required("items", "a number").count(),
        rows: try node.required("rows", "a number").count(),
        bytesPerItem: try node.required("bytesPerItem", "a number").number(),
        indexBytesPerItem: try? node.required("indexBytesPerItem", "a number").number(),
        hitsPerQuery: try node.required("hitsPerQuery", "a number").number())
    }
    measures = try root.values("measures", of: "objects") { (node) throws(HostError) in
      let samples = try node.values("samples", of: "numbers") { (node) throws(HostError) in
        let seconds = try node.number()
        guard seconds >= 0 else { throw node.expected("seconds, 0 or more") }
        return seconds
      }
      guard !samples.isEmpty else {
        throw try node.required("samples", "a list").expected("at least one number")
      }
      return Measure(
        name: try node.required("measure", "a text").string(), place: try Self.place(node),
        items: try node.required("items", "a number").count(), samples: samples.sorted())
    }
    leftOut = try root.values("leftOut", of: "objects") { (node) throws(HostError) in
      (
        name: try node.required("measure", "a text").string(), place: try Self.place(node),
        items: try node.required("items", "a number").count(),
        reason: try node.required("reason", "a text").string()
      )
    }
  }

  private static func place(_ node: JSONNode) throws(HostError) -> BenchPlace {
    let place = try node.required("where", "a text")
    guard let known = BenchPlace(rawValue: try place.string()) else {
      throw place.expected("machine, in process or isolated")
    }
    return known
  }
}

struct BenchComparison {
  struct Row {
    let name: String
    let place: BenchPlace
    let items: Int
    /// Seconds, or multiples of the machine's work for reports of different runs.
    let first, second: (median: Double, spread: ClosedRange<Double>)

    var ratio: Double { first.median / second.median }

    /// True if the middle halves of the samples overlap, or the medians are too close.
    var isNoise: Bool {
      first.spread.overlaps(second.spread) || abs(ratio - 1) < BenchComparison.smallest
    }

    /// "1.8 × faster", or "noise".
    var verdict: String {
      guard !isNoise else { return "noise" }
      return ratio < 1
        ? "\((1 / ratio).threeDigits) × faster" : "\(ratio.threeDigits) × slower"
    }
  }

  let first, second: BenchReport
  let isOneRun: Bool
  let rows: [Row]

  /// The smallest difference that isn't noise.
  static let smallest = 0.03

  /// - Throws: `.invalidInput` if the reports have no measure in common.
  init(_ first: BenchReport, _ second: BenchReport, isOneRun: Bool) throws(HostError) {
    (self.first, self.second, self.isOneRun) = (first, second, isOneRun)
    func value(_ measure: BenchReport.Measure, _ report: BenchReport)
      -> (median: Double, spread: ClosedRange<Double>)
    {
      // The machine's speed differs between days.
      let unit = isOneRun ? 1 : (report.perLoop(measure).map { measure.median / $0 } ?? 1)
      let spread = measure.spread
      return (measure.median / unit, spread.lowerBound / unit...spread.upperBound / unit)
    }
    rows = first.names.flatMap { name in
      first.measures.filter { $0.name == name && $0.place != .machine }.compactMap { measure in
        guard let other = second.measure(name, measure.place, measure.items), other.median > 0,
          measure.median > 0
        else { return nil }
        return Row(
          name: name, place: measure.place, items: measure.items, first: value(measure, first),
          second: value(other, second))
      }
    }
    guard !rows.isEmpty else {
      throw HostError(
        .invalidValue,
        "the two results have no measure in common; measure both for the same numbers of items")
    }
  }

  var sentence: String {
    let real = rows.filter { !$0.isNoise }
    let noise = rows.count - real.count
    let rest =
      noise == 0
      ? "No difference is noise."
      : "\(noise == rows.count ? "All \(noise)" : "\(noise) of \(rows.count)") differences are noise."
    guard let greatest = real.max(by: { abs(log($0.ratio)) < abs(log($1.ratio)) }) else {
      return rest
    }
    return "The greatest difference is \(greatest.name) of \(greatest.items.grouped) items, "
      + "\(greatest.place.rawValue): \(greatest.verdict). \(rest)"
  }

  var json: JSON {
    func value(_ value: (median: Double, spread: ClosedRange<Double>)) -> JSON {
      .object([
        ("median", .number(value.median)), ("low", .number(value.spread.lowerBound)),
        ("high", .number(value.spread.upperBound)),
      ])
    }
    return .object([
      ("reports", .list([first.json, second.json])),
      ("unit", .text(isOneRun ? "seconds" : "times the machine's own work, where there is one")),
      (
        "comparison",
        .list(
          rows.map { row in
            .object([
              ("measure", .text(row.name)), ("where", .text(row.place.rawValue)),
              ("items", .integer(row.items)), ("ratio", .number(row.ratio)),
              ("isNoise", .bool(row.isNoise)), ("first", value(row.first)),
              ("second", value(row.second)),
            ])
          })
      ),
      ("sentence", .text(sentence)),
    ])
  }
}

extension Double {
  /// Three digits.
  var threeDigits: String {
    guard isFinite, self != 0 else { return isFinite ? "0" : "—" }
    let digits = max(0, 2 - Int(log10(magnitude).rounded(.down)))
    let factor = pow(10, Double(min(digits, 12)))
    let text = ((self * factor).rounded() / factor).shortText
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// Seconds in a readable unit.
  var asTime: String {
    for (unit, name) in [(1e-6, "ns"), (1e-3, "µs"), (1, "ms")] where self < unit {
      return "\((self / unit * 1e3).threeDigits) \(name)"
    }
    return "\(threeDigits) s"
  }
}

extension Int {
  /// With thousands separators: "1,000,000".
  var grouped: String {
    let digits = Array(String(magnitude))
    var text = self < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return text
  }
}
