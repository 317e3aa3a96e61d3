/// A session whose calls may be recorded.
public final class RecordedSession {
  /// The session.
  public let session: Session
  private let recorder: SessionRecorder?
  /// The parameters that a scenario has set.
  public private(set) var parameters: [String: Value] = [:]

  /// Creates a session with an optional recorder.
  public init(_ session: Session, recorder: SessionRecorder? = nil) {
    (self.session, self.recorder) = (session, recorder)
  }

  /// Applies a scenario to the session, as `Scenario.apply(to:)`.
  public func fill(from scenario: Scenario) throws(HostError) -> [String] {
    let (input, notes) = try scenario.resolved(for: session.engine.chain)
    parameters = input.parameters
    for change in input.changes() {
      do throws(HostError) { try session.set(change) } catch {
        recorder?.note(.set(change), .failure(error))
        throw error
      }
      recorder?.note(.set(change))
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
  public func call(_ name: String, _ arguments: [Value]) throws(HostError) -> Value {
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

/// Records calls with their results.
public final class SessionRecorder {
  private var output = TextBuffer()

  /// Starts a recording.
  public init(_ header: Recording.Header) { append(header.json) }

  /// The lines so far, in UTF-8.
  public var bytes: [UInt8] { output.bytes }

  /// Records a call without a session, or whose result is not compared.
  public func note(_ call: SessionCall) { append(.object(call.members)) }

  /// Records a case of the conformance suite whose rule must hold.
  public func noteRule(_ call: SuiteCall) { note(.check(call), .success(.verdict(nil))) }

  func note(_ call: SessionCall, _ answer: Result<CallAnswer, HostError>) {
    output.append(.object(call.members))
    output.removeLast()
    switch answer {
    case .success(.done): break
    case .success(let answer):
      output.append(",\"answer\":" as StaticString)
      answer.append(to: &output)
    case .failure(let error):
      output.append(",\"error\":" as StaticString)
      output.append(error.recorded)
    }
    output.append("}\n" as StaticString)
  }

  private func append(_ value: JSON) {
    output.append(value)
    output.append(UInt8(ascii: "\n"))
  }
}

enum CallAnswer {
  case done
  case size(Size)
  case point(Point)
  case elements(Elements)
  case element(Element?, [AttributeDescription])
  case value(Value)
  case animation(LayoutAnimation)
  /// Nil if the rule held.
  case verdict(LayoutDifference?)

  /// Nothing for `done`.
  func append(to output: inout TextBuffer) {
    switch self {
    case .done: break
    case .size(let size): output.append(list: [size.width, size.height])
    case .point(let point): output.append(list: [point.x, point.y])
    case .elements(let elements):
      output.append(UInt8(ascii: "["))
      for place in elements.indices {
        if place > 0 { output.append(UInt8(ascii: ",")) }
        output.append(elements[place], attributes: elements.attributes)
      }
      output.append(UInt8(ascii: "]"))
    case .element(nil, _): output.append("null" as StaticString)
    case .element(let element?, let attributes): output.append(element, attributes: attributes)
    case .value(let value): output.append(JSON(recorded: value))
    case .animation(let animation):
      TrackWriter(animation).write { bytes in
        bytes.filter { $0 != UInt8(ascii: "\n") }.withUnsafeBytes { output.append($0) }
      }
    case .verdict(let difference):
      output.append(.object([("holds", .bool(difference == nil))]))
    }
  }

  func json() throws(HostError) -> JSON {
    var output = TextBuffer()
    append(to: &output)
    let bytes = output.bytes
    return bytes.isEmpty ? .null : try JSON(parsing: bytes, name: "the answer")
  }
}
