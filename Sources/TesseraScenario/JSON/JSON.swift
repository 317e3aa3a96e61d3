/// A JSON value to be written: its members keep their order.
public indirect enum JSON: Sendable {
  /// Nothing.
  case null
  /// True or false.
  case bool(Bool)
  /// A whole number.
  case integer(Int)
  /// A whole number that is not negative.
  case unsigned(UInt64)
  /// A number; null is written for one that is not finite.
  case number(Double)
  /// A text.
  case text(String)
  /// A list.
  case list([JSON])
  /// Named values in the order to be written.
  case object([(name: String, value: JSON)])

  /// The text, or null.
  public static func optional(_ text: String?) -> JSON { text.map(JSON.text) ?? .null }

  /// The value as text, indented, with lists of plain values on one line.
  public var text: String {
    var result = ""
    write(to: &result, indent: "")
    return result
  }

  /// The value as text on one line, without spaces.
  public var line: String {
    switch self {
    case .list(let values): return "[\(values.map(\.line).joined(separator: ","))]"
    case .object(let members):
      let texts = members.map { "\(JSON.text($0.name).text):\($0.value.line)" }
      return "{\(texts.joined(separator: ","))}"
    default: return text
    }
  }

  private var isPlain: Bool {
    switch self {
    case .list, .object: false
    default: true
    }
  }

  /// The shortest text that reads back to the same double, -0 with its sign.
  private static func text(of number: Double) -> String {
    number == 0 && number.sign == .minus ? "-0.0" : number.shortText
  }

  private func write(to result: inout String, indent: String) {
    switch self {
    case .null: result += "null"
    case .bool(let value): result += "\(value)"
    case .integer(let value): result += "\(value)"
    case .unsigned(let value): result += "\(value)"
    case .number(let value): result += value.isFinite ? Self.text(of: value) : "null"
    case .text(let value): Self.write(value, to: &result)
    case .list(let values) where values.allSatisfy(\.isPlain):
      result += "["
      for (index, value) in values.enumerated() {
        if index > 0 { result += ", " }
        value.write(to: &result, indent: indent)
      }
      result += "]"
    case .list(let values):
      Self.write(values.count, "[", "]", to: &result, indent: indent) { index, result, inner in
        values[index].write(to: &result, indent: inner)
      }
    case .object(let members):
      Self.write(members.count, "{", "}", to: &result, indent: indent) { index, result, inner in
        Self.write(members[index].name, to: &result)
        result += ": "
        members[index].value.write(to: &result, indent: inner)
      }
    }
  }

  private static func write(
    _ count: Int, _ opening: String, _ closing: String, to result: inout String, indent: String,
    _ element: (Int, inout String, String) -> Void
  ) {
    result += opening
    let inner = indent + "  "
    for index in 0..<count {
      result += (index > 0 ? ",\n" : "\n") + inner
      element(index, &result, inner)
    }
    result += count > 0 ? "\n\(indent)\(closing)" : closing
  }

  private static func write(_ text: String, to result: inout String) {
    result += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    result += "\""
  }
}
