import Glibc

/// Separated values (RFC 4180); fields are positions, so a row costs no allocation.
struct FieldScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let separator: UInt8
  private let name: String
  private(set) var position: Int
  private var line = 1

  static let quote = UInt8(ascii: "\"")
  static let semicolon = UInt8(ascii: ";")
  private static let newline = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  init(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, separator: UInt8, name: String = "") {
    (self.bytes, self.separator, self.name) = (bytes, separator, name)
    position = start
  }

  /// Skips blank rows; nil at the end.
  mutating func next(_ starts: inout [Int32]) throws(HostError) -> (line: Int, fields: Int)? {
    while position < bytes.count {
      let (start, first) = (line, position)
      var fields = 0
      while true {
        starts.append(Int32(truncatingIfNeeded: position))
        fields &+= 1
        if position < bytes.count, bytes[position] == Self.quote {
          try skipQuoted()
        } else {
          skipPlain()
        }
        guard position < bytes.count, bytes[position] == separator else { break }
        position &+= 1
      }
      let isBlank = position == first
      skipLineEnd()
      if !isBlank { return (start, fields) }
      starts.removeLast()
    }
    return nil
  }

  mutating func text() -> String {
    let start = position
    guard position < bytes.count, bytes[position] == Self.quote else {
      skipPlain()
      return String(decoding: bytes[start..<position], as: UTF8.self)
    }
    var text: [UInt8] = []
    position += 1
    while position < bytes.count {
      if bytes[position] == Self.quote {
        guard position + 1 < bytes.count, bytes[position + 1] == Self.quote else { break }
        position += 1
      }
      text.append(bytes[position])
      position += 1
    }
    return String(decoding: text, as: UTF8.self)
  }

  mutating func number(at start: Int) -> Double? {
    let isQuoted = start < bytes.count && bytes[start] == Self.quote
    var place = isQuoted ? start &+ 1 : start
    if let number = bytes.shortDecimal(at: &place) {
      let isAtEnd = place == bytes.count
      let isClosed =
        isQuoted
        ? !isAtEnd && bytes[place] == Self.quote
          && (place &+ 1 == bytes.count || bytes[place &+ 1] != Self.quote)
        : isAtEnd || isEnd(bytes[place])
      if isClosed { return number }
    }
    position = start
    let text = text()
    return text.decimal ?? (separator == Self.semicolon ? text.decimalWithComma : nil)
  }

  @inline(__always)
  private mutating func skipPlain() {
    // Digits and points are neither separators nor line ends.
    var place = position
    while place < bytes.count, bytes[place] &- 0x2E < 12 || !isEnd(bytes[place]) { place &+= 1 }
    position = place
  }

  private mutating func skipQuoted() throws(HostError) {
    let start = line
    position += 1
    while true {
      guard position < bytes.count else {
        throw HostError(
          .invalidTable, "\(name) line \(start): a quoted field never ends; close it with a quote")
      }
      let byte = bytes[position]
      position += 1
      if byte == Self.quote {
        guard position < bytes.count, bytes[position] == Self.quote else { break }
        position += 1
      } else if byte == Self.newline {
        line += 1
      }
    }
    guard position == bytes.count || isEnd(bytes[position]) else {
      throw HostError(
        .invalidTable,
        "\(name) line \(line): text follows a closing quote; expected "
          + "\(separator == UInt8(ascii: ",") ? "a comma" : "a separator") or the line's end "
          + "(a quote inside quotes is written twice)")
    }
  }

  @inline(__always)
  private func isEnd(_ byte: UInt8) -> Bool {
    byte == separator || byte == Self.newline || byte == Self.carriageReturn
  }

  @inline(__always)
  private mutating func skipLineEnd() {
    guard position < bytes.count else { return }
    let isReturn = bytes[position] == Self.carriageReturn
    position &+= 1
    line &+= 1
    if isReturn, position < bytes.count, bytes[position] == Self.newline { position &+= 1 }
  }
}

/// Scans a line of JSON without creating values; leaves unusual lines to the JSON parser.
struct ObjectScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let end: Int
  private(set) var position: Int

  private static let maximumDepth = 32

  init(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) {
    (self.bytes, self.end) = (bytes, end)
    position = start
  }

  /// False unless the line has exactly these names; of duplicates, the first counts.
  ///
  /// - Parameter order: The order of names in the previous line, usually the same.
  mutating func object(
    _ names: [[UInt8]], order: inout [Int], starts: UnsafeMutableBufferPointer<Int32>
  ) -> Bool {
    guard skip("{") else { return false }
    var (member, found) = (0, 0)
    while !skip("}") {
      guard skip("\""), !names.isEmpty else { return false }
      if member >= order.count { order.append(0) }
      if !skip(name: names[order[member]]) {
        guard let known = names.firstIndex(where: { skip(name: $0) }) else { return false }
        order[member] = known
      }
      guard skip(":") else { return false }
      skipSpaces()
      if starts[order[member]] < 0 {
        starts[order[member]] = Int32(truncatingIfNeeded: position)
        found += 1
      }
      guard value(depth: 1) else { return false }
      member += 1
      if !skip(","), !isNext("}") { return false }
    }
    skipSpaces()
    return found == names.count && position == end
  }

  mutating func value(depth: Int = 0) -> Bool {
    guard position < end, depth < Self.maximumDepth else { return false }
    switch bytes[position] {
    case UInt8(ascii: "\""):
      position += 1
      return string()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return number()
    case UInt8(ascii: "t"): return skip(word: "true")
    case UInt8(ascii: "f"): return skip(word: "false")
    case UInt8(ascii: "n"): return skip(word: "null")
    case UInt8(ascii: "["):
      position += 1
      while !skip("]") {
        guard value(depth: depth + 1) else { return false }
        if !skip(","), !isNext("]") { return false }
      }
      return true
    case UInt8(ascii: "{"):
      position += 1
      while !skip("}") {
        guard skip("\""), string(), skip(":") else { return false }
        skipSpaces()
        guard value(depth: depth + 1) else { return false }
        if !skip(","), !isNext("}") { return false }
      }
      return true
    default: return false
    }
  }

  /// A number, or a text that contains one.
  mutating func number() -> Double? {
    let isQuoted = bytes[position] == UInt8(ascii: "\"")
    var place = position + (isQuoted ? 1 : 0)
    if let number = bytes.shortDecimal(at: &place), place < end {
      let next = bytes[place]
      if isQuoted ? next == UInt8(ascii: "\"") : next | 0x20 != UInt8(ascii: "e") { return number }
    }
    return (try? value() as JSON)?.plainNumber
  }

  mutating func value() throws(HostError) -> JSON {
    let start = position
    guard value() as Bool else { return .null }
    return try JSON(parsing: Array(bytes[start..<position]), name: "the value")
  }

  @inline(__always)
  private mutating func skipSpaces() {
    while position < end {
      switch bytes[position] {
      case 0x20, 0x09, 0x0D: position += 1
      default: return
      }
    }
  }

  @inline(__always)
  private mutating func isNext(_ symbol: Unicode.Scalar) -> Bool {
    skipSpaces()
    return position < end && bytes[position] == UInt8(ascii: symbol)
  }

  @inline(__always)
  private mutating func skip(_ symbol: Unicode.Scalar) -> Bool {
    guard isNext(symbol) else { return false }
    position += 1
    return true
  }

  private mutating func skip(word: StaticString) -> Bool {
    let length = word.utf8CodeUnitCount
    guard end - position >= length,
      memcmp(bytes.baseAddress! + position, word.utf8Start, length) == 0
    else { return false }
    position += length
    return true
  }

  private mutating func skip(name: [UInt8]) -> Bool {
    guard position + name.count < end, bytes[position + name.count] == UInt8(ascii: "\"") else {
      return false
    }
    for place in name.indices where bytes[position + place] != name[place] { return false }
    position += name.count + 1
    return true
  }

  private mutating func string() -> Bool {
    let start = position
    var isASCII = true
    while position < end {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard !isASCII else { return true }
        let text = UnsafeBufferPointer(rebasing: bytes[start..<position - 1])
        return (try? UTF8Span(validating: text.span)) != nil
      case UInt8(ascii: "\\"): guard escape() else { return false }
      case 0..<0x20: return false
      case 0x80...: isASCII = false
      default: break
      }
    }
    return false
  }

  /// Not for surrogate pairs.
  private mutating func escape() -> Bool {
    guard position < end else { return false }
    let letter = bytes[position]
    position += 1
    switch letter {
    case UInt8(ascii: "u"):
      guard end - position >= 4 else { return false }
      let digits = bytes[position..<position + 4]
      guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
        digits.first.map({ $0 | 0x20 }) != UInt8(ascii: "d")
      else { return false }
      position += 4
      return true
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return true
    default: return false
    }
  }

  private mutating func number() -> Bool {
    let start = position
    if bytes[position] == UInt8(ascii: "-") { position += 1 }
    let first = position
    guard digits() else { return false }
    if bytes[first] == UInt8(ascii: "0"), position > first + 1 { return false }
    if position < end, bytes[position] == UInt8(ascii: ".") {
      position += 1
      guard digits() else { return false }
    }
    let hasExponent = position < end && bytes[position] | 0x20 == UInt8(ascii: "e")
    if hasExponent {
      position += 1
      if position < end, [UInt8(ascii: "-"), UInt8(ascii: "+")].contains(bytes[position]) {
        position += 1
      }
      guard digits() else { return false }
    }
    guard hasExponent || position - start > 300 else { return true }
    return (try? JSON(parsing: Array(bytes[start..<position]), name: "")) != nil
  }

  private mutating func digits() -> Bool {
    let start = position
    while position < end, bytes[position] &- UInt8(ascii: "0") < 10 { position += 1 }
    return position > start
  }
}

private let powers: [15 of Double] = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14,
]

extension UnsafeBufferPointer<UInt8> {
  /// At most 15 digits: the quotient of two exact doubles is the nearest one.
  @inline(__always)
  func shortDecimal(at position: inout Int) -> Double? {
    let bytes = self
    let zero = UInt8(ascii: "0")
    var place = position
    let isNegative = place < bytes.count && bytes[place] == UInt8(ascii: "-")
    if isNegative { place &+= 1 }
    let first = place
    var (number, fraction) = (0, 0)
    while place < bytes.count, bytes[place] &- zero < 10 {
      number = number &* 10 &+ Int(bytes[place] &- zero)
      place &+= 1
    }
    var digits = place &- first
    guard digits > 0 else { return nil }
    if place < bytes.count, bytes[place] == UInt8(ascii: ".") {
      place &+= 1
      let point = place
      while place < bytes.count, bytes[place] &- zero < 10 {
        number = number &* 10 &+ Int(bytes[place] &- zero)
        place &+= 1
      }
      fraction = place &- point
      guard fraction > 0 else { return nil }
      digits &+= fraction
    }
    guard digits <= 15 else { return nil }
    position = place
    let magnitude = fraction == 0 ? Double(number) : Double(number) / powers[fraction]
    return isNegative ? -magnitude : magnitude
  }
}
