import Foundation
import Synchronization
import TesseraHost

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
