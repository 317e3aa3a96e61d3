extension [UInt8] {
  /// Appends text with the five characters of XML escaped; characters that XML does not allow are
  /// left out, and line breaks and tabs become spaces.
  mutating func append(escapedForMarkup text: String) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": append(contentsOf: "&amp;".utf8)
      case "<": append(contentsOf: "&lt;".utf8)
      case ">": append(contentsOf: "&gt;".utf8)
      case "\"": append(contentsOf: "&quot;".utf8)
      case "'": append(contentsOf: "&#39;".utf8)
      case "\t", "\n", "\r": append(UInt8(ascii: " "))
      default:
        if scalar.isDrawable { append(contentsOf: String(scalar).utf8) }
      }
    }
  }

  /// Appends text as a JSON string without any `<`, `>` or `&`, so that it cannot end a script
  /// element or open a comment in it.
  mutating func append(jsonString text: String) {
    append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": append(contentsOf: "\\\"".utf8)
      case "\\": append(contentsOf: "\\\\".utf8)
      case "<", ">", "&", "\u{2028}", "\u{2029}", "\u{0}"..."\u{1F}", "\u{7F}":
        append(escapeOf: UInt16(truncatingIfNeeded: scalar.value))
      default: append(contentsOf: String(scalar).utf8)
      }
    }
    append(UInt8(ascii: "\""))
  }

  private mutating func append(escapeOf unit: UInt16) {
    append(contentsOf: "\\u".utf8)
    for shift in [12, 8, 4, 0] {
      let digit = UInt8(truncatingIfNeeded: (unit >> UInt16(shift)) & 0xF)
      append(digit + UInt8(ascii: digit < 10 ? "0" : "W"))
    }
  }
}

extension Unicode.Scalar {
  /// Whether XML 1.0 allows it and it is no control character.
  fileprivate var isDrawable: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0xFFFE, 0xFFFF: false
    default: true
    }
  }
}
