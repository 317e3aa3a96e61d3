/// The signature of a function between host and engine; a `void *context` precedes the arguments.
public struct Signature: Equatable, Hashable, Sendable, CustomStringConvertible {
  /// The maximum number of arguments, without the context.
  public static let argumentLimit = 16
  /// The maximum length in bytes.
  public static let lengthLimit = 256

  /// The result type.
  public let result: ValueType
  /// The argument types, never void.
  public let arguments: [ValueType]

  /// Creates a signature; throws `.invalidInput` for a void argument or more than 16.
  public init(result: ValueType, arguments: [ValueType]) throws(HostError) {
    guard arguments.count <= Self.argumentLimit else {
      throw HostError(
        .invalidSignature,
        "a signature has \(arguments.count) arguments; expected at most \(Self.argumentLimit)")
    }
    if let index = arguments.firstIndex(of: .void) {
      throw HostError(
        .invalidSignature,
        "argument \(index + 1) of a signature is void, which is only valid as a result; leave it "
          + "out")
    }
    (self.result, self.arguments) = (result, arguments)
  }

  /// Parses a signature; throws `.invalidInput` with the 1-based position of the problem.
  ///
  /// - Complexity: O(*n*) for *n* bytes, at most 256.
  public init(_ text: String) throws(HostError) {
    var parser = SignatureParser(text)
    self = try parser.signature()
  }

  /// The text without spaces, which `init(_:)` reads.
  public var description: String {
    "\(result)(\(arguments.map(\.description).joined(separator: ",")))"
  }
}

extension FunctionDescription {
  /// The parsed signature; never throws for a function of a loaded engine.
  public var parsedSignature: Signature { get throws(HostError) { try Signature(signature) } }
}

package struct SignatureParser {
  private let text: String
  private let bytes: [UInt8]
  private var position = 0

  package init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8.prefix(Signature.lengthLimit + 1))
  }

  package mutating func signature() throws(HostError) -> Signature {
    guard bytes.count <= Signature.lengthLimit else {
      throw error("is longer than \(Signature.lengthLimit) bytes; shorten it")
    }
    let result = try type()
    guard accept("(") else { throw unexpected("\"(\" after the result's type") }
    var arguments: [ValueType] = []
    if !accept(")") {
      repeat {
        arguments.append(try argument())
        guard arguments.count <= Signature.argumentLimit else {
          throw error("has more than \(Signature.argumentLimit) arguments; remove some")
        }
      } while accept(",")
      guard accept(")") else { throw unexpected("\",\" or \")\" after an argument") }
    }
    skipSpaces()
    guard position == bytes.count else { throw unexpected("nothing after \")\"") }
    return try Signature(result: result, arguments: arguments)
  }

  private mutating func argument() throws(HostError) -> ValueType {
    skipSpaces()
    let place = position + 1
    let type = try type()
    guard type != .void else {
      throw error(
        "has the argument void at character \(place), which is only valid as a result; leave it out"
      )
    }
    return type
  }

  private mutating func type() throws(HostError) -> ValueType {
    skipSpaces()
    let start = position
    while position < bytes.count, Self.isWord(bytes[position]) { position += 1 }
    guard position > start else { throw unexpected("a type") }
    let word = String(decoding: bytes[start..<position], as: UTF8.self)
    guard let type = ValueType.callable.first(where: { $0.description == word }) else {
      throw error(
        "has the unknown type \(word) at character \(start + 1); expected one of "
          + ValueType.callable.map(\.description).joined(separator: " "))
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
    // ASCII up to here, so bytes count as characters.
    let rest = String(decoding: bytes[position...], as: UTF8.self)
    return error(
      "has \"\(Self.printable(rest.prefix(1)))\" at character \(position + 1); expected \(expected)"
    )
  }

  private func error(_ problem: String) -> HostError {
    HostError(.invalidSignature, "the signature \"\(Self.printable(text.prefix(100)))\" \(problem)")
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
  }

  private static func printable(_ text: Substring) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      scalars.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
    }
    return String(scalars)
  }
}
