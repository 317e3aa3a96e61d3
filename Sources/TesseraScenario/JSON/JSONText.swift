extension JSON {
  /// A structure as a list, a choice as its name, void as null.
  public init(_ value: Value) {
    self =
      switch value {
      case .void: .null
      case .bool(let bool): .bool(bool)
      case .integer(let integer): .integer(Int(integer))
      case .unsigned(let integer): .unsigned(integer)
      case .number(let number): .number(number)
      case .choice(let name): .text(name)
      case .vector: .list(value.numbers.map(JSON.number))
      }
  }

  /// An integer that a double can't hold is a text.
  init(recorded value: Value) {
    let isExact =
      !value.type.isWhole || value.whole(Int64.self).map { $0.magnitude <= 1 << 53 } ?? false
    self = isExact ? JSON(value) : .text(value.description)
  }

  package init(_ records: RecordList) {
    let columns = records.columns.sorted { $0.key < $1.key }
    self = .list(
      (0..<records.count).map { record in
        .object(columns.map { ($0.key, JSON($0.value[record])) })
      })
  }
}

extension JSON {
  /// One line of text, without spaces.
  public var line: String {
    var output = TextBuffer()
    output.append(self)
    return String(decoding: output.bytes, as: UTF8.self)
  }

  /// Indented text, with lists of plain values on one line.
  public var text: String {
    var output = TextBuffer()
    output.append(self, indent: "")
    return String(decoding: output.bytes, as: UTF8.self)
  }

  fileprivate var isPlain: Bool {
    switch self {
    case .list, .object: false
    default: true
    }
  }
}

extension TextBuffer {
  mutating func append(_ json: JSON, indent: String? = nil) {
    switch json {
    case .null: append("null" as StaticString)
    case .bool(let value): append(value)
    case .integer(let value): append(Int64(value))
    case .unsigned(let value): append("\(value)")
    case .number(let value): append(value)
    case .text(let text): append(json: text)
    case .list(let values):
      let isOnOneLine = indent == nil || values.allSatisfy(\.isPlain)
      append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { append(UInt8(ascii: ",")) }
        if isOnOneLine {
          if indent != nil, index > 0 { append(UInt8(ascii: " ")) }
          append(value)
        } else {
          append(value, onALineOf: indent)
        }
      }
      if !isOnOneLine { append("\n\(indent ?? "")") }
      append(UInt8(ascii: "]"))
    case .object(let members):
      append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { append(UInt8(ascii: ",")) }
        if let indent { append("\n\(indent)  ") }
        append(json: member.name)
        append(indent == nil ? ":" as StaticString : ": " as StaticString)
        append(member.value, indent: indent.map { $0 + "  " })
      }
      if let indent, !members.isEmpty { append("\n\(indent)") }
      append(UInt8(ascii: "}"))
    }
  }

  private mutating func append(_ value: JSON, onALineOf indent: String?) {
    let inner = (indent ?? "") + "  "
    append("\n\(inner)")
    append(value, indent: inner)
  }
}

/// A Swift value in an object of JSON; nil is null.
package protocol JSONValue { var json: JSON { get } }

extension JSON: JSONValue { package var json: JSON { self } }
extension String: JSONValue { package var json: JSON { .text(self) } }
extension Bool: JSONValue { package var json: JSON { .bool(self) } }
extension Int: JSONValue { package var json: JSON { .integer(self) } }
extension UInt64: JSONValue { package var json: JSON { .unsigned(self) } }
extension Double: JSONValue { package var json: JSON { .number(self) } }
extension Value: JSONValue { package var json: JSON { JSON(self) } }
extension Optional: JSONValue where Wrapped: JSONValue {
  package var json: JSON { map(\.json) ?? .null }
}
extension Array: JSONValue where Element: JSONValue {
  package var json: JSON { .list(map(\.json)) }
}

extension JSON {
  /// An object with these members, in order.
  package init(_ members: KeyValuePairs<String, any JSONValue>) {
    self = .object(members.map { ($0.key, $0.value.json) })
  }
}
