extension Double {
  /// The shortest text that reads back as an equal double, whole numbers without a fraction; 0 for -0.
  public var shortText: String {
    if self == rounded(.towardZero), magnitude < 0x1p53 { return "\(Int64(self))" }
    let text = "\(self)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

extension Value: CustomStringConvertible {
  /// The value as a person writes it: "true", "12.5", "vertical", "100x90" for a size, other vectors
  /// with commas.
  public var description: String {
    switch self {
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .choice(let name): name
    case .size(let size): "\(size.width.shortText)x\(size.height.shortText)"
    case .number, .point, .rect, .insets: numbers.map(\.shortText).joined(separator: ",")
    }
  }
}
