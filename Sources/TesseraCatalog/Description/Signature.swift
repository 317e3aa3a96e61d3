/// The C signature of a function across the boundary.
///
/// `u8(u32,u32)` is `uint8_t (*)(void *context, uint32_t, uint32_t)`: the context always comes first
/// and is not part of the signature.
public struct Signature: Equatable, Hashable, Sendable, CustomStringConvertible {
  /// The most arguments that a function may take beside its context.
  public static let argumentLimit = 16
  /// The most bytes that the text of a signature may have.
  public static let lengthLimit = 256

  /// What the function gives.
  public let result: SignatureType
  /// What the function takes, never void.
  public let arguments: [SignatureType]

  /// A signature of a result and arguments.
  ///
  /// - Throws: `.invalidInput` for an argument that is void, and for more than 16 arguments.
  public init(result: SignatureType, arguments: [SignatureType]) throws(HostError) {
    guard arguments.count <= Self.argumentLimit else {
      throw HostError(
        .invalidInput,
        "a signature has \(arguments.count) arguments; expected at most \(Self.argumentLimit)")
    }
    if let index = arguments.firstIndex(of: .void) {
      throw HostError(
        .invalidInput,
        "argument \(index + 1) of a signature is void, which is a result only; leave it out")
    }
    self.result = result
    self.arguments = arguments
  }

  /// The signature that a text declares; spaces between its words do not matter.
  ///
  /// - Throws: `.invalidInput` with what is wrong and at which character, counted from 1.
  /// - Complexity: O(*n*) for *n* bytes, at most 256.
  public init(_ text: String) throws(HostError) {
    var parser = SignatureParser(text)
    self = try parser.signature()
  }

  /// The text without spaces, which reads back to the same signature.
  public var description: String {
    "\(result)(\(arguments.map(\.description).joined(separator: ",")))"
  }
}

extension FunctionDescription {
  /// The signature as types.
  ///
  /// - Throws: never for a function of an engine that the host has loaded: it refuses one whose
  ///   signature does not parse.
  public var parsedSignature: Signature {
    get throws(HostError) { try Signature(signature) }
  }
}

/// A type that a C function across the boundary may take or give.
public enum SignatureType: UInt8, CaseIterable, Sendable, CustomStringConvertible {
  // The raw values are those of tessera_functions.h.
  /// Nothing: a result only.
  case void
  /// A `uint8_t` of 0 or 1.
  case bool
  case u8, i8, u16, i16, u32, i32, u64, i64
  case f32, f64
  /// Two doubles: x, y.
  case point
  /// Two doubles: width, height.
  case size
  /// Four doubles: x, y, width, height.
  case rect
  /// Four doubles: top, left, bottom, right.
  case insets

  /// The type's word in a signature.
  public var description: String {
    switch self {
    case .void: "void"
    case .bool: "bool"
    case .u8: "u8"
    case .i8: "i8"
    case .u16: "u16"
    case .i16: "i16"
    case .u32: "u32"
    case .i32: "i32"
    case .u64: "u64"
    case .i64: "i64"
    case .f32: "f32"
    case .f64: "f64"
    case .point: "point"
    case .size: "size"
    case .rect: "rect"
    case .insets: "insets"
    }
  }

  /// The names of the doubles that a structure consists of; empty for the other types.
  public var components: [String] {
    switch self {
    case .point: ["x", "y"]
    case .size: ["width", "height"]
    case .rect: ["x", "y", "width", "height"]
    case .insets: ["top", "left", "bottom", "right"]
    default: []
    }
  }

  /// What a value of the type looks like, as the end of "expected …".
  public var expectation: String {
    switch self {
    case .void: "nothing"
    case .bool: "true or false, or 1 or 0"
    case .u8: wholeNumber(UInt8.self)
    case .i8: wholeNumber(Int8.self)
    case .u16: wholeNumber(UInt16.self)
    case .i16: wholeNumber(Int16.self)
    case .u32: wholeNumber(UInt32.self)
    case .i32: wholeNumber(Int32.self)
    case .u64: wholeNumber(UInt64.self)
    case .i64: wholeNumber(Int64.self)
    case .f32: "a finite number of at most \(Float.greatestFiniteMagnitude) either side of 0"
    case .f64: "a finite number"
    case .point, .size, .rect, .insets:
      "\(components.count) finite numbers (\(components.joined(separator: ", ")))"
    }
  }

  private func wholeNumber<Integer: FixedWidthInteger>(_: Integer.Type) -> String {
    "a whole number from \(Integer.min) to \(Integer.max)"
  }
}

/// Reads the text of a signature: a type, then types in parentheses with commas between them.
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
