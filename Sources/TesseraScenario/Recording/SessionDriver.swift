/// Applies input to a session, asks it, and records both if there is a recorder.
public final class SessionDriver {
  /// The session.
  public let session: Session
  private let recorder: SessionRecorder?
  /// The parameters that the last scenario has set.
  public private(set) var parameters: [String: Value] = [:]

  /// Creates a driver with an optional recorder.
  public init(_ session: Session, recorder: SessionRecorder? = nil) {
    (self.session, self.recorder) = (session, recorder)
  }

  /// Applies a scenario, and returns notes for the user; throws as `Scenario.resolved(for:)`.
  ///
  /// - Parameter resetting: As of `LayoutInput.apply(to:resetting:)`.
  public func fill(
    from scenario: Scenario, resetting: Bool = false
  ) throws(HostError) -> [String] {
    let (input, notes) = try scenario.resolved(for: session.engine.chain)
    parameters = input.parameters
    try apply(input, resetting: resetting)
    return notes
  }

  func apply(_ input: LayoutInput, resetting: Bool) throws(HostError) {
    if resetting {
      let chain = session.engine.chain
      for name in Vocabulary(chain).settableParameters.sorted()
      where input.parameters[name] == nil {
        try session.resetParameter(name)
      }
      for list in chain.flatMap(\.lists) where input.lists[list.name] == nil {
        try session.setList(list.name, to: nil)
      }
      for function in chain.flatMap(\.delegateFunctions) {
        try session.setDelegate(function.name, nil)
      }
      session.measure = nil
    }
    for change in input.changes() { try ask(.set(change)) }
  }

  /// Performs a call other than a case of the conformance suite.
  @discardableResult
  public func ask(_ call: SessionCall) throws(HostError) -> CallAnswer {
    do throws(HostError) {
      let answer = try perform(call)
      recorder?.note(call, .success(answer))
      return answer
    } catch {
      recorder?.note(call, .failure(error))
      throw error
    }
  }

  private func perform(_ call: SessionCall) throws(HostError) -> CallAnswer {
    switch call {
    case .set(let change): try session.set(change)
    case .contentSize: return .value(.size(try session.contentSize()))
    case .elements(nil): return .elements(try session.elements())
    case .elements(let rect?): return .elements(try session.elements(in: rect))
    case .visibleElements: return .elements(try session.visibleElements())
    case .element(let identity):
      var known = Set<String>()
      let attributes = session.engine.chain.flatMap(\.attributes)
        .filter { known.insert($0.name).inserted }
      return .element(try session.element(identity), attributes)
    case .snap(let proposed, let velocity):
      return .value(.point(try session.restingOffset(for: proposed, velocity: velocity)))
    case .function(let name, let texts):
      return .value(try session.call(name, try arguments(texts, of: name)))
    case .update(let operations, let counts, let changes):
      let batch = try UpdateBatch(operations, before: session.itemCounts, after: counts)
      return .animation(
        try session.update(batch) { session throws(HostError) in
          for change in changes { try session.set(change) }
        })
    case .close: try session.close()
    case .check: break
    }
    return .done
  }

  private func arguments(_ texts: [String], of name: String) throws(HostError) -> [Value] {
    let functions = session.engine.chain.flatMap(\.publishedFunctions)
    guard let function = functions.first(where: { $0.name == name }) else { return [] }
    let types = try function.parsedSignature.arguments
    guard types.count == texts.count else {
      throw HostError(
        .wrongCount,
        "\(name) takes \(counted(types.count, "argument")) but was given \(texts.count)")
    }
    var values: [Value] = []
    for (text, type) in zip(texts, types) {
      guard let value = Value(type: type, text: text) else {
        throw HostError(
          .invalidValue, "an argument of \(name) is \(quoted(text)); expected \(type.expectation)")
      }
      values.append(value)
    }
    return values
  }
}

/// The answer of a call.
public enum CallAnswer {
  case done
  /// A size, a point, or a function's result.
  case value(Value)
  case elements(Elements)
  case element(Element?, [AttributeDescription])
  case animation(LayoutAnimation)
  /// Nil if the rule held.
  case verdict(LayoutDifference?)

  /// Nothing for `done`.
  fileprivate func append(to output: inout TextBuffer) {
    switch self {
    case .done: break
    case .value(let value): output.append(JSON(recorded: value))
    case .elements(let elements):
      output.append(UInt8(ascii: "["))
      for place in elements.indices {
        if place > 0 { output.append(UInt8(ascii: ",")) }
        output.append(elements[place], attributes: elements.attributes)
      }
      output.append(UInt8(ascii: "]"))
    case .element(nil, _): output.append("null" as StaticString)
    case .element(let element?, let attributes): output.append(element, attributes: attributes)
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

  fileprivate func note(_ call: SessionCall, _ answer: Result<CallAnswer, HostError>) {
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
