import FoundationEssentials
import Glibc

extension String {
  /// The name in errors of the file at this path, which a user gave; "-" is standard input.
  var inputName: String { self == "-" ? "standard input" : self }

  /// Returns the bytes of the file at this path, or standard input for "-"; throws `.notFound` if it
  /// cannot be read.
  package func inputBytes() throws(HostError) -> Data {
    do {
      if self == "-" { return try standardInput() }
      var status = stat()
      if stat(self, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) {
        throw HostError(
          .fileNotFound,
          "\(self) is a pipe, a socket or a device; give a file, or - to read standard input")
      }
      return try Data(contentsOf: URL(fileURLWithPath: self))
    } catch let error as HostError {
      throw error
    } catch {
      throw HostError(.fileNotFound, "\(inputName) cannot be read: \(error.systemReason)")
    }
  }
}

private func standardInput() throws -> Data {
  var bytes = Data()
  var piece = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = read(STDIN_FILENO, &piece, piece.count)
    if count == 0 { return bytes }
    if count > 0 {
      bytes += piece[..<count]
    } else if errno != EINTR {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
  }
}

extension StringProtocol {
  /// The text without spaces, tabs and line breaks at its ends.
  package var trimmed: String {
    let scalars = unicodeScalars
    guard let start = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(String.UnicodeScalarView(scalars[start...last]))
  }
}

extension StringProtocol {
  /// The finite decimal number that the text is, which may be surrounded by spaces; nil for
  /// hexadecimals and "nan".
  var decimal: Double? {
    let bytes = utf8.drop { $0 == 0x20 }
    guard
      bytes.allSatisfy({
        $0 >= 0x30 && $0 <= 0x39 || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E || $0 | 0x20 == 0x65
          || $0 == 0x20
      })
    else { return nil }
    var digits = String(self)[...]
    while digits.first == " " { digits.removeFirst() }
    while digits.last == " " { digits.removeLast() }
    guard let value = Double(digits), value.isFinite else { return nil }
    return value
  }
}

extension Error {
  /// The system's reason for an error of Foundation, such as "Permission denied".
  package var systemReason: String {
    if let error = self as? POSIXError { return String(cString: strerror(error.code.rawValue)) }
    return (self as? CocoaError)?.underlying?.systemReason ?? "\(self)"
  }
}
