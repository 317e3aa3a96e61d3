import CTessera
import Glibc

/// Copies texts from an engine's memory with bounded length and valid UTF-8.
public enum UntrustedText {
  /// Bytes.
  package static let limit = 65_536

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

  package static func copyIfPresent(
    _ pointer: UnsafePointer<CChar>?, _ what: @autoclosure () -> String
  ) throws(HostError) -> String? {
    guard let pointer else { return nil }
    return try copy(pointer, what())
  }

  /// For display: truncated, valid UTF-8, on one line.
  package static func repair(_ pointer: UnsafePointer<CChar>) -> String {
    let bytes = UnsafeRawBufferPointer(start: pointer, count: strnlen(pointer, limit))
    return onOneLine(String(decoding: bytes, as: UTF8.self))
  }

  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
  }

  /// Line breaks count as controls.
  package static func holdsControls(_ text: String) -> Bool {
    if isPlain(text) { return false }
    return text.unicodeScalars.contains {
      switch $0.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: true
      default: false
      }
    }
  }

  /// Escapes what a terminal would interpret or reorder, such as U+202E as `\u{202E}`.
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

  /// Whether a terminal interprets a character; joiners of emoji and Indic scripts are harmless.
  public static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: scalar != "\u{200C}" && scalar != "\u{200D}"
    default: false
    }
  }

  /// - Parameters:
  ///   - keepsLines: Keeps line breaks, tabs and apostrophes, as outside of attributes.
  ///   - invalid: Replaces characters that XML doesn't allow.
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

  /// A text for one line of a terminal, with single spaces in place of control characters.
  public static func onOneLine(_ text: String) -> String {
    // Fast path for clean ASCII.
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

/// The standard library's search is in a library that takes 10% of a worker's start.
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
