extension TextBuffer {
  private static var chunk: Int { 1 << 16 }

  init() { self.init(capacity: Self.chunk + 4096) }

  /// The unsent bytes.
  var bytes: [UInt8] { withBytes(Array.init) }

  mutating func flush(to sink: ([UInt8]) throws -> Void, whole: Bool = false) rethrows {
    guard count >= (whole ? 1 : Self.chunk) else { return }
    try sink(bytes)
    removeAll()
  }

  /// The shortest text that reads back as the same double; "null" if not finite.
  mutating func append(_ value: Double) {
    guard value.isFinite else { return append("null" as StaticString) }
    append(number: value)
  }

  mutating func append(_ value: Int64) { append(number: value) }

  mutating func append(_ value: Bool) {
    append(value ? "true" as StaticString : "false" as StaticString)
  }

  mutating func append(_ rect: Rect) {
    append(rect.x)
    append(UInt8(ascii: ","))
    append(rect.y)
    append(UInt8(ascii: ","))
    append(rect.width)
    append(UInt8(ascii: ","))
    append(rect.height)
  }

  mutating func append(_ category: ElementCategory) {
    switch category {
    case .cell: append("cell" as StaticString)
    case .supplementary: append("supplementary" as StaticString)
    case .decoration: append("decoration" as StaticString)
    }
  }

  mutating func append(list numbers: [Double]) {
    append(UInt8(ascii: "["))
    for (index, number) in numbers.enumerated() {
      if index > 0 { append(UInt8(ascii: ",")) }
      append(number)
    }
    append(UInt8(ascii: "]"))
  }

  /// Escapes characters that a terminal would interpret.
  mutating func append(json string: String) {
    append(UInt8(ascii: "\""))
    guard string.utf8.allSatisfy({ $0 < 0x7F }) else {
      for scalar in string.unicodeScalars {
        if UntrustedText.isInvisible(scalar), scalar.value >= 0x7F {
          for unit in String(scalar).utf16 {
            let digits = String(unit, radix: 16)
            append("\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)")
          }
        } else {
          append(jsonBytes: String(scalar).utf8)
        }
      }
      append(UInt8(ascii: "\""))
      return
    }
    append(jsonBytes: string.utf8)
    append(UInt8(ascii: "\""))
  }

  private mutating func append(jsonBytes string: String.UTF8View) {
    for byte in string {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        append(UInt8(ascii: "\\"))
        append(byte)
      case UInt8(ascii: "\n"): append("\\n" as StaticString)
      case UInt8(ascii: "\t"): append("\\t" as StaticString)
      case 0..<0x20:
        append("\\u00" as StaticString)
        append(String(byte >> 4, radix: 16))
        append(String(byte & 15, radix: 16))
      default: append(byte)
      }
    }
  }

  mutating func append(csv string: String) {
    let special: [UInt8] = [0x22, 0x2C, 0x0A, 0x0D]
    guard string.utf8.contains(where: { special.contains($0) }) else { return append(string) }
    append(UInt8(ascii: "\""))
    for byte in string.utf8 {
      if byte == UInt8(ascii: "\"") { append(byte) }
      append(byte)
    }
    append(UInt8(ascii: "\""))
  }
}

extension TextBuffer {
  /// Without default values.
  mutating func append(_ element: Element, attributes: [AttributeDescription]) {
    append(UInt8(ascii: "{"))
    appendMembers(of: element.identity)
    append(UInt8(ascii: ","))
    appendMembers(of: element, attributes: attributes)
    append(UInt8(ascii: "}"))
  }

  /// Without braces.
  mutating func appendMembers(of identity: ElementIdentity) {
    append("\"category\":\"" as StaticString)
    append(identity.category)
    if let kind = identity.kind {
      append("\",\"kind\":" as StaticString)
      append(json: kind)
    } else {
      append(UInt8(ascii: "\""))
    }
    append(",\"section\":" as StaticString)
    append(Int64(identity.section))
    append(",\"item\":" as StaticString)
    append(Int64(identity.item))
  }

  /// Without braces.
  mutating func appendMembers(of element: Element, attributes: [AttributeDescription]) {
    appendMembers(
      element.frame, zIndex: element.zIndex, alpha: element.alpha, isHidden: element.isHidden)
    if element.transform != .identity {
      append(",\"transform3D\":" as StaticString)
      append(list: element.transform.elements)
    }
    if !element.attributes.isEmpty { append(element.attributes, attributes) }
  }

  /// Without braces and default values.
  mutating func appendMembers(_ frame: Rect, zIndex: Int, alpha: Double, isHidden: Bool) {
    append("\"frame\":[" as StaticString)
    append(frame)
    append(UInt8(ascii: "]"))
    if zIndex != 0 {
      append(",\"zIndex\":" as StaticString)
      append(Int64(zIndex))
    }
    if alpha != 1 {
      append(",\"alpha\":" as StaticString)
      append(alpha)
    }
    if isHidden { append(",\"hidden\":true" as StaticString) }
  }

  private mutating func append(_ values: [Value], _ attributes: [AttributeDescription]) {
    append(",\"attributes\":{" as StaticString)
    for (index, (attribute, value)) in zip(attributes, values).enumerated() {
      if index > 0 { append(UInt8(ascii: ",")) }
      append(json: attribute.name)
      append(UInt8(ascii: ":"))
      append(value)
    }
    append(UInt8(ascii: "}"))
  }
}

extension TextBuffer {
  fileprivate mutating func append(_ value: Value) {
    switch value {
    case .number(let number): append(number)
    case .vector: append(list: value.numbers)
    case .choice(let name): append(json: name)
    case .void: append("null" as StaticString)
    case .bool, .integer, .unsigned: append(value.description)
    }
  }
}
