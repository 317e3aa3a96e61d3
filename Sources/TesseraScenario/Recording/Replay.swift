/// Makes the calls of a recording again, and compares what they are answered.
public struct Replay {
  /// Makes a session of the engine that is examined.
  public var session: () throws(HostError) -> Session
  /// Examines a case of the conformance suite.
  public var examine: (SuiteCall) throws(HostError) -> SuiteVerdict
  /// How far a number may be off.
  public var tolerance: Double

  /// Calls to sessions of an engine.
  public init(
    tolerance: Double = 0, session: @escaping () throws(HostError) -> Session,
    examine: @escaping (SuiteCall) throws(HostError) -> SuiteVerdict
  ) {
    (self.tolerance, self.session, self.examine) = (tolerance, session, examine)
  }

  /// The first difference; nil: every call was answered as it was recorded.
  ///
  /// A crash is the difference of the call that it came with. A question whose answer was not
  /// recorded differs only where the engine crashes, hangs or breaks the contract. Throws
  /// `.invalidInput` for an answer that no such call can have.
  public func difference(of recording: Recording) throws(HostError) -> Recording.Difference? {
    var session: Session?
    for (index, entry) in recording.entries.enumerated() {
      var verdict: SuiteVerdict?
      let found: Result<JSONValue, HostError>
      do throws(HostError) {
        if case .check(let suite) = entry.call {
          let given = try examine(suite)
          verdict = given
          found = .success(try CallAnswer.verdict(given).json())
        } else {
          if session == nil { session = try self.session() }
          guard let session else { continue }
          found = .success(try entry.call.perform(on: session, examining: examine).json())
        }
      } catch {
        found = .failure(error)
      }
      guard var finding = try entry.finding(found, tolerance) else { continue }
      if let verdict, !verdict.holds {
        finding = .init(expected: verdict.expected, found: verdict.found)
      }
      var failure: HostError.Kind?
      if case .failure(let error) = found { failure = error.kind }
      return Recording.Difference(
        call: index + 1, text: clipped(JSON.object(entry.call.members).line, to: 120),
        finding: finding, failure: failure)
    }
    return nil
  }

  /// The recording with the answers that this engine gives now.
  ///
  /// Throws the first error, whichever call it came with.
  func answered(_ recording: Recording) throws(HostError) -> Recording {
    let session = try session()
    var result = recording
    for (index, entry) in recording.entries.enumerated() {
      let answer = try entry.call.perform(on: session, examining: examine)
      result.entries[index].answer = entry.call.isQuestion ? .value(try answer.json()) : .any
    }
    return result
  }
}

extension Recording.Entry {
  /// What of an answer is not as it was recorded.
  fileprivate func finding(
    _ found: Result<JSONValue, HostError>, _ tolerance: Double
  ) throws(HostError) -> Recording.Finding? {
    switch (answer, found) {
    case (.any, .success): return nil
    case (.any, .failure(let error)):
      guard !call.isQuestion || error.kind == .died || error.kind == .brokenContract else {
        return nil
      }
      return .init(expected: "no error", found: error.message)
    case (.value(let recorded), .success(let found)):
      return try call.difference(from: recorded, found, tolerance: tolerance)
    case (.value, .failure(let error)): return .init(expected: "an answer", found: error.message)
    case (.error(_, let message), .success):
      return .init(expected: "the error \(quoted(message))", found: "no error")
    case (.error(let kind, let message), .failure(let error)):
      let error = RecordedError(error)
      // What the host says may name what differs from machine to machine; what an engine says is its own.
      guard error.kind != kind || kind == "refused" && error.message != message else { return nil }
      return .init(
        what: "error", expected: "\(kind): \(message)", found: "\(error.kind): \(error.message)")
    }
  }
}
