/// A session whose calls are taken down where there is a recorder, and which is nothing but the
/// session where there is none.
public final class RecordedSession {
  /// The session.
  public let session: Session
  private let recorder: SessionRecorder?

  /// A session, and who takes down what becomes of it.
  public init(_ session: Session, recorder: SessionRecorder? = nil) {
    (self.session, self.recorder) = (session, recorder)
  }

  /// Gives the session everything that a scenario says, as `Scenario.apply(to:)`.
  public func fill(from scenario: Scenario) throws(HostError) -> [String] {
    guard let recorder else { return try scenario.apply(to: session) }
    let (calls, notes) = try scenario.calls(for: session.engine.chain)
    for call in calls {
      do throws(HostError) { try call.set(on: session) } catch {
        recorder.note(call, .failure(error))
        throw error
      }
      recorder.note(call)
    }
    return notes
  }

  /// As `Session.contentSize`.
  public func contentSize() throws(HostError) -> Size {
    try ask(.contentSize, { .size($0) }) { () throws(HostError) in try session.contentSize() }
  }

  /// As `Session.elements`.
  public func elements() throws(HostError) -> Elements {
    try ask(.elements(in: nil), { .elements($0) }) { () throws(HostError) in
      try session.elements()
    }
  }

  /// As `Session.elements(in:)`.
  public func elements(in rect: Rect) throws(HostError) -> Elements {
    try ask(.elements(in: rect), { .elements($0) }) { () throws(HostError) in
      try session.elements(in: rect)
    }
  }

  /// As `Session.visibleElements`.
  public func visibleElements() throws(HostError) -> Elements {
    try ask(.visibleElements, { .elements($0) }) { () throws(HostError) in
      try session.visibleElements()
    }
  }

  /// As `Session.restingOffset(for:velocity:)`.
  public func restingOffset(for proposed: Point, velocity: Point) throws(HostError) -> Point {
    try ask(.snap(proposed, velocity: velocity), { .point($0) }) { () throws(HostError) in
      try session.restingOffset(for: proposed, velocity: velocity)
    }
  }

  /// As `Session.call`.
  public func call(_ name: String, _ arguments: [CallValue]) throws(HostError) -> CallValue {
    try ask(.function(name, arguments.map(\.description)), { .value($0) }) {
      () throws(HostError) in try session.call(name, arguments)
    }
  }

  /// As `ResolvedUpdate.apply(to:)`.
  public func apply(_ update: ResolvedUpdate) throws(HostError) -> LayoutAnimation {
    try ask(update.call, { .animation($0) }) { () throws(HostError) in
      try update.apply(to: session)
    }
  }

  /// As `Session.close`.
  public func close() throws(HostError) {
    try ask(.close, { .done }) { () throws(HostError) in try session.close() }
  }

  /// Asks, and takes it down; the call and the answer are not even made where nobody does.
  private func ask<Answer>(
    _ call: @autoclosure () -> SessionCall, _ recorded: (Answer) -> CallAnswer,
    _ question: () throws(HostError) -> Answer
  ) throws(HostError) -> Answer {
    guard let recorder else { return try question() }
    do throws(HostError) {
      let answer = try question()
      recorder.note(call(), .success(recorded(answer)))
      return answer
    } catch {
      recorder.note(call(), .failure(error))
      throw error
    }
  }
}
