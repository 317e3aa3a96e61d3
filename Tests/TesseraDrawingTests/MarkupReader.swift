/// A strict reader of the XML that pictures are made of: elements, attributes, text and the five
/// entities; anything else is an error.
struct MarkupReader {
  struct Node {
    let name: String
    let attributes: [String: String]
    /// The names of the elements that it lies in, from the outermost.
    let path: [String]
    var text = ""
  }

  struct Malformed: Error {
    let reason: String
    let rest: String
  }

  /// All elements in the order of their start tags.
  private(set) var nodes: [Node] = []
  private var rest: Substring
  private var open: [Int] = []

  init(_ text: String) throws {
    rest = Substring(text)
    for scalar in text.unicodeScalars where scalar.value < 0x20 && scalar != "\n" {
      throw Malformed(reason: "control character \(scalar.value)", rest: "")
    }
    while !rest.isEmpty {
      if rest.hasPrefix("</") {
        try close()
      } else if rest.hasPrefix("<") {
        try start()
      } else {
        let run = rest.prefix { $0 != "<" }
        rest = rest.dropFirst(run.count)
        guard let last = open.last else {
          if run.allSatisfy(\.isWhitespace) { continue }
          throw malformed("text outside the root")
        }
        nodes[last].text += try decoded(run)
      }
    }
    if !open.isEmpty || nodes.isEmpty { throw malformed("elements left open, or none") }
  }

  func all(_ name: String, class: String? = nil) -> [Node] {
    nodes.filter { $0.name == name && (`class` == nil || $0.attributes["class"] == `class`) }
  }

  private func malformed(_ reason: String) -> Malformed {
    Malformed(reason: reason, rest: String(rest.prefix(80)))
  }

  private mutating func close() throws {
    guard let end = rest.firstIndex(of: ">"), let last = open.popLast() else {
      throw malformed("a stray end tag")
    }
    guard rest[..<end] == "</\(nodes[last].name)" else { throw malformed("a wrong end tag") }
    rest = rest[rest.index(after: end)...]
  }

  private mutating func start() throws {
    if open.isEmpty && !nodes.isEmpty { throw malformed("a second root") }
    rest.removeFirst()
    let name = takeName()
    if name.isEmpty { throw malformed("a tag without a name") }
    var attributes: [String: String] = [:]
    while true {
      let spaces = rest.prefix { $0 == " " }
      rest = rest.dropFirst(spaces.count)
      let isEmpty = rest.hasPrefix("/>")
      if isEmpty || rest.hasPrefix(">") {
        nodes.append(
          Node(name: name, attributes: attributes, path: open.map { nodes[$0].name }))
        if !isEmpty { open.append(nodes.count - 1) }
        rest = rest.dropFirst(isEmpty ? 2 : 1)
        return
      }
      let key = takeName()
      guard !spaces.isEmpty, !key.isEmpty, rest.hasPrefix("=\"") else {
        throw malformed("a broken attribute")
      }
      rest = rest.dropFirst(2)
      let value = rest.prefix { $0 != "\"" && $0 != "<" }
      rest = rest.dropFirst(value.count)
      guard rest.hasPrefix("\""), attributes[key] == nil else {
        throw malformed("an attribute without an end, or twice")
      }
      rest.removeFirst()
      attributes[key] = try decoded(value)
    }
  }

  private mutating func takeName() -> String {
    let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == ":" }
    rest = rest.dropFirst(name.count)
    return String(name)
  }

  private func decoded(_ raw: Substring) throws -> String {
    let entities = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "#39": "'"]
    var result = ""
    var raw = raw
    while let sign = raw.firstIndex(of: "&") {
      result += raw[..<sign]
      guard let end = raw[sign...].firstIndex(of: ";"),
        let character = entities[String(raw[raw.index(after: sign)..<end])]
      else { throw Malformed(reason: "a bare ampersand", rest: String(raw[sign...])) }
      result += character
      raw = raw[raw.index(after: end)...]
    }
    return result + raw
  }
}

extension MarkupReader.Node {
  /// An attribute's numbers, separated by spaces or commas.
  func numbers(_ name: String) -> [Double] {
    (attributes[name] ?? "").split { $0 == " " || $0 == "," }.map { Double($0) ?? .nan }
  }

  /// The numbers of x, y, width and height.
  var frame: [Double] { ["x", "y", "width", "height"].flatMap(numbers) }
}
