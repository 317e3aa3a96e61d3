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
  /// A session that has laid out other samples of the case, or nil where the sample gets its own.
  private let reused: Session?
  private var kept: Session?
  private var keptElements: Elements?

  init(
    subject: CheckSubject, sample: Sample, level: CaseLevel, random: SeededNumbers,
    coverage: CoverageRecorder, deadline: ContinuousClock.Instant, reusing reused: Session? = nil
  ) {
    self.subject = subject
    self.sample = sample
    self.level = level
    self.random = random
    self.coverage = coverage
    self.deadline = deadline
    self.reused = reused
  }

  /// The engine.
  public var engine: Engine {
    get throws(HostError) { try subject.engine }
  }

  /// Whether the time of the case allows more; loops over chance ask it.
  public var hasTime: Bool { ContinuousClock.now < deadline }

  /// The sample's session: the same one at every call.
  ///
  /// It may have laid out other samples before, since a new one is a new process. What fails on such
  /// a session is examined again on a new one, and only that counts.
  public func session() throws(HostError) -> Session {
    if let kept { return kept }
    if let reused {
      try change(reused, to: sample)
      watch(reused)
      kept = reused
      return reused
    }
    let session = try freshSession(for: sample)
    kept = session
    return session
  }

  /// The session that the next sample may use, if this one used any.
  var leftSession: Session? { kept ?? reused }

  private func watch(_ session: Session) {
    let deadline = deadline
    session.trace = nil
    session.progress = { _ in ContinuousClock.now < deadline }
  }

  /// A session that was given nothing but a sample, for rules in which it matters that it is new.
  public func freshSession(for sample: Sample) throws(HostError) -> Session {
    let session = try subject.session(for: sample)
    watch(session)
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
