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
