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
    /// Ids or categories; `*` matches any text; empty for all.
    public var filters: [String] = []
    /// Equal seeds give equal samples.
    public var seed: UInt64 = 1
    /// The number of parallel cases; nil for the number of processors.
    public var jobs: Int?
    /// The timeout for one case.
    public var caseDeadline = Duration.seconds(60)
    /// Replaces the cases' samples.
    public var sample: LayoutInput?
    /// Stops at the first failure or crash, in the order of the catalogue.
    public var stopsAtFailure = false
    /// Also stops at a warning.
    public var stopsAtWarning = false
    /// The reason to skip all cases; nil to run them.
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

  /// Prepares a run over an engine.
  ///
  /// - Throws: `.invalidInput` for a filter without a match.
  public init(_ subject: CheckSubject, _ options: Options = Options()) throws(HostError) {
    self.init(
      subject, options, cases: try Catalogue.cases(upTo: options.level, matching: options.filters))
  }

  init(_ subject: CheckSubject, _ options: Options, cases: [ConformanceCase]) {
    self.subject = subject
    self.options = options
    self.cases = cases
  }

  /// A copy of the suite that skips all cases.
  public func skipped(because reason: String) -> ConformanceSuite {
    var options = options
    options.skipReason = reason
    return ConformanceSuite(subject, options, cases: cases)
  }

  /// Runs the suite over the engine in a library.
  ///
  /// - Parameters:
  ///   - library: A path, with `#ID` if it contains several engines.
  ///   - engines: More folders with base engines, besides the library's.
  /// - Throws: `.notFound` if the file or engine does not exist.
  public static func check(
    library: String, level: CaseLevel = .standard, seed: UInt64 = 1, engines: [String] = []
  ) throws(HostError) -> ConformanceReport {
    let file = library.prefix { $0 != "#" }
    let folder = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
    var configuration = HostConfiguration()
    // A crash in one case must not block the others.
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
  ///   - progress: Called after each case on its thread: number finished, total, and the last id.
  ///   - reporting: Called in order, by one thread at a time; returns false to stop.
  /// - Throws: `.unavailable` if the system lacks a resource that a layout needs.
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

  /// Sharing workers saves starts; small batches at higher levels keep all threads busy.
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
    // A library that crashes while loading leaves nothing to test.
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
  /// An engine id or a library's path.
  public let name: String
  /// Finds the engine and its bases.
  public let host: TesseraHost.Host
  /// Options for commands in reports, such as "--engines DIR".
  public let hostOptions: [String]
  /// Of a default sample's process; shared by all cases.
  let processReport = SharedReport()
  let memoryReports = Shared<[LayoutInput: SharedReport]>()
  let plainLayout = Shared<HostError?>()
  let plainCell = Shared<Size>()
  let acceptedLists = Shared<[String: [RecordList]]>()
  /// The engine, or the loading error.
  public let loading: Result<Engine, HostError>

  /// Finds an engine by id or path.
  ///
  /// A library that cannot be loaded is a valid subject: its cases report why.
  ///
  /// - Throws: `.notFound`, `.invalidInput` or `.notAllowed` if the name does not identify one
  ///   engine.
  public init(
    _ name: String, host: TesseraHost.Host, hostOptions: [String] = []
  ) throws(HostError) {
    self.name = name
    self.host = host
    self.hostOptions = hostOptions
    do throws(HostError) { loading = .success(try host.engine(name)) } catch {
      // Here the engine was found, but its base is missing.
      if [.notFound, .invalidInput, .notAllowed].contains(error.kind), !host.finds(name) {
        throw error
      }
      loading = .failure(error)
    }
  }

  /// Whether the name is the path of an ELF file.
  public var isLibrary: Bool {
    let path = String(name.prefix { $0 != "#" })
    guard let file = try? LibraryFile(path: path) else { return false }
    return (try? file.bytes(at: 0, count: 4)) == [0x7F, 0x45, 0x4C, 0x46]
  }

  var libraryPath: String {
    if case .success(let engine) = loading { return engine.library }
    return String(name.prefix { $0 != "#" })
  }

  /// The loaded engine, or throws the loading error.
  public var engine: Engine { get throws(HostError) { try loading.get() } }

  /// Bytes; a longer sample is left out of the command.
  static let longestSample = 4_000

  func command(
    for id: String, _ options: ConformanceSuite.Options, sample: LayoutInput?
  ) -> String {
    var words = ["tessera", "check", name] + hostOptions + ["--filter", id]
    if options.level != ConformanceSuite.Options().level {
      words += ["--level", options.level.rawValue]
    }
    words += ["--seed", "\(options.seed)"]
    // The seed reproduces longer samples.
    if let text = sample?.json.line, text.utf8.count < Self.longestSample {
      words += ["--sample", text]
    }
    return words.map(\.shellWord).joined(separator: " ")
  }
}

final class Results: Sendable {
  static let stopped = "another case failed"

  private struct State {
    var nextBatch = 0
    /// The verdict before comparison with other cases, and the final result.
    var entries: [(verdict: Verdict, samples: Int, duration: Duration, result: CaseResult?)?]
    /// The number of leading cases that are reported or held back.
    var settled = 0
    var last: Int?
    var firstMisuse: Int?
    var owner: Int?
    var plainReporter: Int?
    var shortage: HostError?
    /// Calls that hung twice; other cases skip them.
    var hangs: Set<String> = []
  }

  private let cases: [ConformanceCase]
  private let options: ConformanceSuite.Options
  private let report: @Sendable (CaseResult) -> Bool
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

  func next(of count: Int) -> Int? {
    state.withLock { state in
      guard state.nextBatch < count else { return nil }
      state.nextBatch += 1
      return state.nextBatch - 1
    }
  }

  func isWanted(_ index: Int) -> Bool {
    options.skipReason == nil && state.withLock { $0.shortage == nil && index <= $0.last ?? .max }
  }

  var shortage: HostError? { state.withLock(\.shortage) }

  func isKnownHang(_ call: String) -> Bool { state.withLock { $0.hangs.contains(call) } }

  func addHang(_ call: String) { state.withLock { _ = $0.hangs.insert(call) } }

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

  /// An error that prevents a layout fails its owner and skips other cases; without an owner, all
  /// fail.
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

  /// Cases up to the last about memory; their findings wait, since memory errors may explain them.
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

  private func isBlocked(_ index: Int, _ finding: Finding) -> Bool {
    finding.error.map { !cases[index].owns.contains($0.code) } ?? false
  }

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
    where Catalogue.misuse.contains(cases[index].id) && state.firstMisuse == nil:
      state.firstMisuse = index
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

  static let misused = "misuse of memory"

  /// Attributes the finding to a memory error, if one was found.
  private func following(_ finding: Finding, _ state: State) -> Finding {
    var finding = finding
    if state.firstMisuse != nil { finding.cause = Self.misused }
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
  /// Makes a reproducible case from a result.
  public init(_ result: CaseResult, level: CaseLevel, seed: UInt64) {
    let sample = result.verdict.finding?.sample.flatMap {
      try? JSON(parsing: Array($0.json.line.utf8), name: "the sample")
    }
    self.init(id: result.examined.id, level: level.rawValue, seed: "\(seed)", sample: sample)
  }

  /// Runs the case with its sample.
  ///
  /// - Throws: `.invalidInput` for an unknown case, level or seed, or an invalid sample.
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
