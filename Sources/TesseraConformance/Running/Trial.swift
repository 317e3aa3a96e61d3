import Synchronization
import TesseraExamination
import TesseraGeometry
import TesseraHost

/// One run of a case with one sample; violations and host errors become verdicts.
final class Trial {
  let subject: CheckSubject
  let sample: LayoutInput
  let level: CaseLevel
  /// The same for every sample of a case: a shrunk sample gets the same queries.
  var random: SeededNumbers

  let coverage: CoverageRecorder
  let deadline: ContinuousClock.Instant
  /// Reused sessions; nil for a new process each.
  private let pool: SessionPool?
  private let needsPlainLayout: Bool
  /// Why the plain sample fails, if this trial needs it.
  private(set) var plainFailure: HostError?
  private var cachedSession: Session?
  private var cachedElements: Elements?

  init(
    subject: CheckSubject, sample: LayoutInput, level: CaseLevel, random: SeededNumbers,
    coverage: CoverageRecorder, deadline: ContinuousClock.Instant, pool: SessionPool? = nil,
    needsPlainLayout: Bool = false
  ) {
    (self.subject, self.sample, self.level, self.random) = (subject, sample, level, random)
    (self.coverage, self.deadline, self.pool) = (coverage, deadline, pool)
    self.needsPlainLayout = needsPlainLayout
    pool?.beginSample()
  }

  var engine: Engine { get throws(HostError) { try subject.engine } }

  /// Loops over random inputs check this.
  var hasTime: Bool { ContinuousClock.now < deadline }

  /// The same session for every call.
  func session() throws(HostError) -> Session {
    if let cachedSession { return cachedSession }
    let session = try freshSession(for: sample)
    cachedSession = session
    return session
  }

  /// May reuse a process, which is faster; a failure only counts if it recurs in a new one.
  func freshSession(for sample: LayoutInput) throws(HostError) -> Session {
    try requirePlainLayout()
    guard let pool else { return try sessionInNewProcess(for: sample) }
    let session = try pool.session { () throws(HostError) in try Session(engine) }
    return try setUp(session, for: sample)
  }

  func freshSession(for sample: LayoutInput, of engine: Engine) throws(HostError) -> Session {
    guard try engine.description.id != self.engine.description.id else {
      return try freshSession(for: sample)
    }
    return try setUp(Session(engine), for: sample)
  }

  /// The next new layout of this trial can reuse the process.
  func withFreshSession<Result>(
    for sample: LayoutInput, _ body: (Session) throws -> Result
  ) throws -> Result {
    let session = try freshSession(for: sample)
    defer { pool?.takeBack(session) }
    return try body(session)
  }

  func sessionInNewProcess(for sample: LayoutInput) throws(HostError) -> Session {
    try requirePlainLayout()
    return try setUp(Session(engine), for: sample)
  }

  /// A session for rules that static variables may break: for the plain sample, in a new process.
  func untouchedSession() throws(HostError) -> Session {
    try sample == LayoutInput() ? sessionInNewProcess(for: sample) : freshSession(for: sample)
  }

  func requirePlainLayout() throws(HostError) {
    guard needsPlainLayout, let failure = try subject.plainFailure(of: engine) else { return }
    plainFailure = failure
    throw failure
  }

  /// Throws `.died` if the sample's process ends between create and destroy.
  func survive() throws(HostError) {
    let failure =
      sample == LayoutInput()
      ? try subject.plainFailure(of: engine) : try sample.failure(of: engine)
    if let failure { throw failure }
    if sample.itemCount > 0 { coverage.record(sample) }
  }

  private func setUp(_ session: Session, for sample: LayoutInput) throws(HostError) -> Session {
    try change(session, to: sample)
    let deadline = deadline
    session.trace = nil
    session.progress = { _ in ContinuousClock.now < deadline }
    return session
  }

  func unstartedSession(
    for sample: LayoutInput, ofCrashing isOfCrashing: Bool = false
  ) throws(HostError) -> Session {
    if !isOfCrashing { try requirePlainLayout() }
    let session = try Session(engine, startsNow: false)
    try sample.apply(to: session, resetting: true)
    coverage.record(sample)
    return session
  }

  /// Keeps the layout object, as a program would.
  func change(_ session: Session, to sample: LayoutInput) throws(HostError) {
    try sample.apply(to: session, resetting: true)
    coverage.record(sample)
  }

  func elements() throws(HostError) -> Elements {
    if let cachedElements { return cachedElements }
    let elements = try session().elements()
    coverage.record(elements)
    cachedElements = elements
    return elements
  }

  func contentSize() throws(HostError) -> Size { try session().contentSize() }

  func image() throws(HostError) -> LayoutImage { try LayoutImage(session(), elements()) }

  func call(_ session: Session, _ name: String, _ arguments: [Value]) throws(HostError) -> Value {
    let result = try session.call(name, arguments)
    coverage.record(.functions, [name])
    return result
  }

  func require(
    _ condition: Bool, expected: @autoclosure () -> String, found: @autoclosure () -> String,
    isWarning: @autoclosure () -> Bool = false, remedy: @autoclosure () -> String? = nil
  ) throws(Violation) {
    guard !condition else { return }
    throw Violation(
      expected: expected(), found: found(), isWarning: isWarning(), remedy: remedy())
  }

  /// The contract identifies a wrong value only by its name in the message; nil for any.
  func requireRefusal(
    _ error: HostError, naming names: [String]?, expected: @autoclosure () -> String
  ) throws {
    guard error.code == .refusedByEngine else { throw error }
    try require(
      names?.contains { error.sentence.contains($0) } ?? true, expected: expected(),
      found: "the refusal \"\(error.message)\"")
  }

  /// Compares exactly; the message says "the same CONTEXT".
  func requireSame(
    _ found: LayoutImage, as expected: LayoutImage, _ context: String, remedy: String? = nil
  ) throws(Violation) {
    guard let difference = expected.difference(from: found) else { return }
    throw Violation(
      expected: "the same \(context): \(difference.expected)", found: difference.found,
      pictures: (expected: expected, found: found), remedy: remedy)
  }

  func remedyOfKeeping() throws(HostError) -> String? {
    guard try engine.traits.contains(.incremental) else { return nil }
    return
      "Keep only rows before the first item that `change` names, with the same parameters and bounds, and at "
      + "most `kept` of them; place all later ones again, and sum up again from there, the content size too"
  }
}

/// Fails if an examination of the sample finds a problem.
func noProblem(
  _ examination: Examination, expected: String
) -> @Sendable (Trial) throws -> Void {
  { try $0.requireNoProblem(examination, expected: expected) }
}

extension Trial {
  func examine(
    _ examination: Examination, _ number: Int = 0, of sample: LayoutInput? = nil,
    with others: [LayoutInput] = []
  ) throws(HostError) -> ExaminationReport {
    let isOfCrashing = examination == .memory
    let session = try unstartedSession(for: sample ?? self.sample, ofCrashing: isOfCrashing)
    let sessions = try others.map { other throws(HostError) in
      try unstartedSession(for: other, ofCrashing: isOfCrashing)
    }
    guard let report = try session.examine(examination, number, with: sessions) else {
      throw HostError(
        .notExamined, "the engine runs in this process; run it in a process of its own")
    }
    return report
  }

  func processReport() throws(HostError) -> ExaminationReport {
    try requirePlainLayout()
    let report = subject.processReport.value {
      Result { () throws(HostError) in try examine(.process) }
    }
    return try report.get()
  }

  func requireNoProblem(
    _ examination: Examination, _ number: Int = 0, of sample: LayoutInput? = nil,
    with others: [LayoutInput] = [], expected: String
  ) throws {
    let report = try examine(examination, number, of: sample, with: others)
    let problem = report.misuse?.sentence ?? report.problem
    try require(problem == nil, expected: expected, found: problem ?? "")
  }

  func sampling() throws(HostError) -> Sampling { sampling(for: try engine) }

  func sampling(for engine: Engine, _ random: SeededNumbers? = nil) -> Sampling {
    Sampling(for: engine, random: random ?? self.random, lists: subject.lists(of: engine))
  }

  var otherData: LayoutInput {
    guard sample.itemCount <= 5000 else {
      return sample.with(counts: sample.counts.map { max(0, $0 - 1) })
    }
    let other = sample.with(counts: Array(sample.counts.reversed()) + [7])
    guard let engine = try? engine else { return other }
    var sampling = sampling(for: engine)
    // The engine refuses references to missing records.
    for _ in 0..<24 {
      var drawn = other
      sampling.fillValues(&drawn)
      let isRefused = try? withFreshSession(for: drawn) { try !isLaidOut($0) }
      guard isRefused == true else { return drawn }
    }
    return other
  }

  /// Memory errors with the sample and others in the same layout; made once in a run.
  func memoryReport() throws(HostError) -> ExaminationReport {
    try subject.memoryReport(of: sample) { () throws(HostError) in
      // A fixed seed lets the cases share the report.
      var sampling = sampling(for: try engine, SeededNumbers(seed: 1, name: "memory"))
      var other = sampling.full()
      other.delegate = [:]
      let larger = sample.with(counts: sample.counts.map { 2 * $0 + 9 } + [3])
      let smaller = sample.with(counts: [1])
      return try examine(.memory, with: [larger, smaller, other])
    }
  }

  var unrelatedInput: LayoutInput {
    get throws(HostError) {
      var sampling = try sampling()
      var other = sampling.full()
      other.delegate = sample.delegate
      return other
    }
  }

  var companion: LayoutInput {
    var other = LayoutInput(counts: [4, 0, 9])
    other.parameters = sample.parameters
    other.lists = sample.lists
    other.bounds.width = 288
    other.bounds.height = 512
    other.scale = sample.scale == 1 ? 2 : 1
    return other
  }
}

extension LayoutInput {
  /// Whether sums or quotients of a few values may overflow.
  var hasFarNumbers: Bool {
    (sectionValues.values.map { ($0, counts.count) } + itemValues.values.map { ($0, itemCount) })
      .contains { column, count in
        (0..<(column.count ?? min(1, count))).contains { column[$0].isFar }
      }
  }
}

extension HostError {
  /// A refusal with a reason, which the contract allows.
  var isRefusal: Bool { kind == .refused && code != .refusedWithoutReason }
}

extension Value {
  /// Whether sums or quotients of a few such numbers may overflow.
  var isFar: Bool { numbers.contains { $0.magnitude > 1e149 || $0 != 0 && $0.magnitude < 1e-149 } }
}

extension CaseNeed {
  static let process = CaseNeed(reason: "it does not run in a process of its own") {
    $0.hasOwnProcess
  }
}

extension SampleSet {
  static let everyParameter = SampleSet { sampling, level in
    (0..<max(3, level.sampleCount / 6)).map { _ in
      LayoutInput().with { sampling.fillParameters(&$0) }
    }
  }

  static let few = SampleSet { sampling, level in
    [LayoutInput(), LayoutInput(counts: [3, 0, 5])] + sampling.withLists([[6, 0, 3]])
      + (0..<level.sampleCount / 6).map { _ in sampling.usual() }
  }
}

/// A lazily made value; other threads wait for the first.
final class Shared<Value: Sendable>: Sendable {
  private let known = Mutex<Value?>(nil)

  func value(_ make: () -> Value) -> Value {
    known.withLock { known in
      let value = known ?? make()
      known = value
      return value
    }
  }

  func withLock<Result: Sendable>(_ body: (inout Value?) -> Result) -> Result {
    known.withLock { body(&$0) }
  }
}

typealias SharedReport = Shared<Result<ExaminationReport, HostError>>

extension CheckSubject {
  fileprivate func memoryReport(
    of sample: LayoutInput, _ make: () throws(HostError) -> ExaminationReport
  ) throws(HostError) -> ExaminationReport {
    let shared = memoryReports.withLock { known in
      let report = known?[sample] ?? SharedReport()
      known = (known ?? [:]).merging([sample: report]) { $1 }
      return report
    }
    do throws(HostError) {
      return try shared.value { Result { () throws(HostError) in try make() } }.get()
    } catch {
      // A busy machine may only be slow.
      if error.code == .hung {
        memoryReports.withLock { if $0?[sample] === shared { $0?[sample] = nil } }
      }
      throw error
    }
  }

  /// How the plain sample ends the engine's process, or nil; most cases would fail alike.
  func plainFailure(of engine: Engine) -> HostError? {
    plainLayout.value {
      // A busy machine may only be slow.
      LayoutInput().failure(of: engine).flatMap { first in
        first.code == .hung ? LayoutInput().failure(of: engine) : first
      }
    }
  }

  func plainCell(of engine: Engine) -> Size {
    guard plainFailure(of: engine) == nil else { return .zero }
    return plainCell.value {
      let session = try? Session(engine)
      try? session.map { session throws(HostError) in try LayoutInput().apply(to: session) }
      let first = try? session?.elements().first { $0.identity.category == .cell }
      let frame = first?.frame ?? .zero
      return Size(width: frame.width, height: frame.height)
    }
  }

  func lists(of engine: Engine) -> [String: [RecordList]] {
    acceptedLists.value { engine.acceptedLists }
  }
}

extension LayoutInput {
  fileprivate func failure(of engine: Engine) -> HostError? {
    do throws(HostError) {
      let session = try Session(engine)
      try apply(to: session, resetting: true)
      do throws(HostError) { _ = try session.elements() } catch  where error.kind != .died {}
      try session.renew()
      return nil
    } catch { return error.kind == .died ? error : nil }
  }
}

/// Reuses processes: a new layout takes a hundredth of the time of a new process.
final class SessionPool {
  private var sessions: [Session] = []
  private var usedCount = 0
  private var isClosed = false

  private static let capacity = 12

  private(set) var hasReused = false

  func beginSample() { (usedCount, hasReused) = (0, false) }

  func takeBack(_ session: Session) {
    if usedCount > 0, usedCount <= sessions.count, sessions[usedCount - 1] === session {
      usedCount -= 1
    }
  }

  /// Two layouts of a comparison must not share process state.
  func session(_ make: () throws(HostError) -> Session) throws(HostError) -> Session {
    if usedCount < sessions.count {
      let session = sessions[usedCount]
      usedCount += 1
      hasReused = true
      if (try? session.renew()) != nil { return session }
      // Other cases report why the process ended; retrying each sample takes too long.
      isClosed = true
      sessions = []
    }
    let session = try make()
    if !isClosed, sessions.count < Self.capacity {
      sessions.append(session)
      usedCount = sessions.count
    }
    return session
  }
}

extension Trial {
  /// Each function returns the last bit of the sum of its arguments and a number.
  func setDelegate(
    of session: Session, adding number: Int,
    called: @escaping (String, CallArguments) -> Void = { _, _ in }
  ) throws(HostError) {
    for function in session.engine.delegateFunctions {
      let result = try function.parsedSignature.result
      try session.setDelegate(function) { arguments in
        called(function.name, arguments)
        let sum = (0..<arguments.count).reduce(Int64(number)) {
          $0 &+ (arguments.integer(at: $1) ?? 0)
        }
        return result.filled(with: Double(sum & 1))
      }
    }
  }
}

extension Session {
  func setDelegate(
    _ function: FunctionDescription, _ answer: @escaping (CallArguments) -> Value
  ) throws(HostError) {
    try setDelegate(
      function.name,
      DelegateFunction(function.name, function.parsedSignature) { arguments throws(HostError) in
        answer(arguments)
      })
  }
}

extension ValueType {
  /// The limits and 0; for floating-point types, lengths larger than any screen.
  var extremes: [Value] {
    if isWhole {
      let range = component == .signed ? [0, signedRange.lowerBound, signedRange.upperBound] : [0]
      let highest = component == .unsigned ? [Value.unsigned(unsignedMaximum)] : []
      return range.compactMap { Value.integer($0).converted(to: self) } + highest
    }
    if self == .bool { return [.bool(false), .bool(true)] }
    return self == .void ? [] : [0, 1e12, -1e12, 1e308].map(filled).filter { $0 != .void }
  }

  fileprivate func filled(with number: Double) -> Value {
    Value(type: self, finite: Array(repeating: number, count: width)) ?? .void
  }
}

final class CallLog: Sendable {
  private let lines = Mutex<[String]>([])

  func append(_ line: String) { lines.withLock { $0.append(line) } }

  var all: [String] { lines.withLock(\.self) }

  func clear() { lines.withLock { $0 = [] } }

  var hasPrepared: Bool { lines.withLock { $0.contains { $0.contains("prepare(") } } }

  func count(of call: String) -> Int { lines.withLock { $0.count { $0.hasPrefix("\(call)(") } } }

  func microseconds(of calls: String...) -> Double {
    lines.withLock { lines in
      lines.lazy.filter { line in calls.contains { line.hasPrefix("\($0)(") } }
        .compactMap { $0.split(separator: " ").dropLast().last.flatMap { Double($0) } }
        .reduce(0, +)
    }
  }
}
