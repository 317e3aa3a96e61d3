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
