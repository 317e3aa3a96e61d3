/// A strict reader of the XML subset of pictures; everything else is an error.
struct MarkupReader {
  struct Node {
    let name: String
    let attributes: [String: String]
    let path: [String]
    var text = ""
  }

  struct Malformed: Error { let reason: String }

  private(set) var nodes: [Node] = []
  private var open: [Int] = []

  init(_ text: String) throws {
    if text.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\n" }) {
      throw Malformed(reason: "a control character")
    }
    var end = text.startIndex
    let tags = text.matches(of: /<(\/?)([\w:-]+)((?: [\w:-]+="[^"<]*")*) ?(\/?)>/)
    for tag in tags {
      try add(text[end..<tag.range.lowerBound])
      end = tag.range.upperBound
      let (name, isEnd, isEmpty) = (String(tag.2), !tag.1.isEmpty, !tag.4.isEmpty)
      if isEnd {
        guard open.popLast().map({ nodes[$0].name }) == name, tag.3.isEmpty, !isEmpty else {
          throw Malformed(reason: "a wrong end tag \(name)")
        }
        continue
      }
      guard nodes.isEmpty || !open.isEmpty else { throw Malformed(reason: "a second root") }
      let pairs = try tag.3.matches(of: /([\w:-]+)="([^"]*)"/).map {
        (String($0.1), try decoded($0.2))
      }
      let attributes = Dictionary(pairs) { first, _ in first }
      guard attributes.count == pairs.count else { throw Malformed(reason: "\(name) repeats one") }
      nodes.append(Node(name: name, attributes: attributes, path: open.map { nodes[$0].name }))
      if !isEmpty { open.append(nodes.count - 1) }
    }
    try add(text[end...])
    if !open.isEmpty || nodes.isEmpty { throw Malformed(reason: "elements left open, or none") }
  }

  func all(_ name: String, class: String? = nil) -> [Node] {
    nodes.filter { $0.name == name && (`class` == nil || $0.attributes["class"] == `class`) }
  }

  private mutating func add(_ text: Substring) throws {
    guard let last = open.last else {
      if text.allSatisfy(\.isWhitespace) { return }
      throw Malformed(reason: "text outside the root: \(text.prefix(80))")
    }
    guard !text.contains("<") else { throw Malformed(reason: "a broken tag: \(text.prefix(80))") }
    nodes[last].text += try decoded(text)
  }

  private func decoded(_ raw: Substring) throws -> String {
    let entities = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "#39": "'"]
    let parts = raw.split(separator: "&", omittingEmptySubsequences: false)
    return try parts.dropFirst().reduce(into: String(parts[0])) { result, part in
      guard let end = part.firstIndex(of: ";"), let character = entities[String(part[..<end])]
      else {
        throw Malformed(reason: "a bare ampersand: \(part.prefix(80))")
      }
      result += character + part[part.index(after: end)...]
    }
  }
}

extension MarkupReader.Node {
  func numbers(_ name: String) -> [Double] {
    (attributes[name] ?? "").split { $0 == " " || $0 == "," }.map { Double($0) ?? .nan }
  }

  var frame: [Double] { ["x", "y", "width", "height"].flatMap(numbers) }
}
