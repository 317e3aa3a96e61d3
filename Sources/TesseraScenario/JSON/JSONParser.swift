import FoundationEssentials

extension JSON {
  /// Parses a document, called `name` in errors; throws `.invalidInput` with the place.
  public init(parsing bytes: some DataProtocol, name: String) throws(HostError) {
    self = try Array(bytes).withUnsafeBufferPointer { bytes throws(HostError) in
      var parser = JSONParser(bytes, name: name)
      return try parser.document()
    }
  }
}

/// A recursive-descent parser of JSON (RFC 8259), limited in depth.
///
/// Foundation's decoder loses the order of members and the lines of mistakes.
struct JSONParser {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let name: String
  /// Whether to return values, not only to check them.
  private let keepsValues: Bool
  private(set) var position: Int
  /// An index has no key.
  private var path: [(key: String?, index: Int)] = []

  init(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0, name: String = "the value",
    keepsValues: Bool = true
  ) {
    (self.bytes, self.name, self.keepsValues) = (bytes, name, keepsValues)
    position = start
  }

  mutating func document() throws(HostError) -> JSON {
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
      throw HostError(.malformedJSON, "\(name) is in UTF-16; save it in UTF-8")
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    let value = try value()
    guard next == nil else { throw unexpected("the end") }
    return value
  }

  /// Without white space; unread.
  var next: UInt8? {
    mutating get {
      while position < bytes.count {
        switch bytes[position] {
        case 0x20, 0x09, 0x0A, 0x0D: position += 1
        default: return bytes[position]
        }
      }
      return nil
    }
  }

  mutating func skip(_ symbol: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: symbol) else { return false }
    position += 1
    return true
  }

  /// Skips a name without escapes, and its closing quote.
  mutating func skip(name: [UInt8]) -> Bool {
    let end = position + name.count
    guard end < bytes.count, bytes[end] == UInt8(ascii: "\""),
      bytes[position..<end].elementsEqual(name)
    else { return false }
    position = end + 1
    return true
  }

  mutating func value() throws(HostError) -> JSON {
    guard let next else { throw unexpected("a value") }
    switch next {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try list()
    case UInt8(ascii: "\""): return .text(try string())
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    default: throw unexpected("a value")
    }
  }

  private mutating func object() throws(HostError) -> JSON {
    try nest(("", 0))
    var members: [(name: String, value: JSON)] = []
    while !skip("}") {
      guard next == UInt8(ascii: "\"") else { throw unexpected("a key in quotes or \"}\"") }
      let key = try string()
      guard skip(":") else { throw unexpected("\":\"") }
      path[path.count - 1].key = key
      let value = try value()
      if keepsValues { members.append((key, value)) }
      guard skip(",") else {
        guard next == UInt8(ascii: "}") else { throw unexpected("\",\" or \"}\"") }
        continue
      }
    }
    path.removeLast()
    return .object(members)
  }

  private mutating func list() throws(HostError) -> JSON {
    try nest((nil, 0))
    var values: [JSON] = []
    while !skip("]") {
      path[path.count - 1].index = values.count
      let value = try value()
      if keepsValues { values.append(value) }
      guard skip(",") else {
        guard next == UInt8(ascii: "]") else { throw unexpected("\",\" or \"]\"") }
        continue
      }
    }
    path.removeLast()
    return .list(values)
  }

  private mutating func nest(_ step: (key: String?, index: Int)) throws(HostError) {
    guard path.count < JSON.deepestNesting else {
      throw error("lists and objects are nested deeper than \(JSON.deepestNesting) levels")
    }
    path.append(step)
    position += 1
  }

  private mutating func literal(_ text: String, _ value: JSON) throws(HostError) -> JSON {
    guard bytes[position...].starts(with: text.utf8) else { throw unexpected("a value") }
    position += text.utf8.count
    return value
  }

  private mutating func number() throws(HostError) -> Double {
    if let number = shortNumber() { return number }
    let start = position
    if bytes[position] == UInt8(ascii: "-") { position += 1 }
    let first = position
    guard digits() > 0 else { throw unexpected("a digit") }
    guard position == first + 1 || bytes[first] != UInt8(ascii: "0") else {
      position = first
      throw error("a number begins with 0", at: first)
    }
    if peek == UInt8(ascii: ".") {
      position += 1
      guard digits() > 0 else { throw unexpected("a digit") }
    }
    if let mark = peek, mark | 0x20 == UInt8(ascii: "e") {
      position += 1
      if peek == UInt8(ascii: "-") || peek == UInt8(ascii: "+") { position += 1 }
      guard digits() > 0 else { throw unexpected("a digit") }
    }
    let text = bytes[start..<position]
    let digits = String(decoding: text, as: UTF8.self)
    let value = Double(digits) ?? .infinity
    let mantissa = text.prefix { $0 | 0x20 != UInt8(ascii: "e") }
    let isZero = mantissa.allSatisfy { !(UInt8(ascii: "1")...UInt8(ascii: "9") ~= $0) }
    guard value.isFinite, value != 0 || isZero else {
      throw HostError(
        .malformedJSON,
        "\(pathText) in \(name) is a number too large or too small for a double; use another")
    }
    return value
  }

  /// Fast path.
  private mutating func shortNumber() -> Double? {
    var place = position
    let first = bytes[position] == UInt8(ascii: "-") ? position + 1 : position
    guard let number = bytes.shortDecimal(at: &place) else { return nil }
    if place < bytes.count, bytes[place] | 0x20 == UInt8(ascii: "e") { return nil }
    if bytes[first] == UInt8(ascii: "0"), place > first + 1, bytes[first + 1] != UInt8(ascii: ".") {
      return nil
    }
    position = place
    return number
  }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func digits() -> Int {
    let start = position
    while let byte = peek, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { position += 1 }
    return position - start
  }

  private mutating func string() throws(HostError) -> String {
    position += 1
    let start = position
    var text: [UInt8] = []
    var copied = start
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\""):
        let whole = UnsafeBufferPointer(rebasing: bytes[start..<position])
        text += bytes[copied..<position]
        position += 1
        if !keepsValues, (try? UTF8Span(validating: whole.span)) != nil { return "" }
        guard let string = String(validating: text, as: UTF8.self) else {
          throw error("a text is not in UTF-8", at: start)
        }
        return string
      case UInt8(ascii: "\\"):
        text += bytes[copied..<position]
        text += String(try escape()).utf8
        copied = position
      case 0..<0x20: throw error("a text contains a control character; escape it", at: position)
      default: position += 1
      }
    }
    throw unexpected("a quote that ends the text")
  }

  private mutating func escape() throws(HostError) -> Unicode.Scalar {
    position += 1
    let letter = peek
    position += 1
    switch letter {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let start = position - 2
      let unit = try hexadecimal()
      if let scalar = Unicode.Scalar(unit) { return scalar }
      guard bytes[position...].starts(with: "\\u".utf8) else {
        throw error("half a surrogate pair", at: start)
      }
      position += 2
      let units = [unit, try hexadecimal()]
      guard let text = String(validating: units, as: UTF16.self),
        let scalar = text.unicodeScalars.first
      else { throw error("half a surrogate pair", at: start) }
      return scalar
    default:
      position = min(position - 1, bytes.count)
      throw unexpected("one of \"\\/bfnrtu")
    }
  }

  private mutating func hexadecimal() throws(HostError) -> UInt16 {
    let text = bytes[position...].prefix(4)
    guard text.count == 4, text.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt16(String(decoding: text, as: UTF8.self), radix: 16)
    else { throw unexpected("four hexadecimal digits") }
    position += 4
    return unit
  }

  private var pathText: String {
    path.reduce(into: "") { text, step in
      text = step.key.map { JSONNode.join(text, clipped($0)) } ?? "\(text)[\(step.index)]"
    }
  }

  private mutating func unexpected(_ expected: String) -> HostError {
    guard position < bytes.count else { return error("it ends too early; expected \(expected)") }
    let rest = String(decoding: bytes[position...].prefix(16), as: UTF8.self)
    return error("found \"\(rest.prefix(1))\"", at: position, "; expected \(expected)")
  }

  private func error(_ message: String, at place: Int, _ more: String = "") -> HostError {
    let before = bytes[..<place]
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let column = String(decoding: bytes[start..<place], as: UTF8.self).count + 1
    return error("\(message) at line \(line), character \(column)\(more)")
  }

  private func error(_ message: String) -> HostError {
    HostError(.malformedJSON, "\(name) is not JSON: \(message)")
  }
}
