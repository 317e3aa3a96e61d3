extension JSONNode {
  /// The components of a vector: a list, a text split at commas, or a size as "100x90".
  func parts(_ names: [String], isSize: Bool) throws(HostError) -> [JSONNode] {
    let wanted = "\(names.count) numbers or expressions: \(list(names))"
    let parts: [JSONNode]
    switch value {
    case .array: parts = try elements(wanted)
    case .string(let text):
      let texts = (isSize ? Self.plainSize(text) : nil) ?? Self.splitAtCommas(text)
      parts = texts.map {
        JSONNode(value: .string(String($0.drop { $0 == " " })), path: path)
      }
      guard parts.count == names.count else {
        throw HostError(
          .invalidInput,
          "\(path) is \(quoted(text)), \(counted(parts.count, "part")); expected \(wanted)")
      }
    default: throw expected(wanted)
    }
    guard parts.count == names.count else { throw expected(wanted) }
    return parts
  }

  private static func plainSize(_ text: String) -> [String]? {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ Literal.number($0) != nil }) else { return nil }
    return parts.map(String.init)
  }

  /// The parts between commas that lie outside all parentheses.
  private static func splitAtCommas(_ text: String) -> [String] {
    var parts: [String] = []
    var part = ""
    var depth = 0
    for character in text {
      if character == "," && depth <= 0 {
        parts.append(part)
        part = ""
        continue
      }
      depth += character == "(" ? 1 : character == ")" ? -1 : 0
      part.append(character)
    }
    return parts + [part]
  }
}
