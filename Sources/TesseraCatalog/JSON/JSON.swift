import TesseraGeometry

/// A JSON value; objects keep the order of their members.
public enum JSON: Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  /// A number to write as an integer, up to 2^64 - 1.
  case unsigned(UInt64)
  /// Any other number, and every number read; null if not finite.
  case number(Double)
  case text(String)
  case list([JSON])
  /// An object; of duplicate names, the first counts.
  case object([(name: String, value: JSON)])

  /// A string, or null.
  public static func optional(_ text: String?) -> JSON { text.map(JSON.text) ?? .null }

  /// The first member with a name.
  public subscript(name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// A number of any form.
  public var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  /// The number, or the elements of a list of numbers.
  public var numbers: [Double]? {
    guard case .list(let values) = self else { return double.map { [$0] } }
    let numbers = values.compactMap(\.double)
    return numbers.count == values.count ? numbers : nil
  }

  /// "the text "abc"", "a list of 3".
  package var found: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .integer, .unsigned, .number: "the number \((double ?? 0).shortText)"
    case .text(let text): "the text \(quoted(text))"
    case .list(let values): "a list of \(values.count)"
    case .object(let members): "an object with \(counted(members.count, "key"))"
    }
  }
}

extension JSON {
  package static let deepestNesting = 512
  /// Bytes per level of nesting; a debug build needs 9.7 KiB.
  package static let stackPerLevel = 12 << 10
}

extension JSON: Hashable {
  /// Compares numbers as doubles, and objects regardless of the order of members.
  public static func == (left: JSON, right: JSON) -> Bool {
    switch (left, right) {
    case (.null, .null): return true
    case (.bool(let left), .bool(let right)): return left == right
    case (.text(let left), .text(let right)): return left == right
    case (.list(let left), .list(let right)): return left == right
    case (.object(let left), .object(let right)):
      func values(_ members: [(name: String, value: JSON)]) -> [String: JSON] {
        Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
      }
      return values(left) == values(right)
    default:
      guard let left = left.double, let right = right.double else { return false }
      return left == right
    }
  }

  /// Hashes what equal values share; of an object only its size.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .integer, .unsigned, .number: hasher.combine(double)
    case .text(let text): hasher.combine(text)
    case .list(let values): hasher.combine(values)
    case .object(let members): hasher.combine(members.count)
    }
  }
}
