extension Double {
  /// The shortest text that reads back to the same double, whole numbers without a fraction.
  public var shortText: String {
    guard self == rounded(.towardZero), magnitude < 1e15 else { return "\(self)" }
    return self == 0 ? "0" : "\(Int64(self))"
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
