import CTessera
import Glibc

/// Text out of an engine's memory: looked at for a bounded length, and checked to be UTF-8.
package enum ForeignText {
  /// The most bytes that a text of an engine may have.
  package static let limit = 65_536

  /// Copies a text that the contract says is there.
  package static func copy(
    _ pointer: UnsafePointer<CChar>?, _ what: @autoclosure () -> String
  ) throws(HostError) -> String {
    guard let pointer else {
      throw HostError(.cannotLoad, "\(what()) is null; the contract wants a text there")
    }
    let length = strnlen(pointer, limit + 1)
    guard length <= limit else {
      throw HostError(
        .cannotLoad, "\(what()) does not end within \(limit) bytes; end it with a zero byte")
    }
    let bytes = UnsafeRawBufferPointer(start: pointer, count: length)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw HostError(.cannotLoad, "\(what()) is not UTF-8; encode it so")
    }
    return text
  }

  /// Copies a text that may be absent.
  package static func copyIfPresent(
    _ pointer: UnsafePointer<CChar>?, _ what: @autoclosure () -> String
  ) throws(HostError) -> String? {
    guard let pointer else { return nil }
    return try copy(pointer, what())
  }

  /// Copies a text for a person to read, on one line: cut at the limit, what is not UTF-8 replaced.
  package static func repair(_ pointer: UnsafePointer<CChar>) -> String {
    let bytes = UnsafeRawBufferPointer(start: pointer, count: strnlen(pointer, limit))
    return onOneLine(String(decoding: bytes, as: UTF8.self))
  }

  /// Whether a terminal would obey some of a text, a line end too, instead of showing it.
  package static func holdsControls(_ text: String) -> Bool {
    // What C0, DEL and ASCII are is seen in the bytes; the rest is rare.
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return false }
    return text.unicodeScalars.contains {
      switch $0.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: true
      default: false
      }
    }
  }

  /// A text of an engine on one line, for a terminal: control characters become spaces.
  package static func onOneLine(_ text: String) -> String {
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
