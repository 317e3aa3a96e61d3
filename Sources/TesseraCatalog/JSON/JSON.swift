import TesseraGeometry

/// A JSON value that was read or is to be written; the members of an object keep their order.
public enum JSON: Sendable {
  case null
  /// True or false.
  case bool(Bool)
  case integer(Int)
  /// A number that is written as an integer, up to 2^64 - 1.
  case unsigned(UInt64)
  /// Any other number, and every number that is read; written as null unless finite.
  case number(Double)
  case text(String)
  /// An array.
  case list([JSON])
  /// An object; when a name occurs twice, the first member counts.
  case object([(name: String, value: JSON)])

  /// A string, or null.
  public static func optional(_ text: String?) -> JSON { text.map(JSON.text) ?? .null }

  /// The first member of an object with a name.
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

  /// The number, or the numbers of a list that holds only numbers.
  public var numbers: [Double]? {
    guard case .list(let values) = self else { return double.map { [$0] } }
    let numbers = values.compactMap(\.double)
    return numbers.count == values.count ? numbers : nil
  }

  /// What errors call the value: "the text "abc"", "a list of 3".
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
  /// The stack that reading, writing or comparing needs for each level of nesting, in bytes; a
  /// build for debugging needs the most, 9.7 KiB to read an object.
  package static let stackPerLevel = 12 << 10
}

extension JSON: Hashable {
  /// Compares numbers as doubles and objects regardless of the order of their members.
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

  /// Hashes what equal values have in common; of an object only the number of its members.
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
