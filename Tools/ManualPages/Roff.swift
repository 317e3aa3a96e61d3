/// The language of manual pages, as far as these pages use it.
enum Roff {
  /// A text as it is to be read, wherever it stands.
  static func escaped(_ text: some StringProtocol) -> String {
    var answer = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": answer += "\\e"
      case "-": answer += "\\-"
      case "'": answer += "\\(aq"
      case "`": answer += "\\(ga"
      case "^": answer += "\\(ha"
      case "~": answer += "\\(ti"
      case "\"": answer += "\\(dq"
      case _ where scalar.isASCII: answer.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        answer += "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
      }
    }
    // A line that begins with a dot would be a request.
    return answer.hasPrefix(".") ? "\\&" + answer : answer
  }

  static func bold(_ text: some StringProtocol) -> String { "\\fB\(escaped(text))\\fR" }

  static func italic(_ text: some StringProtocol) -> String { "\\fI\(escaped(text))\\fR" }

  static func heading(_ title: String) -> String { ".SH \"\(escaped(title.uppercased()))\"" }

  /// Lines of text: those that are indented stay as they are, others are filled.
  ///
  /// - Parameter paragraph: The request between two paragraphs.
  static func text(_ lines: [Substring], paragraph: String) -> [String] {
    var answer: [String] = []
    var isVerbatim = false
    var isNew = false
    for line in lines {
      guard !line.isEmpty else {
        isNew = true
        continue
      }
      let indented = line.first == " "
      if isVerbatim && !indented { answer += [".EE", ".RE"] }
      if isNew && !answer.isEmpty { answer.append(paragraph) }
      if indented && !isVerbatim {
        // The request of a paragraph before it would be one too many.
        if answer.last == paragraph { answer[answer.count - 1] = ".sp" }
        answer += [".RS 2", ".EX"]
      } else if indented && isNew {
        answer.removeLast()
        answer.append("")
      }
      answer.append(escaped(indented ? line.dropFirst(2) : line[...]))
      (isVerbatim, isNew) = (indented, false)
    }
    return isVerbatim ? answer + [".EE", ".RE"] : answer
  }
}
