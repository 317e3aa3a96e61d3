import Synchronization
import TesseraGeometry
import TesseraHost

/// One examination of the engine with one sample: what a case's function is given.
///
/// It makes sessions, keeps what the first one answered, and takes down what of the engine was
/// touched. A rule that does not hold is thrown as a `Violation`; errors of the host are let through
/// and become the verdict that suits them.
public final class Trial {
  /// The engine under test.
  public let subject: CheckSubject
  /// The input.
  public let sample: Sample
  /// The level of the run, for cases that do more at a higher one.
  public let level: CaseLevel
  /// Chance, the same for every sample of a case: a smaller sample is asked the same questions.
  public var random: SeededNumbers

  let coverage: CoverageRecorder
  let deadline: ContinuousClock.Instant
  /// Sessions that earlier samples of the case have used; nil where each is to be new.
  private let pool: SessionPool?
  private var kept: Session?
  private var keptElements: Elements?

  init(
    subject: CheckSubject, sample: Sample, level: CaseLevel, random: SeededNumbers,
    coverage: CoverageRecorder, deadline: ContinuousClock.Instant, pool: SessionPool? = nil
  ) {
    self.subject = subject
    self.sample = sample
    self.level = level
    self.random = random
    self.coverage = coverage
    self.deadline = deadline
    self.pool = pool
    pool?.beginSample()
  }

  /// The engine.
  public var engine: Engine {
    get throws(HostError) { try subject.engine }
  }

  /// Whether the time of the case allows more; loops over chance ask it.
  public var hasTime: Bool { ContinuousClock.now < deadline }

  /// The sample's session: the same one at every call.
  public func session() throws(HostError) -> Session {
    if let kept { return kept }
    let session = try freshSession(for: sample)
    kept = session
    return session
  }

  /// A session with a new layout that was given nothing but a sample, for rules in which it matters
  /// that it is new.
  ///
  /// Its process may have laid out earlier samples, since a new one takes long. What fails there is
  /// examined again in new ones, and only that counts.
  public func freshSession(for sample: Sample) throws(HostError) -> Session {
    guard let pool else { return try ownSession(for: sample) }
    let session = try pool.session { () throws(HostError) in try Session(engine) }
    return try given(sample, to: session)
  }

  /// A session in a process that had no other layout.
  func ownSession(for sample: Sample) throws(HostError) -> Session {
    try given(sample, to: Session(engine))
  }

  private func given(_ sample: Sample, to session: Session) throws(HostError) -> Session {
    try change(session, to: sample)
    let deadline = deadline
    session.trace = nil
    session.progress = { _ in ContinuousClock.now < deadline }
    return session
  }

  /// A session that only carries a sample, for a look into a process that is started for it.
  func carrier(of sample: Sample) throws(HostError) -> Session {
    let session = try Session(engine, startsNow: false)
    try sample.apply(to: session)
    coverage.record(sample)
    return session
  }

  /// Changes a session to another sample, as a user's host would: nothing is made anew.
  public func change(_ session: Session, to sample: Sample) throws(HostError) {
    try sample.apply(to: session)
    coverage.record(sample)
  }

  /// All elements of the sample's session.
  public func elements() throws(HostError) -> Elements {
    if let keptElements { return keptElements }
    let elements = try session().elements()
    coverage.record(elements)
    keptElements = elements
    return elements
  }

  /// How large the content of the sample's session is.
  public func contentSize() throws(HostError) -> Size { try session().contentSize() }

  /// All that the sample's session answers.
  public func image() throws(HostError) -> LayoutImage {
    let elements = try elements()
    return LayoutImage(
      contentSize: try contentSize(), elements: Array(elements),
      viewport: try session().visibleRect, attributeNames: elements.attributes.map(\.name))
  }

  /// Calls a function that the engine publishes.
  public func call(
    _ session: Session, _ name: String, _ arguments: [CallValue]
  ) throws(HostError) -> CallValue {
    let result = try session.call(name, arguments)
    coverage.recordCall(name)
    return result
  }

  /// Throws where a condition does not hold.
  public func require(
    _ condition: Bool, expected: @autoclosure () -> String, found: @autoclosure () -> String
  ) throws(Violation) {
    guard !condition else { return }
    throw Violation(expected: expected(), found: found())
  }

  /// Throws where a layout is not another to the last bit, with the first difference and both to be
  /// drawn.
  public func requireSame(
    _ found: LayoutImage, as expected: LayoutImage, _ what: String
  ) throws(Violation) {
    guard let difference = expected.difference(from: found) else { return }
    throw Violation(
      expected: "\(what): \(difference.expected)", found: difference.found,
      pictures: Violation.Pictures(expected: expected, found: found))
  }
}

extension Trial {
  /// Looks at the engine from inside a process of its own, with the sample and others.
  public func examine(
    _ examination: Examination, with others: [Sample] = []
  ) throws(HostError) -> ExaminationReport {
    let session = try carrier(of: sample)
    var sessions: [Session] = []
    for other in others { sessions.append(try carrier(of: other)) }
    guard let report = try session.examine(examination, with: sessions) else {
      throw HostError(.refused, "the engine runs in this process; run it in one of its own")
    }
    return report
  }

  /// The process of a layout of a plain sample from its start to its end, looked at once in a run.
  func processReport() throws(HostError) -> ExaminationReport {
    try subject.processReport.report { () throws(HostError) in try examine(.process) }
  }

  /// Throws where an examination found something wrong.
  func requireNoProblem(
    _ examination: Examination, with others: [Sample] = [], expected: String
  ) throws {
    let problem = try examine(examination, with: others).problem
    try require(problem == nil, expected: expected, found: problem ?? "")
  }

  /// Another sample, of other bounds and counts, for a layout beside this one.
  var companion: Sample {
    var other = Sample(counts: [4, 0, 9])
    other.parameters = sample.parameters
    other.bounds.width = 288
    other.bounds.height = 512
    other.scale = sample.scale == 1 ? 2 : 1
    return other
  }
}

extension CaseNeed {
  /// The engine runs in a process of its own, which can be looked into.
  static let process = CaseNeed(reason: "it runs in this process, not in one of its own") {
    $0.hasOwnProcess
  }
}

extension SampleSet {
  /// Random values for every parameter, and nothing else.
  static let everyParameter = SampleSet { sampling, level in
    (0..<max(3, level.sampleCount / 6)).map { _ in
      var sample = Sample()
      for parameter in sampling.engine.settableParameters {
        sample.parameters[parameter.name] = sampling.value(of: parameter)
      }
      return sample
    }
  }

  /// Two that are fixed, and some random ones.
  static let few = SampleSet { sampling, level in
    [Sample(), Sample(counts: [3, 0, 5])]
      + (0..<level.sampleCount / 6).map { _ in sampling.usual() }
  }
}

/// A report that several cases look at, made for the first of them.
final class SharedReport: Sendable {
  private let known = Mutex<Result<ExaminationReport, HostError>?>(nil)

  func report(
    _ make: () throws(HostError) -> ExaminationReport
  ) throws(HostError) -> ExaminationReport {
    let result = known.withLock { known in
      let result = known ?? Result { () throws(HostError) in try make() }
      known = result
      return result
    }
    return try result.get()
  }
}

/// Sessions that the samples of a case use one after the other, each with a new layout.
///
/// A new layout in a process that is there takes a hundredth of the time that a new process does.
final class SessionPool {
  private var sessions: [Session] = []
  private var usedCount = 0
  private var isClosed = false

  /// How many processes are kept at once.
  private static let most = 12

  /// Whether nothing has been used yet, so that every session it gives is a new one.
  var isNew: Bool { sessions.isEmpty }

  /// Begins with the next sample.
  func beginSample() { usedCount = 0 }

  /// A session with a new layout, in a process that this sample has not used: what a process keeps
  /// beside its layouts must not be compared with itself.
  func session(
    _ make: () throws(HostError) -> Session
  ) throws(HostError) -> Session {
    if usedCount < sessions.count {
      let session = sessions[usedCount]
      usedCount += 1
      if (try? session.renew()) != nil { return session }
      // Its end is the business of the cases that look at it; here it would cost time and again.
      isClosed = true
      sessions = []
    }
    let session = try make()
    if !isClosed, sessions.count < Self.most {
      sessions.append(session)
      usedCount = sessions.count
    }
    return session
  }
}

/// Counts how often an engine calls the functions of a session.
final class CountedAnswers {
  /// One function.
  final class Count {
    var calls = 0
  }

  private var counts: [String: Count] = [:]

  /// The count of a function by its name.
  subscript(name: String) -> Count {
    if let count = counts[name] { return count }
    let count = Count()
    counts[name] = count
    return count
  }
}

extension Trial {
  /// Answers every delegate function with 0 and 1 in turn, by the sum of its arguments and a number.
  func answer(_ session: Session, adding number: Int) throws(HostError) -> CountedAnswers {
    let answers = CountedAnswers()
    for function in session.engine.delegateFunctions {
      let signature = try function.parsedSignature
      let count = answers[function.name]
      try session.setDelegate(
        function.name,
        DelegateFunction(function.name, signature) { arguments throws(HostError) in
          count.calls += 1
          return signature.result.answer(to: arguments, adding: number)
        })
    }
    return answers
  }
}

extension SignatureType {
  /// 0 or 1, in every component, by the sum of some arguments and a number.
  fileprivate func answer(to arguments: CallArguments, adding number: Int) -> CallValue {
    var sum = Int64(number)
    for place in 0..<arguments.count { sum &+= arguments.integer(at: place) ?? 0 }
    return filled(with: Double(sum & 1))
  }

  /// The least and the greatest values, and 0; of numbers with a fraction, lengths beyond any screen.
  var extremes: [CallValue] {
    switch self {
    case .void: []
    case .bool: [.bool(false), .bool(true)]
    case .u8: [.unsigned(0), .unsigned(UInt64(UInt8.max))]
    case .u16: [.unsigned(0), .unsigned(UInt64(UInt16.max))]
    case .u32: [.unsigned(0), .unsigned(UInt64(UInt32.max))]
    case .u64: [.unsigned(0), .unsigned(.max)]
    case .i8: [.signed(0), .signed(Int64(Int8.min)), .signed(Int64(Int8.max))]
    case .i16: [.signed(0), .signed(Int64(Int16.min)), .signed(Int64(Int16.max))]
    case .i32: [.signed(0), .signed(Int64(Int32.min)), .signed(Int64(Int32.max))]
    case .i64: [.signed(0), .signed(.min), .signed(.max)]
    case .f32, .f64, .point, .size, .rect, .insets: [0, 1e12, -1e12].map(filled)
    }
  }

  /// The value whose every component is a number that all types hold.
  private func filled(with number: Double) -> CallValue {
    let count = self == .void ? 0 : max(1, components.count)
    return CallValue(type: self, numbers: Array(repeating: number, count: count)) ?? .void
  }
}

/// Takes down which calls into an engine a session traces.
final class CallLog: Sendable {
  private let lines = Mutex<[String]>([])

  func note(_ line: String) { lines.withLock { $0.append(line) } }

  /// Forgets what was taken down.
  func clear() { lines.withLock { $0 = [] } }

  /// Whether the engine was asked to prepare.
  var hasPrepared: Bool { lines.withLock { $0.contains { $0.contains("prepare(") } } }

  /// How often a function of the engine was called.
  func count(of call: String) -> Int {
    lines.withLock { $0.count { $0.hasPrefix("\(call)(") } }
  }

  /// How long the engine took for its calls of some functions, in microseconds.
  func microseconds(of calls: String...) -> Double {
    lines.withLock { lines in
      lines.lazy.filter { line in calls.contains { line.hasPrefix("\($0)(") } }
        .compactMap { $0.split(separator: " ").dropLast().last.flatMap { Double($0) } }
        .reduce(0, +)
    }
  }
}
