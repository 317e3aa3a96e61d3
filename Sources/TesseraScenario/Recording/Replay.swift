/// Repeats the calls of a recording and compares their results.
public struct Replay {
  /// Creates a session of the examined engine.
  public var session: () throws(HostError) -> Session
  /// Examines a case of the conformance suite; nil if its rule holds.
  public var examine: (SuiteCall) throws(HostError) -> LayoutDifference?
  /// How far numbers may be off.
  public var tolerance: Double

  /// Creates a replay.
  public init(
    tolerance: Double = 0, session: @escaping () throws(HostError) -> Session,
    examine: @escaping (SuiteCall) throws(HostError) -> LayoutDifference?
  ) {
    (self.tolerance, self.session, self.examine) = (tolerance, session, examine)
  }

  /// The first difference, or nil; throws `.invalidInput` for a result that doesn't suit its call.
  ///
  /// A query without a recorded result differs only on a crash, a hang or a broken contract.
  public func difference(of recording: Recording) throws(HostError) -> Recording.Difference? {
    var driver: SessionDriver?
    for (index, entry) in recording.entries.enumerated() {
      var broken: LayoutDifference?
      let found: Result<JSON, HostError>
      do throws(HostError) {
        let answer = try answer(to: entry.call, &driver)
        if case .verdict(let difference) = answer { broken = difference }
        found = .success(try answer.json())
      } catch {
        found = .failure(error)
      }
      guard var finding = try entry.finding(found, tolerance) else { continue }
      if let broken { finding = broken }
      var failure: HostError.Kind?
      if case .failure(let error) = found { failure = error.kind }
      return Recording.Difference(
        call: index + 1, text: clipped(JSON.object(entry.call.members).line, to: 120),
        finding: finding, failure: failure)
    }
    return nil
  }

  func answered(_ recording: Recording) throws(HostError) -> Recording {
    var driver: SessionDriver?
    var result = recording
    for (index, entry) in recording.entries.enumerated() {
      let answer = try answer(to: entry.call, &driver)
      result.entries[index].answer = entry.call.isQuestion ? .value(try answer.json()) : .any
    }
    return result
  }

  private func answer(
    to call: SessionCall, _ driver: inout SessionDriver?
  ) throws(HostError) -> CallAnswer {
    if case .check(let suite) = call { return .verdict(try examine(suite)) }
    let used = if let driver { driver } else { SessionDriver(try session()) }
    driver = used
    return try used.ask(call)
  }
}

extension Recording.Entry {
  fileprivate func finding(
    _ found: Result<JSON, HostError>, _ tolerance: Double
  ) throws(HostError) -> LayoutDifference? {
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
    case (.error(let recorded), .success):
      return .init(expected: "the error \(quoted(recorded.message))", found: "no error")
    case (.error(let recorded), .failure(let error)):
      // The host's messages may differ between machines.
      guard
        error.kind != recorded.kind
          || error.kind == .refused && error.message != recorded.message
      else { return nil }
      return .init(
        property: "error", expected: "\(recorded.kind): \(recorded.message)",
        found: "\(error.kind): \(error.message)")
    }
  }
}

extension SessionCall {
  func check(_ answer: Recording.Answer) throws(HostError) {
    guard case .value(let value) = answer else { return }
    _ = try difference(from: value, value, tolerance: 0)
  }

  func difference(
    from recorded: JSON, _ found: JSON, tolerance: Double
  ) throws(HostError) -> LayoutDifference? {
    let left = JSONNode(recorded, source: "answer")
    let right = JSONNode(found, source: "answer")
    switch self {
    case .contentSize:
      return try numbers("contentSize", left, right, ValueType.size.components, tolerance)
    case .snap: return try numbers("offset", left, right, ValueType.point.components, tolerance)
    case .elements, .visibleElements:
      return LayoutDocument.differences(
        of: try right.entries(), from: try left.entries(), tolerance
      ).first
    case .element:
      return LayoutDocument.differences(
        of: try right.entryOrNone(), from: try left.entryOrNone(), tolerance
      ).first
    case .function: return value(recorded, found, tolerance)
    case .update: return try tracks(left, right, tolerance)
    case .check:
      try left.checkKeys(["holds"], of: "the answer of a case")
      let (wanted, holds) = (
        try left.required("holds", "true or false").bool(),
        try right.required("holds", "true or false").bool()
      )
      return wanted == holds
        ? nil
        : .init(expected: wanted ? "the rule holds" : "the rule does not hold", found: "\(holds)")
    default: return nil
    }
  }

  private func numbers(
    _ property: String, _ left: JSONNode, _ right: JSONNode, _ names: [String], _ tolerance: Double
  ) throws(HostError) -> LayoutDifference? {
    LayoutDifference(
      property, expected: try left.numbers(names), found: try right.numbers(names), tolerance)
  }

  private func value(_ left: JSON, _ right: JSON, _ tolerance: Double) -> LayoutDifference? {
    if let expected = left.numbers, let found = right.numbers {
      return LayoutDifference("result", expected: expected, found: found, tolerance)
    }
    return left == right
      ? nil : .init(property: "result", expected: left.line, found: right.line)
  }

  /// As sets, by the elements before and after.
  private func tracks(
    _ left: JSONNode, _ right: JSONNode, _ tolerance: Double
  ) throws(HostError) -> LayoutDifference? {
    let keys = ["contentSizeBefore", "contentSizeAfter", "offsetBefore", "offsetAfter"]
    try left.checkKeys(keys + ["tracks"], of: "the answer of an update")
    for key in keys {
      let names = (key.hasPrefix("content") ? ValueType.size : .point).components
      let (expected, found) = (try left.required(key, "it"), try right.required(key, "it"))
      if let difference = try numbers(key, expected, found, names, tolerance) { return difference }
    }
    let all = try right.tracks()
    var rest = Dictionary(all.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
    for track in try left.tracks() {
      guard let other = rest.removeValue(forKey: track.key) else {
        return .init(element: track.name, expected: "a track", found: "no such track")
      }
      for (end, mine, theirs) in [("from", track.from, other.from), ("to", track.to, other.to)] {
        let differences = mine.differences(from: theirs, tolerance, named: "\(track.name), \(end)")
        if let first = differences.first { return first }
      }
    }
    return all.first { rest[$0.key] != nil }.map {
      .init(element: $0.name, expected: "no such track", found: "a track")
    }
  }
}

extension JSONNode {
  fileprivate func entries() throws(HostError) -> [LayoutDocument.Entry] {
    try elements("a list of elements").map { node throws(HostError) in
      try LayoutDocument.Entry(node)
    }
  }

  fileprivate func entryOrNone() throws(HostError) -> [LayoutDocument.Entry] {
    value == .null ? [] : [try LayoutDocument.Entry(self)]
  }

  fileprivate func tracks() throws(HostError) -> [RecordedTrack] {
    try values("tracks", of: "tracks") { node throws(HostError) in try RecordedTrack(node) }
  }
}

private struct RecordedTrack {
  let before, after: ElementIdentity?
  let from, to: LayoutDocument.Entry

  init(_ node: JSONNode) throws(HostError) {
    try node.checkKeys(["before", "after", "from", "to"], of: "a track")
    func identity(_ key: String) throws(HostError) -> ElementIdentity? {
      let end = try node.required(key, "an element or null")
      return end.value == .null ? nil : try end.identity()
    }
    (before, after) = (try identity("before"), try identity("after"))
    let who = try node.required(after == nil ? "before" : "after", "an element")
    guard case .object(let members) = who.value else { throw who.expected("an element") }
    func entry(_ key: String) throws(HostError) -> LayoutDocument.Entry {
      let end = try node.required(key, "an object with a frame")
      guard case .object(let looks) = end.value else { throw end.expected("an object") }
      return try LayoutDocument.Entry(JSONNode(.object(members + looks), source: end.source))
    }
    (from, to) = (try entry("from"), try entry("to"))
  }

  var key: [ElementIdentity?] { [before, after] }

  var name: String {
    func text(_ identity: ElementIdentity?) -> String { identity?.description ?? "nothing" }
    return before == after ? text(after) : "\(text(before)) → \(text(after))"
  }
}
