import CTessera
import Glibc

/// Copies texts out of an engine's memory: reads a bounded length and validates UTF-8.
public enum UntrustedText {
  /// The maximum size of a text, in bytes.
  package static let limit = 65_536

  /// Copies a text that the contract requires.
  package static func copy(
    _ pointer: UnsafePointer<CChar>?, _ what: @autoclosure () -> String
  ) throws(HostError) -> String {
    guard let pointer else {
      throw HostError(.invalidText, "\(what()) is null; the contract requires a text there")
    }
    let length = strnlen(pointer, limit + 1)
    guard length <= limit else {
      throw HostError(
        .invalidText, "\(what()) does not end within \(limit) bytes; end it with a zero byte")
    }
    let bytes = UnsafeRawBufferPointer(start: pointer, count: length)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw HostError(.invalidText, "\(what()) is not UTF-8; encode it as UTF-8")
    }
    return text
  }

  /// Copies a text that may be null.
  package static func copyIfPresent(
    _ pointer: UnsafePointer<CChar>?, _ what: @autoclosure () -> String
  ) throws(HostError) -> String? {
    guard let pointer else { return nil }
    return try copy(pointer, what())
  }

  /// Copies a text for display: truncates it to the limit, replaces invalid UTF-8, and puts it on
  /// one line.
  package static func repair(_ pointer: UnsafePointer<CChar>) -> String {
    let bytes = UnsafeRawBufferPointer(start: pointer, count: strnlen(pointer, limit))
    return onOneLine(String(decoding: bytes, as: UTF8.self))
  }

  /// Whether a text is printable ASCII, which its bytes tell; most are.
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
  }

  /// Whether a text contains control characters, including line breaks, that a terminal would
  /// interpret.
  package static func holdsControls(_ text: String) -> Bool {
    if isPlain(text) { return false }
    return text.unicodeScalars.contains {
      switch $0.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: true
      default: false
      }
    }
  }

  /// A text as a terminal can show it: characters that it would interpret, or that reorder others, such
  /// as U+202E, become `\u{202E}`.
  public static func visible(_ text: String) -> String {
    if isPlain(text) { return text }
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if isInvisible(scalar) {
        shown.append(
          contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars)
      } else {
        shown.append(scalar)
      }
    }
    return String(shown)
  }

  /// Whether a terminal interprets a character instead of showing it.
  ///
  /// The joiners of emoji and of Indic scripts are format characters, but do no harm.
  public static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: scalar != "\u{200C}" && scalar != "\u{200D}"
    default: false
    }
  }

  /// A text for markup in XML or HTML, with the five special characters escaped and those that reorder
  /// text made visible.
  ///
  /// - Parameters:
  ///   - keepsLines: Whether line breaks and tabs stay, which become spaces otherwise, and apostrophes, which
  ///     need no escape but in attributes between apostrophes.
  ///   - invalid: What stands for control characters and others that XML does not allow.
  package static func escapedForXML(
    _ text: String, keepsLines: Bool = false, invalid: String = ""
  ) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'" where !keepsLines: result += "&#39;"
      case "\t", "\n", "\r": result.unicodeScalars.append(keepsLines ? scalar : " ")
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": result += invalid
      case _ where isInvisible(scalar) && scalar != "\u{AD}": result += visible(String(scalar))
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Makes a text safe for one line of a terminal: control and format characters become spaces, and
  /// runs of spaces become one.
  public static func onOneLine(_ text: String) -> String {
    // Fast path: printable ASCII without spaces to remove can be recognized by its bytes.
    var before: UInt8 = 0x20
    let isOneLine = text.utf8.allSatisfy { byte in
      defer { before = byte }
      return byte >= 0x20 && byte < 0x7F && (byte != 0x20 || before != 0x20)
    }
    if isOneLine, before != 0x20 { return text }
    var scalars = String.UnicodeScalarView()
    var isBlank = true
    for scalar in text.unicodeScalars {
      let category = scalar.properties.generalCategory
      let isShown =
        category != .control && category != .format && category != .lineSeparator
        && category != .paragraphSeparator && scalar != " "
      if isShown {
        scalars.append(scalar)
      } else if !isBlank {
        scalars.append(" ")
      }
      isBlank = !isShown
    }
    if scalars.last == " " { scalars.removeLast() }
    return String(scalars)
  }
}

/// Searching texts. The standard library's own search is in a library of its own, which takes a worker a
/// tenth of its start to load.
extension UntrustedText {
  package static func occurs(_ part: String, in text: Substring) -> Bool {
    pieces(of: text, separator: part).count > 1
  }

  package static func replace(_ part: String, with other: String, in text: String) -> String {
    pieces(of: text[...], separator: part).joined(separator: other)
  }

  private static func pieces(of text: Substring, separator: String) -> [String] {
    let (bytes, part) = (Array(text.utf8), Array(separator.utf8))
    var pieces: [String] = []
    var start = 0
    var place = 0
    while !part.isEmpty, place + part.count <= bytes.count {
      if bytes[place] == part[0], bytes[place..<place + part.count].elementsEqual(part) {
        pieces.append(String(decoding: bytes[start..<place], as: UTF8.self))
        place += part.count
        start = place
      } else {
        place += 1
      }
    }
    return pieces + [String(decoding: bytes[start...], as: UTF8.self)]
  }
}
