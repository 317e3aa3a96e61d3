import Foundation
import Synchronization
import TesseraHost
import TesseraScenario

/// The suite: cases of the catalogue, run over one engine.
///
/// From the tests of a Swift package:
///
///     let report = try ConformanceSuite.check(library: path, level: .standard)
///     #expect(report.isPassed, "\(report)")
public struct ConformanceSuite: Sendable {
  /// What is run, and how.
  public struct Options: Sendable {
    /// How much is examined.
    public var level = CaseLevel.standard
    /// Ids or categories of the cases to run, `*` for anything; empty: all.
    public var filters: [String] = []
    /// What random samples begin with; a run with the same seed examines the same.
    public var seed: UInt64 = 1
    /// How many cases run at once; nil: as many as there are processors.
    public var jobs: Int?
    /// The time that one case may take.
    public var caseDeadline = Duration.seconds(60)
    /// The one sample to examine, in place of those that the cases have.
    public var sample: Sample?
    /// Whether the cases behind the first that fails are skipped: enough for who only asks whether any
    /// does.
    public var stopsAtFailure = false
    /// How failing samples are made smaller.
    public var shrinker = Shrinker()

    /// The standard level, all cases.
    public init() {}
  }

  /// How far a run is.
  public struct Progress: Sendable {
    /// How many cases have ended.
    public let done: Int
    /// How many there are.
    public let total: Int
    /// The id of the case that ended last.
    public let id: String
  }

  /// The engine under test.
  public let subject: CheckSubject
  /// What is run.
  public let options: Options
  private let cases: [ConformanceCase]

  /// A run over an engine.
  ///
  /// - Throws: `.invalidInput` for a filter that matches nothing.
  public init(_ subject: CheckSubject, _ options: Options = Options()) throws(HostError) {
    self.init(
      subject, options, cases: try Catalogue.cases(upTo: options.level, matching: options.filters))
  }

  /// A run of cases that need not be in the catalogue.
  init(_ subject: CheckSubject, _ options: Options, cases: [ConformanceCase]) {
    self.subject = subject
    self.options = options
    self.cases = cases
  }

  /// Runs the suite over the engine in a library; bases are looked for in the library's own folder.
  ///
  /// - Parameters:
  ///   - library: The path of the library, with `#ID` behind it where it holds several engines.
  ///   - level: How much is examined.
  ///   - seed: What random samples begin with.
  ///   - engines: Further folders in which bases are looked for.
  /// - Throws: `.notFound` where there is no such file or engine.
  public static func check(
    library: String, level: CaseLevel = .standard, seed: UInt64 = 1, engines: [String] = []
  ) throws(HostError) -> ConformanceReport {
    let file = library.prefix { $0 != "#" }
    let folder = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
    var configuration = HostConfiguration()
    // A crash is a verdict on one case, and no reason to refuse the others a layout.
    configuration.refusesCrashing = false
    let host = TesseraHost.Host(
      searchPath: SearchPath(folders: engines + [folder.isEmpty ? "/" : folder]),
      configuration: configuration)
    let path = file.contains("/") ? library : "./\(library)"
    var options = Options()
    (options.level, options.seed) = (level, seed)
    return try ConformanceSuite(CheckSubject(path, host: host), options).run()
  }

  /// Runs every case on sessions of its own, several at once.
  ///
  /// - Parameter progress: Told when a case has ended, on the thread that ran it.
  /// - Returns: The results in the order of the catalogue, however many ran at once.
  public func run(progress: @escaping @Sendable (Progress) -> Void = { _ in }) -> ConformanceReport
  {
    let start = ContinuousClock.now
    let coverage = CoverageRecorder()
    let engine = try? subject.engine
    let done = Mutex(0)
    let isOver = Mutex(false)
    let cases = cases
    let batches = batches
    let ended = Results(count: cases.count)
    inThreads(min(max(1, options.jobs ?? ProcessInfo.processInfo.activeProcessorCount), 256)) {
      while let number = ended.next(of: batches.count) {
        let pool = SessionPool()
        for index in batches[number] {
          let started = ContinuousClock.now
          let (outcome, samples) =
            isOver.withLock(\.self)
            ? (.verdict(.skipped("another case failed")), 0)
            : examine(cases[index], engine, coverage, pool)
          if options.stopsAtFailure, outcome.isFailure { isOver.withLock { $0 = true } }
          ended.set(index, outcome, samples, ContinuousClock.now - started)
          let count = done.withLock { count in
            count += 1
            return count
          }
          progress(Progress(done: count, total: cases.count, id: cases[index].id))
        }
      }
    }
    return ConformanceReport(
      subject: subject, engine: engine, level: options.level, seed: options.seed,
      results: ended.resolved(cases), coverage: engine.map { coverage.coverage(of: $0) },
      duration: ContinuousClock.now - start)
  }

  /// The cases that are examined one after the other in the same processes: those of a category, or
  /// each by itself where it has samples enough to make use of processes alone.
  private var batches: [Range<Int>] {
    var batches: [Range<Int>] = []
    for index in cases.indices {
      if options.level == .quick, let first = batches.last?.lowerBound,
        cases[first].category == cases[index].category
      {
        batches[batches.count - 1] = first..<index + 1
      } else {
        batches.append(index..<index + 1)
      }
    }
    return batches
  }

  private func examine(
    _ examined: ConformanceCase, _ engine: Engine?, _ coverage: CoverageRecorder,
    _ pool: SessionPool
  ) -> (CaseRunner.Outcome, samples: Int) {
    if let engine, !examined.needs.isMet(by: engine) {
      return (.verdict(.skipped(examined.needs.reason)), 0)
    }
    // One that crashes when it is loaded says nothing that the others could look at.
    var isSilent = false
    if case .failure(let error) = subject.loading { isSilent = error.kind == .died }
    let looksAtFiles = [.library, .descriptor].contains(examined.category) && !isSilent
    guard engine != nil || looksAtFiles || examined.id == "library-loads" else {
      return (.verdict(.skipped("the library cannot be loaded")), 0)
    }
    let outcome = CaseRunner(
      examined: examined, subject: subject, options: options, coverage: coverage, pool: pool
    ).run()
    coverage.record(.traits, examined.needs.traits.names)
    return outcome
  }

  /// Does work on some threads at once, each with the stack of a program's first one, and waits.
  private func inThreads(_ count: Int, _ work: @escaping @Sendable () -> Void) {
    let group = DispatchGroup()
    for _ in 0..<count {
      group.enter()
      let thread = Thread {
        work()
        group.leave()
      }
      thread.stackSize = 8 << 20
      thread.start()
    }
    group.wait()
  }
}

/// The engine under test: where its library is, and how sessions of it are made.
public struct CheckSubject: Sendable {
  /// The engine as the command line named it: an id, or a library's path.
  public let name: String
  /// The host that finds it and its bases.
  public let host: TesseraHost.Host
  /// Options of the command line that reproducing commands repeat: "--engines DIR".
  public let hostOptions: [String]
  /// What the process of a plain sample came to, once for all cases that look at it.
  let processReport = SharedReport()
  /// The engine, or why there is none.
  public let loading: Result<Engine, HostError>

  /// Looks for an engine by its id or its library's path.
  ///
  /// - Throws: `.notFound` and `.invalidInput` where there is no one engine of that name, `.notAllowed`. A library
  ///   that cannot be loaded is a subject like others: its cases say why.
  public init(
    _ name: String, host: TesseraHost.Host, hostOptions: [String] = []
  ) throws(HostError) {
    self.name = name
    self.host = host
    self.hostOptions = hostOptions
    do throws(HostError) { loading = .success(try host.engine(name)) } catch {
      // One whose base is missing was found itself.
      let isFound = error.message.contains(" is derived from ")
      if [.notFound, .invalidInput, .notAllowed].contains(error.kind), !isFound { throw error }
      loading = .failure(error)
    }
  }

  /// Whether what was named is at least a file of the kind that libraries are: without that there is
  /// nothing to report on.
  public var isLibrary: Bool {
    let path = String(name.prefix { $0 != "#" })
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    let start = try? file.read(upToCount: 4)
    return start == Data([0x7F, 0x45, 0x4C, 0x46])
  }

  /// The path of the library.
  var libraryPath: String {
    if case .success(let engine) = loading { return engine.library }
    return String(name.prefix { $0 != "#" })
  }

  /// The engine.
  ///
  /// - Throws: Why it cannot be loaded.
  public var engine: Engine {
    get throws(HostError) { try loading.get() }
  }

  /// A session that was given nothing but a sample.
  ///
  /// - Throws: What the host or the engine refuses.
  public func session(for sample: Sample) throws(HostError) -> Session {
    let session = try Session(try engine)
    try sample.apply(to: session)
    return session
  }

  /// The command that examines one case alone, ready for a shell.
  func command(for id: String, seed: UInt64, sample: Sample?) -> String {
    var words = ["tessera", "check", name] + hostOptions + ["--filter", id, "--seed", "\(seed)"]
    if let sample { words += ["--sample", sample.json.line] }
    return words.map(\.shellWord).joined(separator: " ")
  }
}

/// What became of each case, collected from several threads.
final class Results: Sendable {
  private struct Entry {
    var outcome: CaseRunner.Outcome
    var samples: Int
    var duration: Duration
  }

  private struct State {
    var next = 0
    var entries: [Entry?]
  }

  private let state: Mutex<State>

  init(count: Int) { state = Mutex(State(entries: Array(repeating: nil, count: count))) }

  /// The next of so many batches of cases to run, or nil when all are taken.
  func next(of count: Int) -> Int? {
    state.withLock { state in
      guard state.next < count else { return nil }
      state.next += 1
      return state.next - 1
    }
  }

  func set(_ index: Int, _ outcome: CaseRunner.Outcome, _ samples: Int, _ duration: Duration) {
    state.withLock {
      $0.entries[index] = Entry(outcome: outcome, samples: samples, duration: duration)
    }
  }

  /// The verdicts, once all are known: where no layout was to be had, the case that says why fails,
  /// and the others are skipped; where none says it, each fails.
  func resolved(_ cases: [ConformanceCase]) -> [CaseResult] {
    let entries = state.withLock { $0.entries.compactMap(\.self) }
    let owner = zip(cases, entries).first { if case .owned = $1.outcome { true } else { false } }
    return zip(cases, entries).map { examined, entry in
      let verdict: Verdict =
        switch entry.outcome {
        case .verdict(let verdict): verdict
        case .owned(let finding): .failed(finding)
        case .obstructed(let finding):
          if let owner {
            .skipped("there was no layout to look at: \(finding.found); see \(owner.0.id)")
          } else {
            .failed(finding)
          }
        }
      return CaseResult(
        examined: examined, verdict: verdict, samples: entry.samples, duration: entry.duration)
    }
  }
}

extension SuiteCall {
  /// A case of a report with what it found.
  public init(_ result: CaseResult, level: CaseLevel, seed: UInt64) {
    let sample = result.verdict.finding?.sample.flatMap {
      try? JSONValue(parsing: Array($0.json.line.utf8), name: "the sample")
    }
    self.init(
      id: result.examined.id, level: level.rawValue, seed: "\(seed)", sample: sample)
  }

  /// Examines the case with its input.
  ///
  /// - Throws: `.invalidInput` for a case, a level or an input that there is not.
  public func verdict(on subject: CheckSubject) throws(HostError) -> SuiteVerdict {
    var options = ConformanceSuite.Options()
    guard let level = CaseLevel(rawValue: level), let seed = UInt64(seed) else {
      throw HostError(
        .invalidInput,
        "the case \(id) has the level \(level) and the seed \(seed); expected one of "
          + "\(CaseLevel.allCases.map(\.rawValue).joined(separator: ", ")), and digits")
    }
    (options.level, options.seed, options.filters, options.jobs) = (level, seed, [id], 1)
    if let sample {
      options.sample = try Sample(json: sample, for: try subject.engine.chain)
    }
    let report = try ConformanceSuite(subject, options).run()
    let failed = report.results.first {
      switch $0.verdict {
      case .failed, .crashed: true
      case .passed, .warning, .skipped: false
      }
    }
    guard let failed, let finding = failed.verdict.finding else { return SuiteVerdict(holds: true) }
    return SuiteVerdict(
      holds: false, expected: "\(finding.expected) (\(failed.examined.rule))",
      found: finding.found)
  }
}
