import TesseraHost

/// What became of one case.
public struct CaseResult: Sendable {
  /// The case.
  public let examined: ConformanceCase
  /// What it came to.
  public let verdict: Verdict
  /// How many samples held.
  public let samples: Int
  /// How long it took.
  public let duration: Duration

  /// A case with what became of it.
  public init(examined: ConformanceCase, verdict: Verdict, samples: Int, duration: Duration) {
    self.examined = examined
    self.verdict = verdict
    self.samples = samples
    self.duration = duration
  }
}

/// What a run of the suite came to.
public struct ConformanceReport: Sendable, CustomStringConvertible {
  /// The engine as it was named.
  public let subject: String
  /// What the engine declares; nil where it could not be loaded.
  public let engine: EngineDescription?
  /// The library that the engine lies in; nil where it could not be loaded.
  public let library: String?
  /// How much was examined.
  public let level: CaseLevel
  /// What random samples began with.
  public let seed: UInt64
  /// The cases in the order of the catalogue.
  public let results: [CaseResult]
  /// What was touched of what the engine declares; nil where it could not be loaded.
  public let coverage: Coverage?
  /// How long it took.
  public let duration: Duration

  init(
    subject: CheckSubject, engine: Engine?, level: CaseLevel, seed: UInt64, results: [CaseResult],
    coverage: Coverage?, duration: Duration
  ) {
    self.init(
      subject: subject.name, engine: engine?.description, library: engine?.library, level: level,
      seed: seed, results: results, coverage: coverage, duration: duration)
  }

  /// A report of results that are at hand.
  public init(
    subject: String, engine: EngineDescription?, library: String?, level: CaseLevel, seed: UInt64,
    results: [CaseResult], coverage: Coverage?, duration: Duration
  ) {
    self.subject = subject
    self.engine = engine
    self.library = library
    self.level = level
    self.seed = seed
    self.results = results
    self.coverage = coverage
    self.duration = duration
  }

  /// The same with further results, those of goldens.
  public func adding(_ more: [CaseResult]) -> ConformanceReport {
    ConformanceReport(
      subject: subject, engine: engine, library: library, level: level, seed: seed,
      results: results + more, coverage: coverage, duration: duration)
  }

  /// Whether nothing failed and nothing crashed.
  public var isPassed: Bool { count("failed") + count("crashed") == 0 }

  /// Whether there is not even a warning.
  public var isStrictlyPassed: Bool { isPassed && count("warning") == 0 }

  /// How many cases came to a verdict, by its name.
  public func count(_ verdict: String) -> Int {
    results.count { $0.verdict.name == verdict }
  }

  /// The categories that any case belongs to, in the order of the catalogue.
  var categories: [CaseCategory] {
    CaseCategory.allCases.filter { category in
      results.contains { $0.examined.category == category }
    }
  }

  /// The name that reports give the engine: its id, or as it was named.
  var title: String { engine?.id ?? subject }

  /// The readable report, without colours.
  public var description: String { TextReport(self).text }
}

extension Duration {
  /// The time in seconds.
  var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }

  /// Seconds with three decimals.
  var text: String {
    let thousandths = Int((seconds * 1000).rounded())
    let fraction = String(thousandths % 1000)
    return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
  }
}
