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

extension JSONParser {
  /// Finds the values of a line of JSON; false unless it has exactly these names.
  ///
  /// Of duplicates, the first counts.
  ///
  /// - Parameter order: The order of names in the previous line, usually the same.
  mutating func find(
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
      guard skip(":"), next != nil else { return false }
      if starts[order[member]] < 0 {
        starts[order[member]] = Int32(truncatingIfNeeded: position)
        found += 1
      }
      guard (try? value()) != nil else { return false }
      member += 1
      if !skip(","), next != UInt8(ascii: "}") { return false }
    }
    return found == names.count && next == nil
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
