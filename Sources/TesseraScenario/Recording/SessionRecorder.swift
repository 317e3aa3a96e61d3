/// Takes down calls to a session with what they were answered, as the lines of a recording.
public final class SessionRecorder {
  private var output = OutputBytes()

  /// A recording that begins with who lays out.
  public init(_ header: Recording.Header) { append(header.json) }

  /// The lines so far, in UTF-8.
  public var bytes: [UInt8] { output.bytes }

  /// Takes down a call that belongs to no session, or whose answer is not to be compared.
  public func note(_ call: SessionCall) { append(.object(call.members)) }

  /// Takes down a case of the conformance suite whose rule is to hold.
  public func noteRule(_ call: SuiteCall) {
    note(.check(call), .success(.verdict(SuiteVerdict(holds: true))))
  }

  func note(_ call: SessionCall, _ answer: Result<CallAnswer, HostError>) {
    var line = JSON.object(call.members).line
    line.removeLast()
    output.append(line)
    switch answer {
    case .success(.done): break
    case .success(let answer):
      output.append(",\"answer\":" as StaticString)
      answer.append(to: &output)
    case .failure(let error):
      output.append(",\"error\":" as StaticString)
      output.append(RecordedError(error).json.line)
    }
    output.append("}\n" as StaticString)
  }

  private func append(_ value: JSON) {
    output.append(value.line)
    output.append("\n" as StaticString)
  }
}

/// An error as a recording has it.
struct RecordedError: Equatable {
  private static let names: [(kind: HostError.Kind, name: String)] = [
    (.invalidInput, "invalidInput"), (.notFound, "notFound"), (.refused, "refused"),
    (.brokenContract, "brokenContract"), (.died, "died"), (.cannotLoad, "cannotLoad"),
    (.notAllowed, "notAllowed"), (.cancelled, "cancelled"),
  ]

  let kind: String
  let message: String

  init(_ error: HostError) {
    kind = Self.names.first { $0.kind == error.kind }?.name ?? "refused"
    message = error.message
  }

  init(_ node: JSONNode) throws(HostError) {
    try node.checkKeys(["kind", "message"], of: "an error")
    let kind = try node.wanted("kind", "a kind")
    self.kind = try kind.string()
    message = try node.wanted("message", "a text").string()
    guard Self.names.contains(where: { $0.name == self.kind }) else {
      throw kind.expected(list(Self.names.map(\.name), "or"))
    }
  }

  var json: JSON { .object([("kind", .text(kind)), ("message", .text(message))]) }
}
