import TesseraGeometry
import TesseraHost

/// XML or HTML text: interpolated numbers are rounded and strings escaped.
public struct Markup: Equatable, Sendable, ExpressibleByStringInterpolation,
  StringInterpolationProtocol
{
  /// The text in UTF-8.
  public private(set) var bytes: [UInt8]

  /// Takes existing markup in UTF-8.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Takes a literal unchanged.
  public init(stringLiteral literal: String) { bytes = Array(literal.utf8) }

  /// Takes the result of an interpolation.
  public init(stringInterpolation markup: Markup) { self = markup }

  /// Starts an interpolation.
  public init(literalCapacity: Int, interpolationCount: Int) {
    bytes = []
    bytes.reserveCapacity(literalCapacity + 8 * interpolationCount)
  }

  /// The text.
  public var text: String { String(decoding: bytes, as: UTF8.self) }
  /// Whether the text is empty.
  public var isEmpty: Bool { bytes.isEmpty }

  /// Appends markup.
  public static func += (left: inout Markup, right: Markup) {
    left.bytes.append(contentsOf: right.bytes)
  }

  /// Concatenates markup.
  public static func + (left: Markup, right: Markup) -> Markup {
    var sum = left
    sum += right
    return sum
  }
}

extension Markup {
  /// Appends a literal unchanged.
  public mutating func appendLiteral(_ literal: String) { bytes.append(contentsOf: literal.utf8) }

  /// Appends a number with at most three decimals and no exponent; 0 if not finite.
  public mutating func appendInterpolation(_ number: Double) { bytes.append(rounded: number) }

  /// Appends the shortest text that reads back as the same number; 0 if not finite.
  public mutating func appendInterpolation(exact number: Double) {
    bytes.append(contentsOf: (number.isFinite ? number : 0).shortText.utf8)
  }

  /// Appends an integer.
  public mutating func appendInterpolation(_ number: Int) { bytes.append(number: Int64(number)) }

  /// Appends a string, escaped for text and for quoted attributes.
  public mutating func appendInterpolation(_ text: String) {
    bytes.append(contentsOf: UntrustedText.escapedForXML(text).utf8)
  }

  /// Appends markup unchanged.
  public mutating func appendInterpolation(_ markup: Markup) {
    bytes.append(contentsOf: markup.bytes)
  }

  mutating func appendInterpolation(json text: String) { bytes.append(json: text) }

  mutating func appendInterpolation(json point: Point) {
    appendInterpolation(list: ["\(point.x)", "\(point.y)"])
  }

  mutating func appendInterpolation(json size: Size) {
    appendInterpolation(list: ["\(size.width)", "\(size.height)"])
  }

  mutating func appendInterpolation(json rect: Rect) {
    appendInterpolation(list: ["\(rect.x)", "\(rect.y)", "\(rect.width)", "\(rect.height)"])
  }

  mutating func appendInterpolation(json transform: Transform) {
    appendInterpolation(list: transform.elements.map { "\(exact: $0)" })
  }

  mutating func appendInterpolation(list elements: [Markup]) {
    appendLiteral("[")
    appendInterpolation(elements.joined(","))
    appendLiteral("]")
  }
}

extension TextBuffer {
  static func += (text: inout TextBuffer, markup: Markup) {
    markup.bytes.withUnsafeBytes { text.append($0) }
  }

  mutating func append(place rect: Rect) {
    append("x=\"" as StaticString)
    append(rounded: rect.x)
    append("\" y=\"" as StaticString)
    append(rounded: rect.y)
    append("\" width=\"" as StaticString)
    append(rounded: rect.width)
    append("\" height=\"" as StaticString)
    append(rounded: rect.height)
    append(UInt8(ascii: "\""))
  }
}

extension [Markup] {
  /// Joins all markup with a separator.
  public func joined(_ separator: Markup) -> Markup {
    var whole: Markup = ""
    for (index, part) in enumerated() {
      if index > 0 { whole += separator }
      whole += part
    }
    return whole
  }
}

extension [UInt8] {
  /// Without `<`, `>` or `&`, so it can't end a script element or open a comment.
  fileprivate mutating func append(json text: String) {
    append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": append(contentsOf: "\\\"".utf8)
      case "\\": append(contentsOf: "\\\\".utf8)
      case "<", ">", "&", "\u{2028}", "\u{2029}", "\u{0}"..."\u{1F}", "\u{7F}":
        let digits = String(scalar.value, radix: 16)
        append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
      default: append(contentsOf: String(scalar).utf8)
      }
    }
    append(UInt8(ascii: "\""))
  }
}
