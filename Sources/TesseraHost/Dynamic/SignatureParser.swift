/// Reads the text of a signature: a type, then types in parentheses with commas between them.
struct SignatureParser {
  private let text: String
  private let bytes: [UInt8]
  private var position = 0

  init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8.prefix(Signature.lengthLimit + 1))
  }

  mutating func signature() throws(HostError) -> Signature {
    guard bytes.count <= Signature.lengthLimit else {
      throw error("is longer than \(Signature.lengthLimit) bytes; shorten it")
    }
    let result = try type()
    guard accept("(") else { throw unexpected("\"(\" after the result's type") }
    var arguments: [SignatureType] = []
    if !accept(")") {
      repeat {
        arguments.append(try argument())
        guard arguments.count <= Signature.argumentLimit else {
          throw error("has more than \(Signature.argumentLimit) arguments; leave some out")
        }
      } while accept(",")
      guard accept(")") else { throw unexpected("\",\" or \")\" after an argument") }
    }
    skipSpaces()
    guard position == bytes.count else { throw unexpected("nothing after \")\"") }
    return try Signature(result: result, arguments: arguments)
  }

  private mutating func argument() throws(HostError) -> SignatureType {
    skipSpaces()
    let place = position + 1
    let type = try type()
    guard type != .void else {
      throw error(
        "has the argument void at character \(place), which is a result only; leave it out")
    }
    return type
  }

  private mutating func type() throws(HostError) -> SignatureType {
    skipSpaces()
    let start = position
    while position < bytes.count, Self.isWord(bytes[position]) { position += 1 }
    guard position > start else { throw unexpected("a type") }
    let word = String(decoding: bytes[start..<position], as: UTF8.self)
    guard let type = SignatureType.allCases.first(where: { $0.description == word }) else {
      throw error(
        "has the unknown type \(word) at character \(start + 1); expected one of "
          + SignatureType.allCases.map(\.description).joined(separator: " "))
    }
    return type
  }

  private mutating func accept(_ character: Unicode.Scalar) -> Bool {
    skipSpaces()
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func skipSpaces() {
    while position < bytes.count, bytes[position] == UInt8(ascii: " ") { position += 1 }
  }

  private mutating func unexpected(_ expected: String) -> HostError {
    skipSpaces()
    guard position < bytes.count else {
      return error("ends after \(position) characters; expected \(expected)")
    }
    // Everything before is ASCII, so bytes count characters.
    let rest = String(decoding: bytes[position...], as: UTF8.self)
    return error(
      "has \"\(Self.printable(rest.prefix(1)))\" at character \(position + 1); expected \(expected)"
    )
  }

  private func error(_ problem: String) -> HostError {
    HostError(.invalidInput, "the signature \"\(Self.printable(text.prefix(100)))\" \(problem)")
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
  }

  /// The text on one line: an engine wrote it, and it goes to a terminal.
  private static func printable(_ text: Substring) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      scalars.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
    }
    return String(scalars)
  }
}
