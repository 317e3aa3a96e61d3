import FoundationEssentials
import Glibc
import Synchronization
import TesseraHost
import TesseraScenario

/// The conformance suite: runs cases of the catalogue over an engine.
///
/// From the tests of a Swift package:
///
///     let report = try ConformanceSuite.check(library: path, level: .standard)
///     #expect(report.isPassed, "\(report)")
public struct ConformanceSuite: Sendable {
  /// What to run, and how.
  public struct Options: Sendable {
    /// How much to test.
    public var level = CaseLevel.standard
    /// Ids or categories of the cases to run, in which `*` matches any text; empty for all.
    public var filters: [String] = []
    /// The random seed; runs with the same seed use the same samples.
    public var seed: UInt64 = 1
    /// How many cases run at once; nil for the number of processors.
    public var jobs: Int?
    /// The maximum time for one case.
    public var caseDeadline = Duration.seconds(60)
    /// A sample in place of the cases' samples.
    public var sample: LayoutInput?
    /// Whether to skip all further cases after the first one, in the order of the catalogue, that
    /// fails or crashes.
    public var stopsAtFailure = false
    /// Whether a warning stops the run, too.
    public var stopsAtWarning = false
    /// Why to skip all cases; nil to run them.
    public var skipReason: String?
    /// How to shrink failing samples.
    public var shrinker = Shrinker()

    /// All cases at the standard level.
    public init() {}
  }

  /// The engine under test.
  public let subject: CheckSubject
  /// What to run, and how.
  public let options: Options
  private let cases: [ConformanceCase]

  /// A run over an engine.
  ///
  /// - Throws: `.invalidInput` for a filter that matches no case.
  public init(_ subject: CheckSubject, _ options: Options = Options()) throws(HostError) {
    self.init(
      subject, options, cases: try Catalogue.cases(upTo: options.level, matching: options.filters))
  }

  /// A run of cases that may not be in the catalogue.
  init(_ subject: CheckSubject, _ options: Options, cases: [ConformanceCase]) {
    self.subject = subject
    self.options = options
    self.cases = cases
  }

  /// The same suite, but with all cases skipped for a reason.
  public func skipped(because reason: String) -> ConformanceSuite {
    var options = options
    options.skipReason = reason
    return ConformanceSuite(subject, options, cases: cases)
  }

  /// Runs the suite over the engine in a library.
  ///
  /// Base engines are searched in the library's folder.
  ///
  /// - Parameters:
  ///   - library: The path of the library, followed by `#ID` if it contains several engines.
  ///   - level: How much to test.
  ///   - seed: The random seed.
  ///   - engines: More folders to search for base engines.
  /// - Throws: `.notFound` if the file or engine does not exist.
  public static func check(
    library: String, level: CaseLevel = .standard, seed: UInt64 = 1, engines: [String] = []
  ) throws(HostError) -> ConformanceReport {
    let file = library.prefix { $0 != "#" }
    let folder = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
    var configuration = HostConfiguration()
    // A crash is the verdict on one case, and must not keep the others from running.
    configuration.refusalTime = 0
    let host = TesseraHost.Host(
      searchPath: SearchPath(folders: engines + [folder.isEmpty ? "/" : folder]),
      configuration: configuration)
    let path = file.contains("/") ? library : "./\(library)"
    var options = Options()
    (options.level, options.seed) = (level, seed)
    let hostOptions = engines.flatMap { ["--engines", $0] }
    return try ConformanceSuite(CheckSubject(path, host: host, hostOptions: hostOptions), options)
      .run()
  }

  /// Runs every case, several at once.
  ///
  /// - Parameters:
  ///   - progress: Called after each case, on the thread that ran it, with the number of finished cases, that
  ///     of all cases, and the id of the case that finished last.
  ///   - reporting: Called with each result as soon as those of earlier cases are known, by one thread
  ///     at a time; returns whether to go on. Results that depend on later cases come last.
  /// - Returns: The results in the order of the catalogue.
  /// - Throws: `.unavailable` if the system lacks what a layout needs; nothing is then known of the
  ///   engine.
  public func run(
    progress: @escaping @Sendable (_ done: Int, _ total: Int, _ id: String) -> Void = { _, _, _ in
    }, reporting: @escaping @Sendable (CaseResult) -> Bool = { _ in true }
  ) throws(HostError) -> ConformanceReport {
    let start = ContinuousClock.now
    let coverage = CoverageRecorder()
    let engine = try? subject.engine
    let done = Mutex(0)
    let cases = cases
    let batches = batches
    let ended = Results(cases, options, reporting) { [subject, options] in
      guard let engine, let text = engine.runtime.printed(by: engine.description.id) else {
        return nil
      }
      var finding = Finding(
        sample: nil, expected: "no output in any session of the suite", found: text,
        seed: options.seed, command: subject.command(for: "*", options, sample: nil))
      if text.contains(" panicked at ") {
        finding.remedy =
          "Look at the line that the text names: Rust panicked there, and the wrapper made a refusal of it"
      }
      return finding
    }
    runOnThreads(min(max(1, options.jobs ?? ProcessInfo.processInfo.activeProcessorCount), 256)) {
      while let number = ended.next(of: batches.count) {
        let pool = SessionPool()
        for index in batches[number] {
          let started = ContinuousClock.now
          let (verdict, samples) =
            ended.isWanted(index)
            ? examine(cases[index], engine, coverage, pool, ended)
            : (.skipped(options.skipReason ?? Results.stopped), 0)
          ended.set(index, verdict, samples, ContinuousClock.now - started)
          let count = done.withLock { count in
            count += 1
            return count
          }
          progress(count, cases.count, cases[index].id)
        }
      }
    }
    if let shortage = ended.shortage { throw shortage }
    return ConformanceReport(
      subject: subject.name, engine: engine?.description, library: engine?.library,
      level: options.level, seed: options.seed, results: ended.finished(),
      coverage: engine.map { coverage.coverage(of: $0) }, duration: ContinuousClock.now - start)
  }

  /// The cases that share worker processes, since starting a process takes longer than most layouts: those of
  /// a category, at higher levels few of them, so that no thread is left with a long batch at the end.
  private var batches: [Range<Int>] {
    let most = options.level == .quick ? cases.count : 4
    var batches: [Range<Int>] = []
    for index in cases.indices {
      if let last = batches.last, last.count < most,
        cases[last.lowerBound].category == cases[index].category
      {
        batches[batches.count - 1] = last.lowerBound..<index + 1
      } else {
        batches.append(index..<index + 1)
      }
    }
    return batches
  }

  private func examine(
    _ examined: ConformanceCase, _ engine: Engine?, _ coverage: CoverageRecorder,
    _ pool: SessionPool, _ results: Results
  ) -> (Verdict, samples: Int) {
    if let engine, !examined.needs.isMet(by: engine) { return (.skipped(examined.needs.reason), 0) }
    // If the library crashes while it is loaded, there is nothing that other cases could test.
    var crashes = false
    if case .failure(let error) = subject.loading { crashes = error.kind == .died }
    let testsFile = [.library, .descriptor].contains(examined.category) && !crashes
    guard engine != nil || testsFile || examined.id == "library-loads" else {
      return (.skipped("the library cannot be loaded"), 0)
    }
    let verdict = CaseRunner(
      examined: examined, subject: subject, options: options, coverage: coverage, pool: pool,
      results: results
    ).run()
    coverage.record(.traits, examined.needs.traits.names)
    coverage.record(.laws, examined.needs.laws.names)
    return verdict
  }
}

/// The engine under test: its library, and how to create sessions of it.
public struct CheckSubject: Sendable {
  /// The engine's name on the command line: an id, or a library's path.
  public let name: String
  /// The host that finds it and its bases.
  public let host: TesseraHost.Host
  /// Command-line options for the commands in reports: "--engines DIR".
  public let hostOptions: [String]
  /// The examination of a default sample's process, shared by all cases that use it.
  let processReport = SharedReport()
  /// How samples misuse memory, shared by all cases about that.
  let memoryReports = Shared<[LayoutInput: SharedReport]>()
  /// How a layout of the plain sample ended the process, shared by all cases that need to know.
  let plainLayout = Shared<HostError?>()
  let plainCell = Shared<Size>()
  /// Lists that the engine accepts, shared by all cases.
  let acceptedLists = Shared<[String: [RecordList]]>()
  /// The engine, or why it cannot be loaded.
  public let loading: Result<Engine, HostError>

  /// Finds an engine by its id or its library's path.
  ///
  /// A library that cannot be loaded is a valid subject: its cases report why.
  ///
  /// - Throws: `.notFound` or `.invalidInput` if the name does not identify one engine, `.notAllowed`.
  public init(
    _ name: String, host: TesseraHost.Host, hostOptions: [String] = []
  ) throws(HostError) {
    self.name = name
    self.host = host
    self.hostOptions = hostOptions
    do throws(HostError) { loading = .success(try host.engine(name)) } catch {
      // An engine whose base is missing was itself found.
      if [.notFound, .invalidInput, .notAllowed].contains(error.kind), !host.finds(name) {
        throw error
      }
      loading = .failure(error)
    }
  }

  /// Whether the name is the path of an ELF file; there is nothing to report on any other file.
  public var isLibrary: Bool {
    let path = String(name.prefix { $0 != "#" })
    guard let file = try? LibraryFile(path: path) else { return false }
    return (try? file.bytes(at: 0, count: 4)) == [0x7F, 0x45, 0x4C, 0x46]
  }

  var libraryPath: String {
    if case .success(let engine) = loading { return engine.library }
    return String(name.prefix { $0 != "#" })
  }

  /// The engine.
  ///
  /// - Throws: The error that loading it caused.
  public var engine: Engine { get throws(HostError) { try loading.get() } }

  /// A new session for a sample.
  ///
  /// - Throws: An error if the host or the engine refuses the sample.
  public func session(for sample: LayoutInput) throws(HostError) -> Session {
    let session = try Session(try engine)
    try sample.apply(to: session, resetting: true)
    return session
  }

  /// The size in bytes from which on a sample is not part of a command.
  static let longestSample = 4_000

  /// The command that runs one case alone in the same way, quoted for a shell.
  func command(
    for id: String, _ options: ConformanceSuite.Options, sample: LayoutInput?
  ) -> String {
    var words = ["tessera", "check", name] + hostOptions + ["--filter", id]
    if options.level != ConformanceSuite.Options().level {
      words += ["--level", options.level.rawValue]
    }
    words += ["--seed", "\(options.seed)"]
    // Nobody reads a longer argument; the seed finds the sample again.
    if let text = sample?.json.line, text.utf8.count < Self.longestSample {
      words += ["--sample", text]
    }
    return words.map(\.shellWord).joined(separator: " ")
  }
}

/// The verdict on each case, collected from several threads and reported in the order of the
/// catalogue, whatever the number of threads.
final class Results: Sendable {
  /// Why cases after a failure are skipped.
  static let stopped = "another case failed"

  private struct State {
    var nextBatch = 0
    /// The verdict on each case before it is compared with other cases, and the result, once they are known.
    var entries: [(verdict: Verdict, samples: Int, duration: Duration, result: CaseResult?)?]
    /// The number of cases, from the first, that are reported or held back.
    var settled = 0
    /// The first case after which the run stops.
    var last: Int?
    /// The first settled case that found misuse of memory.
    var misuser: Int?
    /// The first settled case that owns an error of the host.
    var owner: Int?
    /// The case that reports why the plain sample cannot be laid out.
    var plainReporter: Int?
    /// What the system lacked in the first case that found it.
    var shortage: HostError?
    /// The calls that did not return although they were tried twice, which takes too long in every
    /// case.
    var hangs: Set<String> = []
  }

  private let cases: [ConformanceCase]
  private let options: ConformanceSuite.Options
  private let report: @Sendable (CaseResult) -> Bool
  /// What the engine printed first in any session so far.
  private let printed: @Sendable () -> Finding?
  private let state: Mutex<State>

  init(
    _ cases: [ConformanceCase], _ options: ConformanceSuite.Options,
    _ report: @escaping @Sendable (CaseResult) -> Bool, printed: @escaping @Sendable () -> Finding?
  ) {
    (self.cases, self.options, self.report) = (cases, options, report)
    self.printed = printed
    var state = State(entries: Array(repeating: nil, count: cases.count))
    state.plainReporter = cases.firstIndex { $0.id == Catalogue.plainLayout }
    self.state = Mutex(state)
  }

  /// The next of so many batches of cases to run; nil if none are left.
  func next(of count: Int) -> Int? {
    state.withLock { state in
      guard state.nextBatch < count else { return nil }
      state.nextBatch += 1
      return state.nextBatch - 1
    }
  }

  /// Whether a case should run: not after the first failure, if the run stops there.
  func isWanted(_ index: Int) -> Bool {
    options.skipReason == nil && state.withLock { $0.shortage == nil && index <= $0.last ?? .max }
  }

  /// What the system lacked for a layout; nil if nothing.
  var shortage: HostError? { state.withLock(\.shortage) }

  func isKnownHang(_ call: String) -> Bool { state.withLock { $0.hangs.contains(call) } }

  func addHang(_ call: String) { state.withLock { _ = $0.hangs.insert(call) } }

  /// Adds the verdict on a case, and reports all results that are now known.
  func set(_ index: Int, _ verdict: Verdict, _ samples: Int, _ duration: Duration) {
    state.withLock { state in
      state.entries[index] = (verdict, samples, duration, nil)
      if let error = verdict.finding?.error, error.kind == .unavailable {
        state.shortage = state.shortage ?? error
      }
      if stops(index, verdict) { state.last = min(state.last ?? index, index) }
      while state.settled < cases.count, state.entries[state.settled] != nil {
        report(state.settled, &state)
        state.settled += 1
        if state.settled == misuseEnd { reportHeld(&state) }
      }
    }
  }

  /// All results, after all cases have been added.
  ///
  /// If an error prevented a layout, the case that owns the error fails and the others are skipped. If
  /// no case owns it, all of them fail.
  ///
  /// The case about output fails if the engine printed in a session of any case.
  func finished() -> [CaseResult] {
    state.withLock { state in
      if let index = cases.firstIndex(where: { $0.id == Catalogue.printing }),
        state.entries[index]?.result == nil
      {
        give(index, printed().map(Verdict.failed) ?? .passed, &state)
      }
      for index in cases.indices {
        guard let finding = state.entries[index]?.verdict.finding,
          state.entries[index]?.result == nil
        else { continue }
        let verdict = state.owner.map { blocked(finding, by: $0) } ?? .failed(finding)
        give(index, verdict, &state)
      }
      return state.entries.compactMap { $0?.result }
    }
  }

  /// The number of cases up to the last that finds misuse of memory; before it, findings are held back, so that
  /// misuse is reported first, from which they follow.
  private var misuseEnd: Int {
    guard !options.stopsAtFailure, cases.count > 1 else { return 0 }
    return (cases.lastIndex { Catalogue.misuse.contains($0.id) } ?? -1) + 1
  }

  private func stops(_ index: Int, _ verdict: Verdict) -> Bool {
    switch verdict {
    case .warning: options.stopsAtWarning
    case .failed(let finding): options.stopsAtFailure && !isBlocked(index, finding)
    case .crashed: options.stopsAtFailure
    case .passed, .skipped: false
    }
  }

  /// Whether an error that the case does not own prevented a layout.
  private func isBlocked(_ index: Int, _ finding: Finding) -> Bool {
    finding.error.map { !cases[index].owns.contains($0.code) } ?? false
  }

  /// Reports the result of the next case, unless it depends on later ones.
  private func report(_ index: Int, _ state: inout State) {
    guard let verdict = state.entries[index]?.verdict, state.shortage == nil else { return }
    if index > state.last ?? .max { return give(index, .skipped(Self.stopped), &state) }
    switch verdict {
    case .passed where cases[index].id == Catalogue.printing && cases.count > 1: break
    case .failed(let finding) where isBlocked(index, finding):
      if let owner = state.owner {
        give(index, blocked(finding, by: owner), &state)
      } else if options.stopsAtFailure {
        state.last = index
        give(index, .failed(finding), &state)
      }
    case .failed(var finding)
    where Catalogue.misuse.contains(cases[index].id) && state.misuser == nil:
      state.misuser = index
      finding.cause = Self.misused
      give(index, .failed(finding), &state)
    case .failed where index < misuseEnd, .crashed where index < misuseEnd && !isPlain(verdict):
      noteOwner(index, verdict, &state)
    case .crashed(let finding) where finding.isCrash:
      give(index, .crashed(following(finding, state)), &state)
    case .crashed(let finding) where finding.isOfPlainSample:
      guard let reporter = state.plainReporter else {
        state.plainReporter = index
        return give(index, .crashed(finding), &state)
      }
      give(index, .skipped("it needs the plain sample; see \(cases[reporter].id)"), &state)
    default:
      noteOwner(index, verdict, &state)
      give(index, verdict, &state)
    }
  }

  /// Reports what was held back, once it is known whether memory is misused.
  private func reportHeld(_ state: inout State) {
    guard state.shortage == nil else { return }
    for index in cases.indices.prefix(misuseEnd) where state.entries[index]?.result == nil {
      switch state.entries[index]?.verdict {
      case .failed(let finding) where !isBlocked(index, finding):
        give(index, .failed(following(finding, state)), &state)
      case .crashed(let finding):
        give(index, .crashed(finding.isCrash ? following(finding, state) : finding), &state)
      default: break
      }
    }
  }

  private func noteOwner(_ index: Int, _ verdict: Verdict, _ state: inout State) {
    guard let error = verdict.finding?.error, cases[index].owns.contains(error.code) else { return }
    state.owner = state.owner ?? index
  }

  private func isPlain(_ verdict: Verdict) -> Bool { verdict.finding?.isOfPlainSample ?? false }

  /// What findings have in common that follow from misuse of memory.
  static let misused = "misuse of memory"

  /// A finding, which follows from misuse of memory if there is any.
  private func following(_ finding: Finding, _ state: State) -> Finding {
    var finding = finding
    if state.misuser != nil { finding.cause = Self.misused }
    return finding
  }

  private func blocked(_ finding: Finding, by owner: Int) -> Verdict {
    .skipped("there was no layout to test: \(finding.found); see \(cases[owner].id)")
  }

  private func give(_ index: Int, _ verdict: Verdict, _ state: inout State) {
    guard let entry = state.entries[index] else { return }
    let result = CaseResult(
      examined: cases[index], verdict: verdict, samples: entry.samples, duration: entry.duration)
    state.entries[index]?.result = result
    if !report(result) { state.last = min(state.last ?? index, index) }
  }
}

extension SuiteCall {
  /// A case of a report, with its finding's sample.
  public init(_ result: CaseResult, level: CaseLevel, seed: UInt64) {
    let sample = result.verdict.finding?.sample.flatMap {
      try? JSON(parsing: Array($0.json.line.utf8), name: "the sample")
    }
    self.init(id: result.examined.id, level: level.rawValue, seed: "\(seed)", sample: sample)
  }

  /// Runs the case with its sample.
  ///
  /// - Throws: `.invalidInput` for an unknown case, or an invalid level, seed or sample.
  public func verdict(on subject: CheckSubject) throws(HostError) -> LayoutDifference? {
    var options = ConformanceSuite.Options()
    guard let level = CaseLevel(rawValue: level), let seed = UInt64(seed) else {
      throw HostError(
        .invalidValue,
        "the case \(id) has the level \(level) and the seed \(seed); expected one of "
          + "\(CaseLevel.allCases.map(\.rawValue).joined(separator: ", ")), and digits")
    }
    (options.level, options.seed, options.filters, options.jobs) = (level, seed, [id], 1)
    if let sample { options.sample = try LayoutInput(json: sample, for: try subject.engine.chain) }
    let report = try ConformanceSuite(subject, options).run()
    let failed = report.results.first {
      switch $0.verdict {
      case .failed, .crashed: true
      case .passed, .warning, .skipped: false
      }
    }
    guard let failed, let finding = failed.verdict.finding else { return nil }
    return LayoutDifference(
      expected: "\(finding.expected) (\(failed.examined.rule))", found: finding.found)
  }
}
