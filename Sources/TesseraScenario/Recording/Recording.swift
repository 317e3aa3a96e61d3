import Foundation

/// A session that was taken down: who laid out, every call, and what it was answered.
public struct Recording: Equatable, Sendable {
  /// The version of the format that is written, and the only one that is read.
  public static let format = 1

  /// The first line.
  public struct Header: Equatable, Sendable {
    /// The engine's id.
    public var engine: String
    /// Its version.
    public var version: String
    /// The name of the library's file.
    public var library: String
    /// The library's SHA-256 in hexadecimal digits; empty where it could not be read.
    public var digest: String
    /// The version of the host that took it down.
    public var host: String

    /// A first line.
    public init(engine: String, version: String, library: String, digest: String, host: String) {
      (self.engine, self.version, self.library) = (engine, version, library)
      (self.digest, self.host) = (digest, host)
    }
  }

  /// What a call was answered.
  public enum Answer: Equatable, Sendable {
    /// It is not compared; only a crash or a broken contract is a difference.
    case any
    /// An answer in JSON.
    case value(JSONValue)
    /// An error of a kind, with its sentence.
    case error(kind: String, message: String)
  }

  /// A line after the first.
  public struct Entry: Equatable, Sendable {
    /// The call.
    public var call: SessionCall
    /// What it was answered.
    public var answer: Answer
  }

  /// Who laid out.
  public var header: Header
  /// The calls in their order.
  public var entries: [Entry]

  /// Reads a recording from a file, "-" for standard input.
  ///
  /// Throws `.notFound` where it cannot be read, else as `init(parsing:name:)`.
  public init(contentsOf path: String) throws(HostError) {
    let file = InputFile(path: path)
    try self.init(parsing: try file.bytes(), name: file.name)
  }

  /// Reads a recording from its lines.
  ///
  /// Throws `.invalidInput` that names the line, what was found and what was expected. O(bytes).
  public init(parsing bytes: some DataProtocol, name: String) throws(HostError) {
    let lines = Data(bytes).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard let first = lines.first, !first.isEmpty else {
      throw HostError(
        .invalidInput,
        "\(name) is no recording: its first line is empty; expected what "
          + "recording a session wrote")
    }
    do throws(HostError) {
      header = try Header(JSONNode(value: try JSONValue(parsing: first, name: name), path: ""))
    } catch {
      throw HostError(
        .invalidInput, "\(name) is no recording that this host reads: \(error.message)")
    }
    entries = []
    for (index, line) in lines.enumerated().dropFirst() where !line.isEmpty {
      let place = "line \(index + 1) of \(name)"
      let value = try JSONValue(parsing: line, name: place)
      do throws(HostError) { entries.append(try Entry(JSONNode(value: value, path: ""))) } catch {
        throw HostError(error.kind, "\(place): \(error.message)")
      }
    }
  }

  /// The recording as it is stored, in UTF-8.
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
    let what = try node.wanted("tessera", "\"recording\"")
    guard what.value == .string("recording") else { throw what.expected("\"recording\"") }
    let format = try node.wanted("format", "\(Recording.format)")
    guard format.value == .number(Double(Recording.format)) else {
      throw format.expected("\(Recording.format)")
    }
    engine = try node.wanted("engine", "an engine's id").string()
    version = try node.wanted("version", "a version").string()
    library = try node.wanted("library", "a file's name").string()
    digest = try node.wanted("sha256", "a digest").string()
    host = try node.wanted("host", "a version").string()
  }
}

extension Recording.Entry {
  var json: JSON {
    let answer: [(name: String, value: JSON)] =
      switch answer {
      case .any: []
      case .value(let value): [("answer", JSON(value))]
      case .error(let kind, let message):
        [("error", .object([("kind", .text(kind)), ("message", .text(message))]))]
      }
    return .object(call.members + answer)
  }

  fileprivate init(_ node: JSONNode) throws(HostError) {
    guard case .object = node.value else {
      throw HostError(.invalidInput, "it is \(node.value.found); expected an object")
    }
    call = try SessionCall(node)
    switch (node["answer"], node["error"]) {
    case (nil, nil): answer = .any
    case (let value?, nil): answer = .value(value.value)
    case (nil, let error?):
      let error = try RecordedError(error)
      answer = .error(kind: error.kind, message: error.message)
    default: throw HostError(.invalidInput, "it has an answer and an error; expected one of them")
    }
    try call.check(answer)
  }
}

extension Recording {
  /// What is not as it was recorded, of one answer.
  public struct Finding: Equatable, Sendable {
    /// Which element it is of; nil where it is of none.
    public var element: String?
    /// Which of its numbers or texts; nil where it is the whole.
    public var what: String?
    /// What was recorded.
    public var expected: String
    /// What was there instead.
    public var found: String

    init(element: String? = nil, what: String? = nil, expected: String, found: String) {
      (self.element, self.what) = (element, what)
      (self.expected, self.found) = (expected, found)
    }

    init(_ mismatch: Mismatch, element: String? = nil) {
      self.init(
        element: element, what: mismatch.subject, expected: mismatch.expected,
        found: mismatch.found)
    }
  }

  /// The first call that was not answered as it was recorded.
  public struct Difference: Equatable, Sendable {
    /// The number of the call, from 1; its line is one more.
    public var call: Int
    /// The call as its line has it, without an answer, and shortened.
    public var text: String
    /// What differs.
    public var finding: Finding
    /// The kind of error that was found where there was an answer; nil: it was an answer too.
    var failure: HostError.Kind?
  }
}
