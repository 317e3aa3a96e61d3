import Synchronization
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

/// A rule that does not hold, as an examination throws it.
public struct Violation: Error, Sendable {
  /// What the rule wants for this input: the end of "expected …".
  public var expected: String
  /// What was there instead.
  public var found: String
  /// Whether it only warns: what depends on the machine never fails.
  public var isWarning = false
  /// The layout as the rule wants it and as it was found, where that can be drawn.
  public var pictures: Pictures?

  /// Two layouts side by side.
  public struct Pictures: Sendable {
    /// What the rule wants.
    public var expected: LayoutImage
    /// What was there instead.
    public var found: LayoutImage

    /// Two layouts side by side.
    public init(expected: LayoutImage, found: LayoutImage) {
      self.expected = expected
      self.found = found
    }
  }

  /// A rule that does not hold.
  public init(
    expected: String, found: String, isWarning: Bool = false, pictures: Pictures? = nil
  ) {
    self.expected = expected
    self.found = found
    self.isWarning = isWarning
    self.pictures = pictures
  }
}

/// What a case found, with all that it takes to see it again.
public struct Finding: Sendable {
  /// The smallest input found that shows it; nil where it does not depend on the input.
  public var sample: Sample?
  /// What the rule wants.
  public var expected: String
  /// What was there instead.
  public var found: String
  /// The seed of the run.
  public var seed: UInt64
  /// The command that examines this case alone, with this input.
  public var command: String
  /// The command that lays this input out.
  public var layoutCommand: String?
  /// The layout as the rule wants it and as it was found.
  public var pictures: Violation.Pictures?
}

/// What an examination came to.
public enum Verdict: Sendable {
  /// The rule held for everything that was tried.
  case passed
  /// The rule does not hold.
  case failed(Finding)
  /// The engine crashed, or did not come back.
  case crashed(Finding)
  /// Something is worth a look; it depends on the machine.
  case warning(Finding)
  /// The case was not examined, and why.
  case skipped(String)

  /// The word for it in reports.
  public var name: String {
    switch self {
    case .passed: "passed"
    case .failed: "failed"
    case .crashed: "crashed"
    case .warning: "warning"
    case .skipped: "skipped"
    }
  }

  /// What was found, where something was.
  public var finding: Finding? {
    switch self {
    case .failed(let finding), .crashed(let finding), .warning(let finding): finding
    case .passed, .skipped: nil
    }
  }
}

/// What a run touched of what an engine declares.
public struct Coverage: Sendable {
  /// One sort of what engines declare.
  public struct Part: Sendable, Equatable {
    /// "parameters", "item values", "kinds".
    public let name: String
    /// The names that the engine and its bases declare, in their order.
    public let declared: [String]
    /// Those of them that the run touched.
    public let exercised: [String]

    /// Those that the run did not touch.
    public var untouched: [String] { declared.filter { !exercised.contains($0) } }
  }

  /// The sorts of which the engine declares anything.
  public let parts: [Part]
}

/// Takes down, from several threads at once, what a run touches.
final class CoverageRecorder: Sendable {
  /// What names belong to; the raw values are those of reports.
  enum Part: String, CaseIterable {
    case parameters
    case sectionValues = "section values"
    case itemValues = "item values"
    case delegate = "delegate functions"
    case functions
    case attributes
    case kinds
    case traits
  }

  private let touched = Mutex<[Part: Set<String>]>([:])

  func record(_ part: Part, _ names: some Sequence<String>) {
    touched.withLock { $0[part, default: []].formUnion(names) }
  }

  /// A session was given a sample.
  func record(_ sample: Sample) {
    record(.parameters, sample.parameters.keys)
    record(.sectionValues, sample.counts.isEmpty ? [] : Array(sample.sectionValues.keys))
    record(.itemValues, sample.itemCount == 0 ? [] : Array(sample.itemValues.keys))
    record(.delegate, sample.itemCount == 0 ? [] : Array(sample.delegate.keys))
  }

  /// A layout was looked at.
  func record(_ elements: Elements) {
    guard !elements.isEmpty else { return }
    record(.attributes, elements.attributes.map(\.name))
    record(.kinds, Set(elements.indices.compactMap { elements.identity(at: $0).kind }))
  }

  /// A published function was called.
  func recordCall(_ name: String) { record(.functions, [name]) }

  /// What was touched against what an engine declares.
  func coverage(of engine: Engine) -> Coverage {
    let declared: [(Part, [String])] = [
      (.parameters, engine.settableParameters.map(\.name)),
      (.sectionValues, engine.settableValues.filter { $0.scope == .section }.map(\.name)),
      (.itemValues, engine.settableValues.filter { $0.scope == .item }.map(\.name)),
      (.delegate, engine.delegateFunctions.map(\.name)),
      (.functions, engine.publishedFunctions.map(\.name)),
      (.attributes, Self.unique(engine.chain.flatMap { $0.attributes.map(\.name) })),
      (.kinds, Self.unique(engine.kinds.map(\.name))),
      (.traits, engine.traits.names),
    ]
    let touched = touched.withLock(\.self)
    return Coverage(
      parts: declared.filter { !$0.1.isEmpty }.map { part, names in
        Coverage.Part(
          name: part.rawValue, declared: names,
          exercised: names.filter { touched[part]?.contains($0) == true })
      })
  }

  private static func unique(_ names: [String]) -> [String] {
    var known = Set<String>()
    return names.filter { known.insert($0).inserted }
  }
}
