import TesseraHost

extension Sample {
  /// The sample in a few words, for people: what differs from the one that everything starts from.
  public var summary: String {
    var parts = ["sections of \(Self.list(counts.map(String.init))) items"]
    if counts == [itemCount] { parts = ["\(itemCount) item\(itemCount == 1 ? "" : "s")"] }
    parts.append("bounds \(Value.size(bounds))")
    let plain = Sample()
    if offset != plain.offset { parts.append("offset \(Value.point(offset))") }
    for (name, insets) in [
      ("contentInsets", contentInsets), ("safeAreaInsets", safeAreaInsets),
      ("layoutMargins", layoutMargins),
    ] where insets != .zero { parts.append("\(name) \(Value.insets(insets))") }
    if scale != plain.scale { parts.append("scale \(scale.shortText)") }
    if direction != plain.direction { parts.append(direction.rawValue) }
    for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
      parts.append("\(name) \(value)")
    }
    for (scope, columns) in [("section", sectionValues), ("item", itemValues)] {
      for (name, column) in columns.sorted(by: { $0.key < $1.key }) {
        switch column {
        case .constant(let value): parts.append("\(scope) \(name) \(value)")
        case .each(let values):
          parts.append("\(scope) \(name) \(Self.list(values.map(\.description)))")
        }
      }
    }
    for (name, text) in delegate.sorted(by: { $0.key < $1.key }) {
      parts.append("\(name) answers \(text)")
    }
    if let measure { parts.append("items measure \(measure)") }
    return parts.joined(separator: ", ")
  }

  private static func list(_ texts: [String]) -> String {
    if texts.isEmpty { return "no" }
    guard texts.count > 8 else { return texts.joined(separator: " ") }
    return texts.prefix(6).joined(separator: " ") + " … (\(texts.count) in all)"
  }

  /// The words of a `tessera layout` command that lays the sample out, ready for a shell.
  ///
  /// - Parameter engine: The engine as a command line names it.
  public func layoutCommand(engine: String) -> String {
    let text = json.line
    guard text != "{}" else { return "tessera layout \(engine.shellWord)" }
    return "printf %s \(text.shellWord) | tessera layout \(engine.shellWord) --scenario -"
  }
}

extension String {
  /// The text as one word of a shell's command line.
  public var shellWord: String {
    let plain = utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "-_./,:=+@%".utf8.contains(byte)
      }
    }
    if plain, !isEmpty { return self }
    let quoted = split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
    return "'\(quoted)'"
  }
}
