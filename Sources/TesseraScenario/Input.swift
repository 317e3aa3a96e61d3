import FoundationEssentials
import Glibc

/// A file that the user named, "-" for standard input.
package struct InputFile {
  let path: String

  package init(path: String) { self.path = path }

  /// The file's name in errors.
  var name: String { path == "-" ? "standard input" : path }

  /// Returns the file's bytes; throws `.notFound` if it cannot be read.
  package func bytes() throws(HostError) -> Data {
    do {
      if path == "-" { return try Self.standardInput() }
      var status = stat()
      if stat(path, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) {
        throw HostError(
          .fileNotFound,
          "\(path) is a pipe, a socket or a device; give a file, or - to read standard input")
      }
      return try Data(contentsOf: URL(fileURLWithPath: path))
    } catch let error as HostError {
      throw error
    } catch {
      throw HostError(.fileNotFound, "\(name) cannot be read: \(error.systemReason)")
    }
  }
}

extension InputFile {
  private static func standardInput() throws -> Data {
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

/// Plain numbers in texts.
enum Literal {
  /// Parses a finite decimal number, which may be surrounded by spaces; rejects hexadecimals and "nan".
  static func number(_ text: some StringProtocol) -> Double? {
    let bytes = text.utf8.drop { $0 == 0x20 }
    guard
      bytes.allSatisfy({
        $0 >= 0x30 && $0 <= 0x39 || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E || $0 | 0x20 == 0x65
          || $0 == 0x20
      })
    else { return nil }
    var digits = String(text)[...]
    while digits.first == " " { digits.removeFirst() }
    while digits.last == " " { digits.removeLast() }
    guard let value = Double(digits), value.isFinite else { return nil }
    return value
  }
}

/// "a, b and c".
func list(_ names: [String], _ conjunction: String = "and") -> String {
  guard let last = names.last, names.count > 1 else { return names.first ?? "nothing" }
  return "\(names.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
}

/// "did you mean X?" where a known name is near, else the other advice.
func hint(_ name: String, among known: [String], else advice: String) -> String {
  // The time to compare grows with the length, and nobody misspells a name into a book.
  guard name.utf8.count <= 64, let near = Suggestion.near(name, among: known).first else {
    return advice
  }
  return "did you mean \(near)?"
}

/// The advice for an unknown name: the near one, or all there are.
func hint(_ name: String, among known: [String]) -> String {
  hint(name, among: known, else: known.isEmpty ? "there is none" : "expected \(list(known, "or"))")
}

extension Error {
  /// The system's reason for an error of Foundation, such as "Permission denied".
  package var systemReason: String {
    if let error = self as? POSIXError { return String(cString: strerror(error.code.rawValue)) }
    return (self as? CocoaError)?.underlying?.systemReason ?? "\(self)"
  }
}
