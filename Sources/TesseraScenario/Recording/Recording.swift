import FoundationEssentials

/// A recorded session: the engine, and every call with its result.
public struct Recording: Hashable, Sendable {
  /// The only version of the format that is written and read.
  public static let format = 1

  /// The first line.
  public struct Header: Hashable, Sendable {
    /// The engine's id.
    public var engine: String
    /// Its version.
    public var version: String
    /// The file name of the library.
    public var library: String
    /// The library's SHA-256 in hexadecimal; empty if unreadable.
    public var digest: String
    /// The version of the recording host.
    public var host: String

    /// Creates a header.
    public init(engine: String, version: String, library: String, digest: String, host: String) {
      (self.engine, self.version, self.library) = (engine, version, library)
      (self.digest, self.host) = (digest, host)
    }
  }

  /// The result of a call.
  public enum Answer: Hashable, Sendable {
    /// Not compared: only a crash or a broken contract is a difference.
    case any
    case value(JSON)
    case error(HostError)
  }

  /// A line after the header.
  public struct Entry: Hashable, Sendable {
    /// The call.
    public var call: SessionCall
    /// Its result.
    public var answer: Answer
  }

  /// The header.
  public var header: Header
  /// The calls, in order.
  public var entries: [Entry]

  /// Reads a recording from a file, or standard input for "-"; throws `.notFound`, `.invalidInput`.
  public init(contentsOf path: String) throws(HostError) {
    try self.init(parsing: try path.inputBytes(), name: path.inputName)
  }

  /// Whether a file begins like a recording.
  public static func isRecording(_ text: String) -> Bool {
    text.prefix(80).contains(/^\s*\{\s*"tessera"\s*:\s*"recording"/)
  }

  /// The final input of the session, as a scenario.
  public var scenario: Scenario {
    var scenario = Scenario()
    for entry in entries {
      switch entry.call {
      case .set(let change): scenario.set(change)
      case .update(_, let counts, let changes):
        for change in [.sections(counts)] + changes { scenario.set(change) }
      case .check(let suite):
        if let sample = suite.sample.flatMap({ try? Scenario($0) }) { scenario = sample }
      default: break
      }
    }
    return scenario
  }

  /// Reads a recording; throws `.invalidInput` with the line.
  public init(parsing bytes: some DataProtocol, name: String) throws(HostError) {
    let lines = Data(bytes).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard let first = lines.first, !first.isEmpty else {
      throw HostError(
        .invalidRecording,
        "\(name) is no recording: its first line is empty; expected what "
          + "recording a session wrote")
    }
    do throws(HostError) {
      header = try Header(JSONNode(try JSON(parsing: first, name: name), source: ""))
    } catch {
      throw HostError(
        .invalidRecording, "\(name) is no recording that this host reads: \(error.message)")
    }
    entries = []
    for (index, line) in lines.enumerated().dropFirst() where !line.isEmpty {
      let place = "line \(index + 1) of \(name)"
      let value = try JSON(parsing: line, name: place)
      do throws(HostError) { entries.append(try Entry(JSONNode(value, source: ""))) } catch {
        throw error.about("\(place)")
      }
    }
  }

  /// The recording as stored, in UTF-8.
  public var bytes: [UInt8] {
    Array(([header.json] + entries.map(\.json)).map { $0.line + "\n" }.joined().utf8)
  }
}

extension Recording.Header {
  var json: JSON {
    .object([
      ("tessera", .text("recording")), ("format", .integer(Recording.format)),
      ("engine", .text(engine)), ("version", .text(version)), ("library", .text(library)),
      ("sha256", .text(digest)), ("host", .text(host)),
    ])
  }

  fileprivate init(_ node: JSONNode) throws(HostError) {
    try node.checkKeys(
      ["tessera", "format", "engine", "version", "library", "sha256", "host"],
      of: "a recording's first line")
    let what = try node.required("tessera", "\"recording\"")
    guard what.value == .text("recording") else { throw what.expected("\"recording\"") }
    let format = try node.required("format", "\(Recording.format)")
    guard format.value == .number(Double(Recording.format)) else {
      throw format.expected("\(Recording.format)")
    }
    engine = try node.required("engine", "an engine's id").string()
    version = try node.required("version", "a version").string()
    library = try node.required("library", "a file's name").string()
    digest = try node.required("sha256", "a digest").string()
    host = try node.required("host", "a version").string()
  }
}

extension Recording.Entry {
  var json: JSON {
    let answer: [(name: String, value: JSON)] =
      switch answer {
      case .any: []
      case .value(let value): [("answer", value)]
      case .error(let error): [("error", error.recorded)]
      }
    return .object(call.members + answer)
  }

  fileprivate init(_ node: JSONNode) throws(HostError) {
    guard case .object = node.value else {
      throw HostError(.invalidRecording, "it is \(node.value.found); expected an object")
    }
    call = try SessionCall(node)
    switch (node["answer"], node["error"]) {
    case (nil, nil): answer = .any
    case (let value?, nil): answer = .value(value.value)
    case (nil, let error?): answer = .error(try HostError(recorded: error))
    default:
      throw HostError(.invalidRecording, "it has an answer and an error; expected one of them")
    }
    try call.check(answer)
  }
}

extension HostError {
  var recorded: JSON {
    .object([
      ("kind", .text(kind.rawValue)), ("code", .text(code.rawValue)), ("message", .text(message)),
    ])
  }

  fileprivate init(recorded node: JSONNode) throws(HostError) {
    try node.checkKeys(["kind", "code", "message"], of: "an error")
    let kind = try node.required("kind", "a kind")
    let message = try node.required("message", "a text").string()
    guard let found = Kind(rawValue: try kind.string()) else {
      throw kind.expected(list(Kind.allCases.map(\.rawValue), "or"))
    }
    // An older recording has no code, and a later host may have others.
    let code = try node["code"]?.string()
    let known = Code.allCases.filter { $0.kind == found }
    guard let first = known.first else { throw kind.expected("a kind with a code") }
    self.init(known.first { $0.rawValue == code } ?? first, message)
  }
}

extension Recording {
  /// The first call whose result differs.
  public struct Difference: Equatable, Sendable {
    /// The number of the call, from 1; its line is one more.
    public var call: Int
    /// Its line without the result, shortened.
    public var text: String
    /// What differs.
    public var finding: LayoutDifference
    var failure: HostError.Kind?
  }
}
