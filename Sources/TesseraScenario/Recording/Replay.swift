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

extension SessionCall {
  /// Refuses an answer that no such call can have.
  func check(_ answer: Recording.Answer) throws(HostError) {
    guard case .value(let value) = answer else { return }
    _ = try difference(from: value, value, tolerance: 0)
  }

  /// The first difference of what was found from what was recorded; nil: none.
  ///
  /// Throws `.invalidInput` for an answer that no such call can have.
  func difference(
    from recorded: JSONValue, _ found: JSONValue, tolerance: Double
  ) throws(HostError) -> Recording.Finding? {
    let left = JSONNode(value: recorded, path: "answer")
    let right = JSONNode(value: found, path: "answer")
    switch self {
    case .contentSize:
      return try numbers("contentSize", left, right, ValueType.size.components, tolerance)
    case .snap: return try numbers("offset", left, right, ValueType.point.components, tolerance)
    case .elements, .visibleElements: return try elements(left, right, tolerance)
    case .element(let identity):
      let name = LayoutDocument.Entry.name(of: identity)
      switch (recorded, found) {
      case (.null, .null): return nil
      case (.null, _):
        return .init(element: name, expected: "none", found: try LayoutDocument.Entry(right).place)
      case (_, .null):
        return .init(element: name, expected: try LayoutDocument.Entry(left).place, found: "none")
      default:
        return try Self.first(
          try LayoutDocument.Entry(left), try LayoutDocument.Entry(right), name, tolerance)
      }
    case .function: return value(recorded, found, tolerance)
    case .update: return try tracks(left, right, tolerance)
    case .check:
      try left.checkKeys(["holds"], of: "the answer of a case")
      let (wanted, holds) = (
        try left.wanted("holds", "true or false").bool(),
        try right.wanted("holds", "true or false").bool()
      )
      return wanted == holds
        ? nil
        : .init(expected: wanted ? "the rule holds" : "the rule does not hold", found: "\(holds)")
    default: return nil
    }
  }

  private func numbers(
    _ what: String, _ left: JSONNode, _ right: JSONNode, _ names: [String], _ tolerance: Double
  ) throws(HostError) -> Recording.Finding? {
    TesseraScenario.difference(
      what, try left.numbers(names), try right.numbers(names), tolerance
    ).first.map { .init($0) }
  }

  private func value(
    _ left: JSONValue, _ right: JSONValue, _ tolerance: Double
  ) -> Recording.Finding? {
    if let expected = left.numbers, let found = right.numbers {
      return TesseraScenario.difference("result", expected, found, tolerance).first
        .map { .init($0) }
    }
    return left == right
      ? nil : .init(what: "result", expected: JSON(left).line, found: JSON(right).line)
  }

  /// Elements as sets: in the order of those that were recorded, then those that were not.
  private func elements(
    _ left: JSONNode, _ right: JSONNode, _ tolerance: Double
  ) throws(HostError) -> Recording.Finding? {
    var rest: [ElementIdentity: LayoutDocument.Entry] = [:]
    let found = try right.elements("a list of elements")
    for node in found {
      let entry = try LayoutDocument.Entry(node)
      guard rest.updateValue(entry, forKey: entry.identity) == nil else {
        return .init(element: entry.name, expected: "once", found: "twice")
      }
    }
    for node in try left.elements("a list of elements") {
      let entry = try LayoutDocument.Entry(node)
      guard let other = rest.removeValue(forKey: entry.identity) else {
        return .init(element: entry.name, expected: entry.place, found: "no such element")
      }
      if let finding = try Self.first(entry, other, entry.name, tolerance) { return finding }
    }
    for node in rest.isEmpty ? [] : found {
      let entry = try LayoutDocument.Entry(node)
      guard rest[entry.identity] != nil else { continue }
      return .init(element: entry.name, expected: "no such element", found: entry.place)
    }
    return nil
  }

  private static func first(
    _ expected: LayoutDocument.Entry, _ found: LayoutDocument.Entry, _ name: String,
    _ tolerance: Double
  ) throws(HostError) -> Recording.Finding? {
    expected.differences(from: found, tolerance).first.map { .init($0, element: name) }
  }

  /// Sizes, offsets, and tracks as sets by who they are before and after.
  private func tracks(
    _ left: JSONNode, _ right: JSONNode, _ tolerance: Double
  ) throws(HostError) -> Recording.Finding? {
    let keys = ["contentSizeBefore", "contentSizeAfter", "offsetBefore", "offsetAfter"]
    try left.checkKeys(keys + ["tracks"], of: "the answer of an update")
    for key in keys {
      let names = (key.hasPrefix("content") ? ValueType.size : .point).components
      let (expected, found) = (try left.wanted(key, "it"), try right.wanted(key, "it"))
      if let finding = try numbers(key, expected, found, names, tolerance) { return finding }
    }
    var rest: [RecordedTrack.Key: RecordedTrack] = [:]
    let all = try right.wanted("tracks", "a list").elements("a list of tracks")
    for node in all {
      let track = try RecordedTrack(node)
      rest[track.key] = track
    }
    for node in try left.wanted("tracks", "a list").elements("a list of tracks") {
      let track = try RecordedTrack(node)
      guard let other = rest.removeValue(forKey: track.key) else {
        return .init(element: track.name, expected: "a track", found: "no such track")
      }
      for (end, mine, theirs) in [("from", track.from, other.from), ("to", track.to, other.to)] {
        if let mismatch = mine.differences(from: theirs, tolerance).first {
          return .init(mismatch, element: "\(track.name), \(end)")
        }
      }
    }
    for node in rest.isEmpty ? [] : all {
      let track = try RecordedTrack(node)
      guard rest[track.key] != nil else { continue }
      return .init(element: track.name, expected: "no such track", found: "a track")
    }
    return nil
  }
}

/// The way of one element as a recording has it.
private struct RecordedTrack {
  struct Key: Hashable {
    let before, after: ElementIdentity?
  }

  let key: Key
  let from, to: LayoutDocument.Entry

  init(_ node: JSONNode) throws(HostError) {
    try node.checkKeys(["before", "after", "from", "to"], of: "a track")
    func identity(_ key: String) throws(HostError) -> ElementIdentity? {
      let end = try node.wanted(key, "an element or null")
      return end.value == .null ? nil : try end.identity()
    }
    key = Key(before: try identity("before"), after: try identity("after"))
    let who = try node.wanted(key.after == nil ? "before" : "after", "an element")
    guard case .object(let members) = who.value else { throw who.expected("an element") }
    func entry(_ key: String) throws(HostError) -> LayoutDocument.Entry {
      let end = try node.wanted(key, "where an element is")
      guard case .object(let looks) = end.value else { throw end.expected("an object") }
      return try LayoutDocument.Entry(
        JSONNode(value: .object(looks.merging(members) { $1 }), path: end.path))
    }
    (from, to) = (try entry("from"), try entry("to"))
  }

  var name: String {
    func text(_ identity: ElementIdentity?) -> String {
      identity.map { LayoutDocument.Entry.name(of: $0) } ?? "nothing"
    }
    return key.before == key.after
      ? text(key.after) : "\(text(key.before)) → \(text(key.after))"
  }
}

extension LayoutDocument.Entry {
  fileprivate static func name(of identity: ElementIdentity) -> String {
    "\(identity.category.name)\(identity.kind.map { " \($0)" } ?? "") "
      + "\(identity.section),\(identity.item)"
  }

  /// "frame [0, 0, 100, 44]".
  fileprivate var place: String {
    "frame [\(frame.map { $0.map(format) ?? "null" }.joined(separator: ", "))]"
  }
}
