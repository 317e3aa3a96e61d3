/// A JSON value with the path that leads to it, for readers that name what they refuse.
struct JSONNode {
  let value: JSONValue
  let path: String

  /// The error for a value that is not what it should be.
  func expected(_ what: String) -> HostError {
    HostError(.invalidInput, "\(path) is \(value.found); expected \(what)")
  }

  /// The named value, or nil where there is none.
  subscript(key: String) -> JSONNode? {
    guard case .object(let values) = value, let child = values[key] else { return nil }
    return JSONNode(value: child, path: Self.join(path, key))
  }

  static func join(_ path: String, _ key: String) -> String {
    path.isEmpty ? key : "\(path).\(key)"
  }

  /// The error for a value that is missing.
  func missing(_ key: String, _ what: String) -> HostError {
    HostError(.invalidInput, "\(Self.join(path, key)) is missing; expected \(what)")
  }

  /// Refuses what is no object and keys that are not among those known.
  func checkKeys(_ known: [String], of noun: String) throws(HostError) {
    guard case .object(let values) = value else {
      if path.isEmpty {
        throw HostError(.invalidInput, "\(noun) is \(value.found); expected an object")
      }
      throw expected("an object")
    }
    for key in values.keys.sorted() where !known.contains(key) {
      throw HostError(
        .invalidInput,
        "\(Self.join(path, clipped(key))) is not a key of \(noun); \(hint(key, among: known))")
    }
  }

  /// The named values in the order of their names.
  func members() throws(HostError) -> [JSONNode] {
    guard case .object(let values) = value else { throw expected("an object") }
    return values.keys.sorted().map { JSONNode(value: values[$0]!, path: Self.join(path, $0)) }
  }

  /// The values of a list.
  func elements(_ what: String) throws(HostError) -> [JSONNode] {
    guard case .array(let values) = value else { throw expected(what) }
    return values.indices.map { JSONNode(value: values[$0], path: "\(path)[\($0)]") }
  }

  func number(_ what: String = "a number") throws(HostError) -> Double {
    guard case .number(let number) = value else { throw expected(what) }
    return number
  }

  func string(_ what: String = "a text") throws(HostError) -> String {
    guard case .string(let text) = value else { throw expected(what) }
    return text
  }

  func bool() throws(HostError) -> Bool {
    guard case .bool(let bool) = value else { throw expected("true or false") }
    return bool
  }

  /// A whole number from 0 to 2^53, the greatest up to which doubles have no gaps.
  func count() throws(HostError) -> Int {
    let what = "a whole number from 0 to 9007199254740992"
    let number = try number(what)
    guard number >= 0, number <= 0x1p53, let count = Int(exactly: number) else {
      throw expected(what)
    }
    return count
  }

  /// A list of as many numbers as there are names.
  func numbers(_ names: [String]) throws(HostError) -> [Double] {
    let what = "\(names.count) numbers: \(list(names))"
    guard case .array(let values) = value, values.count == names.count else { throw expected(what) }
    var numbers: [Double] = []
    for element in try elements(what) { numbers.append(try element.number()) }
    return numbers
  }
}
