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
