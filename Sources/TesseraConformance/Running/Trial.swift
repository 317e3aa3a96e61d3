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
  private var kept: Session?
  private var keptElements: Elements?

  init(
    subject: CheckSubject, sample: Sample, level: CaseLevel, random: SeededNumbers,
    coverage: CoverageRecorder, deadline: ContinuousClock.Instant
  ) {
    self.subject = subject
    self.sample = sample
    self.level = level
    self.random = random
    self.coverage = coverage
    self.deadline = deadline
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

  /// A session that was given nothing but a sample.
  public func freshSession(for sample: Sample) throws(HostError) -> Session {
    let session = try subject.session(for: sample)
    let deadline = deadline
    session.progress = { _ in ContinuousClock.now < deadline }
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
