/// A line of an allowlist: a library, or something for people.
enum AllowlistLine: Equatable, Sendable {
  case entry(Allowlist.Entry)
  case other(String)

  var entry: Allowlist.Entry? {
    if case .entry(let entry) = self { entry } else { nil }
  }

  /// Reads a line, or gives nil for one that says nothing.
  ///
  /// A backslash before the sum says that backslashes, line feeds and carriage returns in the path
  /// are written with one; a star for the second space, that `sha256sum` read the file as binary.
  init?(_ line: Substring) {
    let content = line.drop { $0 == " " || $0 == "\t" }
    guard let first = content.first, first != "#" else {
      self = .other(String(line))
      return
    }
    let isEscaped = first == "\\"
    let utf8 = (isEscaped ? content.dropFirst() : content).utf8
    let separator = utf8.dropFirst(64).prefix(2)
    guard utf8.count > 66, let digest = SHA256Digest(hex: Substring(utf8.prefix(64))),
      separator.elementsEqual("  ".utf8) || separator.elementsEqual(" *".utf8),
      let path = Self.path(Substring(utf8.dropFirst(66)), isEscaped: isEscaped)
    else { return nil }
    self = .entry(Allowlist.Entry(digest: digest, path: path))
  }

  /// The line as it is written, without its end.
  var text: String {
    switch self {
    case .other(let text): return text
    case .entry(let entry):
      let escaped = entry.path.unicodeScalars.reduce(into: "") { text, scalar in
        switch scalar {
        case "\\": text += "\\\\"
        case "\n": text += "\\n"
        case "\r": text += "\\r"
        default: text.unicodeScalars.append(scalar)
        }
      }
      return "\(escaped == entry.path ? "" : "\\")\(entry.digest)  \(escaped)"
    }
  }

  private static func path(_ text: Substring, isEscaped: Bool) -> String? {
    guard isEscaped else { return String(text) }
    var path = String.UnicodeScalarView()
    var scalars = text.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      guard scalar == "\\" else {
        path.append(scalar)
        continue
      }
      switch scalars.next() {
      case "\\": path.append("\\")
      case "n": path.append("\n")
      case "r": path.append("\r")
      default: return nil
      }
    }
    return String(path)
  }
}
