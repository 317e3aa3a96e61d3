import TesseraGeometry

extension CallValue: CustomStringConvertible {
  /// The value as a person writes it: "true", "-3", "12.5", "100x90" for a size, other structures
  /// with commas; empty for void.
  public var description: String {
    switch self {
    case .bool(let value): "\(value)"
    case .signed(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    case .size(let size): "\(size.width.shortText)x\(size.height.shortText)"
    case .void, .number, .point, .rect, .insets:
      numbers.map(\.shortText).joined(separator: ",")
    }
  }

  /// The value as a person writes it for a type: an f32 with no more digits than tell it apart.
  public func text(as type: SignatureType) -> String {
    if case .number(let value) = self, type == .f32, value != value.rounded(.towardZero) {
      return "\(Float(value))"
    }
    return description
  }

  /// The value of a type that a person wrote in the form of `description`.
  ///
  /// A size may have a comma for its "x". Nil where the text is none or the type cannot hold it.
  public init?(type: SignatureType, text: some StringProtocol) {
    let value: CallValue?
    switch type {
    case .void: value = text.isEmpty ? .void : nil
    case .point, .size, .rect, .insets:
      let parts = text.split(omittingEmptySubsequences: false) {
        $0 == "," || ($0 == "x" && type == .size)
      }
      let numbers = parts.compactMap { Double($0) }
      value = numbers.count == parts.count ? CallValue(type: type, numbers: numbers) : nil
    default: value = Self.scalar(text)
    }
    guard let converted = value?.converted(to: type) else { return nil }
    self = converted
  }

  private static func scalar(_ text: some StringProtocol) -> CallValue? {
    if text == "true" || text == "false" { return .bool(text == "true") }
    // Whole numbers first: beyond 2^53 a double would round them.
    if let value = Int64(text) { return .signed(value) }
    if let value = UInt64(text) { return .unsigned(value) }
    return Double(text).map(CallValue.number)
  }
}
