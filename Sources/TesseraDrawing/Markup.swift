import TesseraGeometry
import TesseraHost

/// Text of an XML or HTML document, built by interpolation.
///
/// Interpolated numbers are rounded and interpolated strings are escaped, so that no text becomes
/// markup by accident. A literal is markup.
public struct Markup: Equatable, Sendable, ExpressibleByStringInterpolation,
  StringInterpolationProtocol
{
  /// The text in UTF-8.
  public private(set) var bytes: [UInt8]

  /// Existing markup in UTF-8.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// A literal, unchanged.
  public init(stringLiteral literal: String) { bytes = Array(literal.utf8) }

  /// What an interpolation has built.
  public init(stringInterpolation markup: Markup) { self = markup }

  /// The start of an interpolation.
  public init(literalCapacity: Int, interpolationCount: Int) {
    bytes = []
    bytes.reserveCapacity(literalCapacity + 8 * interpolationCount)
  }

  /// The text.
  public var text: String { String(decoding: bytes, as: UTF8.self) }
  /// Whether there is no text.
  public var isEmpty: Bool { bytes.isEmpty }

  /// Appends markup.
  public static func += (left: inout Markup, right: Markup) {
    left.bytes.append(contentsOf: right.bytes)
  }

  /// Markup followed by other markup.
  public static func + (left: Markup, right: Markup) -> Markup {
    var sum = left
    sum += right
    return sum
  }
}

extension Markup {
  /// A part of a literal, unchanged.
  public mutating func appendLiteral(_ literal: String) { bytes.append(contentsOf: literal.utf8) }

  /// A number with at most three decimals and no exponent; 0 where it is not finite.
  public mutating func appendInterpolation(_ number: Double) { bytes.append(rounded: number) }

  /// The shortest text that reads back as the same number; 0 where it is not finite.
  public mutating func appendInterpolation(exact number: Double) {
    bytes.append(contentsOf: (number.isFinite ? number : 0).shortText.utf8)
  }

  /// An integer.
  public mutating func appendInterpolation(_ number: Int) { bytes.append(number: Int64(number)) }

  /// A string, escaped for text and for attributes in either kind of quote.
  public mutating func appendInterpolation(_ text: String) {
    bytes.append(contentsOf: UntrustedText.escapedForXML(text).utf8)
  }

  /// Markup, unchanged.
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

  /// The sixteen numbers, exactly.
  mutating func appendInterpolation(json transform: Transform) {
    appendInterpolation(list: transform.elements.map { "\(exact: $0)" })
  }

  /// A JSON array.
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
  /// All of them, with a separator between each and the next.
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
  /// Appends text as a JSON string without any `<`, `>` or `&`, so that it cannot end a script
  /// element or open a comment in one.
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
