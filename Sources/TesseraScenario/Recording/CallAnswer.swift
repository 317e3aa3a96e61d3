/// What a session answered, as it answered it.
enum CallAnswer {
  /// Nothing: something was set.
  case done
  case size(Size)
  case point(Point)
  case elements(Elements)
  /// One element with the engine's own attributes; nil where there is none such.
  case element(Element?, [AttributeDescription])
  case value(CallValue)
  case animation(LayoutAnimation)
  /// Whether a rule held, and what was there instead.
  case verdict(SuiteVerdict)

  /// Appends the answer as JSON on one line; nothing for `done`.
  func append(to output: inout OutputBytes) {
    switch self {
    case .done: break
    case .size(let size): output.append(list: [size.width, size.height])
    case .point(let point): output.append(list: [point.x, point.y])
    case .elements(let elements):
      output.append("[" as StaticString)
      for place in elements.indices {
        if place > 0 { output.append("," as StaticString) }
        output.append(elements[place], attributes: elements.attributes)
      }
      output.append("]" as StaticString)
    case .element(nil, _): output.append("null" as StaticString)
    case .element(let element?, let attributes): output.append(element, attributes: attributes)
    case .value(let value): output.append(JSON(recorded: value).line)
    case .animation(let animation):
      TrackWriter(animation).write { bytes in
        output.append(bytes: bytes.filter { $0 != UInt8(ascii: "\n") })
      }
    case .verdict(let verdict):
      output.append(JSON.object([("holds", .bool(verdict.holds))]).line)
    }
  }

  /// The answer as a recording has it; null for `done`.
  func json() throws(HostError) -> JSONValue {
    var output = OutputBytes()
    append(to: &output)
    guard !output.bytes.isEmpty else { return .null }
    return try JSONValue(parsing: output.bytes, name: "the answer")
  }
}

/// What a case of the suite came to.
public struct SuiteVerdict: Equatable, Sendable {
  /// Whether the rule held.
  public var holds: Bool
  /// What the rule wants, where it did not hold.
  public var expected: String
  /// What was there instead.
  public var found: String

  /// What a case came to.
  public init(holds: Bool, expected: String = "", found: String = "") {
    (self.holds, self.expected, self.found) = (holds, expected, found)
  }
}

extension JSON {
  /// What a function gave: a structure as its numbers, a whole number that no double holds as a text.
  init(recorded value: CallValue) {
    switch value {
    case .void: self = .null
    case .bool(let bool): self = .bool(bool)
    case .signed(let integer):
      self = integer.magnitude <= 1 << 53 ? .integer(Int(integer)) : .text("\(integer)")
    case .unsigned(let integer):
      self = integer <= 1 << 53 ? .unsigned(integer) : .text("\(integer)")
    case .number(let number): self = .number(number)
    case .point, .size, .rect, .insets: self = .list(value.numbers.map(JSON.number))
    }
  }
}
