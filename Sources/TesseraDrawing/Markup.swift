import Glibc
import TesseraHost

/// Text for XML or HTML, made by interpolation: numbers are printed short and strings are escaped,
/// so that nothing gets into a picture as markup by accident.
struct Markup: Equatable, ExpressibleByStringInterpolation {
  private(set) var bytes: [UInt8]

  init(stringLiteral literal: String) {
    bytes = Array(literal.utf8)
  }

  init(stringInterpolation interpolation: StringInterpolation) {
    bytes = interpolation.bytes
  }

  static func += (left: inout Markup, right: Markup) {
    left.bytes.append(contentsOf: right.bytes)
  }

  static func + (left: Markup, right: Markup) -> Markup {
    var sum = left
    sum += right
    return sum
  }

  /// Parts with commas between them.
  static func list(_ parts: [Markup]) -> Markup {
    var whole: Markup = ""
    for (index, part) in parts.enumerated() {
      if index > 0 { whole += "," }
      whole += part
    }
    return whole
  }

  /// Empties it and keeps its memory.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate(set) var bytes: [UInt8] = []

    init(literalCapacity: Int, interpolationCount: Int) {
      bytes.reserveCapacity(literalCapacity + 8 * interpolationCount)
    }

    mutating func appendLiteral(_ literal: String) {
      bytes.append(contentsOf: literal.utf8)
    }

    /// A number with at most three decimals and no exponent.
    mutating func appendInterpolation(_ number: Double) {
      bytes.append(decimal: number)
    }

    /// A number as the shortest text that reads back to the same; 0 where it is not finite.
    mutating func appendInterpolation(exact number: Double) {
      bytes.append(contentsOf: (number.isFinite ? number : 0).shortText.utf8)
    }

    mutating func appendInterpolation(_ number: Int) {
      bytes.append(contentsOf: String(number).utf8)
    }

    /// A string, escaped for text and for attributes in either sort of quote.
    mutating func appendInterpolation(_ text: String) {
      bytes.append(escapedForMarkup: text)
    }

    /// A string as a JSON string that is safe inside a script element.
    mutating func appendInterpolation(json text: String) {
      bytes.append(jsonString: text)
    }

    /// Markup as it is.
    mutating func appendInterpolation(_ markup: Markup) {
      bytes.append(contentsOf: markup.bytes)
    }
  }
}

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

extension [UInt8] {
  /// Appends a number with at most three decimals, no exponent and no negative zero.
  ///
  /// What is not finite is 0, and what is beyond 10^15 is printed as that.
  mutating func append(decimal number: Double) {
    let limit = 1e15
    let bounded = number.isFinite ? Swift.min(Swift.max(number, -limit), limit) : 0
    let thousandths = Int64((bounded * 1000).rounded())
    if thousandths < 0 { append(UInt8(ascii: "-")) }
    let (whole, fraction) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1000)
    append(digitsOf: whole)
    guard fraction > 0 else { return }
    append(UInt8(ascii: "."))
    var rest = fraction
    var place: UInt64 = 100
    while rest > 0 {
      append(UInt8(ascii: "0") + UInt8(rest / place))
      rest %= place
      place /= 10
    }
  }

  private mutating func append(digitsOf number: UInt64) {
    let start = count
    var rest = number
    repeat {
      append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    self[start...].reverse()
  }
}
