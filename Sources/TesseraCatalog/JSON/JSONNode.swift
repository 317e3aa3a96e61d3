/// A JSON value and its source, which errors name.
public struct JSONNode: Hashable, Sendable {
  /// The value; where an engine gives the type, a text is an expression, a name or a vector.
  public var value: JSON
  /// Such as "parameters.itemSize" or "--set itemSize".
  public var source: String

  /// A value and its source.
  public init(_ value: JSON, source: String) { (self.value, self.source) = (value, source) }

  /// A text from the command line, such as "floor((width-2)/3),90".
  public init(text: String, source: String) { self.init(.text(text), source: source) }

  /// The error for a value other than expected.
  public func expected(_ what: String) -> HostError {
    HostError(.invalidScenario, "\(source) is \(value.found); expected \(what)")
  }

  /// The member with a name, if any.
  public subscript(key: String) -> JSONNode? {
    value[key].map { JSONNode($0, source: Self.join(source, key)) }
  }

  package static func join(_ path: String, _ key: String) -> String {
    path.isEmpty ? key : "\(path).\(key)"
  }

  package func missing(_ key: String, _ what: String) -> HostError {
    HostError(.invalidScenario, "\(Self.join(source, key)) is missing; expected \(what)")
  }

  /// A required member.
  public func required(_ key: String, _ what: String) throws(HostError) -> JSONNode {
    guard let found = self[key] else { throw missing(key, what) }
    return found
  }

  /// Rejects unknown keys, and values other than objects.
  public func checkKeys(_ known: [String], of noun: String) throws(HostError) {
    guard case .object(let members) = value else {
      if source.isEmpty {
        throw HostError(.invalidScenario, "\(noun) is \(value.found); expected an object")
      }
      throw expected("an object")
    }
    for key in members.map(\.name).sorted() where !known.contains(key) {
      throw HostError(
        .invalidScenario,
        "\(Self.join(source, clipped(key))) is not a key of \(noun); \(hint(key, among: known))")
    }
  }

  /// The members of an object, by name.
  public func members() throws(HostError) -> [String: JSONNode] {
    guard case .object(let members) = value else { throw expected("an object") }
    let nodes = members.map { ($0.name, JSONNode($0.value, source: Self.join(source, $0.name))) }
    return Dictionary(nodes, uniquingKeysWith: { first, _ in first })
  }

  /// The elements of a list.
  public func elements(_ what: String) throws(HostError) -> [JSONNode] {
    guard case .list(let values) = value else { throw expected(what) }
    return values.enumerated().map { JSONNode($1, source: "\(source)[\($0)]") }
  }

  /// Reads each element of a required list.
  public func values<Result>(
    _ key: String, of noun: String, _ read: (JSONNode) throws(HostError) -> Result
  ) throws(HostError) -> [Result] {
    try required(key, "a list").elements("a list of \(noun)").map(read)
  }

  /// The number.
  public func number(_ what: String = "a number") throws(HostError) -> Double {
    guard let number = value.double else { throw expected(what) }
    return number
  }

  /// The text.
  public func string(_ what: String = "a text") throws(HostError) -> String {
    guard case .text(let text) = value else { throw expected(what) }
    return text
  }

  /// The boolean.
  public func bool() throws(HostError) -> Bool {
    guard case .bool(let bool) = value else { throw expected("true or false") }
    return bool
  }

  /// A whole number from 0 to 2^53, where doubles are still exact.
  public func count() throws(HostError) -> Int {
    let what = "a whole number from 0 to 9007199254740992"
    let number = try number(what)
    guard number >= 0, number <= 0x1p53, let count = Int(exactly: number) else {
      throw expected(what)
    }
    return count
  }

  /// A list of numbers, one for each name.
  public func numbers(_ names: [String]) throws(HostError) -> [Double] {
    let what = "\(names.count) numbers: \(list(names))"
    guard case .list(let values) = value, values.count == names.count else { throw expected(what) }
    return try elements(what).map { node throws(HostError) in try node.number() }
  }
}
