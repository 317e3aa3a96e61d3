/// Reads the rows of comma-separated values (RFC 4180) with the lines on which they begin.
///
/// The usual package, SwiftCSV, does not report the lines of rows, silently fills rows that are too
/// short, and reads the text character by character. Tables often have an invalid row, and errors
/// must name its line.
struct CSVReader {
  private let bytes: [UInt8]
  private let name: String
  private var position = 0
  private var line = 1

  private static let quote = UInt8(ascii: "\"")
  private static let comma = UInt8(ascii: ",")
  private static let newline = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  init(_ bytes: [UInt8], name: String) {
    self.bytes = bytes
    self.name = name
  }

  /// The next row that is not blank, or nil at the end.
  mutating func next() throws(HostError) -> (line: Int, fields: [String])? {
    while position < bytes.count {
      let start = line
      let first = position
      var fields = [try field()]
      while position < bytes.count, bytes[position] == Self.comma {
        position += 1
        fields.append(try field())
      }
      let isBlank = position == first
      skipLineEnd()
      if !isBlank { return (start, fields) }
    }
    return nil
  }

  private mutating func field() throws(HostError) -> String {
    guard position < bytes.count, bytes[position] == Self.quote else {
      let start = position
      while position < bytes.count, !isEnd(bytes[position]) { position += 1 }
      return String(decoding: bytes[start..<position], as: UTF8.self)
    }
    return try quotedField()
  }

  private mutating func quotedField() throws(HostError) -> String {
    let start = line
    var text: [UInt8] = []
    position += 1
    while true {
      guard position < bytes.count else {
        throw HostError(
          .invalidInput, "\(name) line \(start): a quoted field never ends; close it with a quote")
      }
      let byte = bytes[position]
      position += 1
      if byte == Self.quote {
        guard position < bytes.count, bytes[position] == Self.quote else { break }
        position += 1
      } else if byte == Self.newline {
        line += 1
      }
      text.append(byte)
    }
    guard position == bytes.count || isEnd(bytes[position]) else {
      throw HostError(
        .invalidInput,
        "\(name) line \(line): text follows a closing quote; expected a comma or the line's end "
          + "(a quote inside quotes is written twice)")
    }
    return String(decoding: text, as: UTF8.self)
  }

  private func isEnd(_ byte: UInt8) -> Bool {
    byte == Self.comma || byte == Self.newline || byte == Self.carriageReturn
  }

  private mutating func skipLineEnd() {
    guard position < bytes.count else { return }
    if bytes[position] == Self.carriageReturn {
      position += 1
      guard position < bytes.count, bytes[position] == Self.newline else {
        line += 1
        return
      }
    }
    position += 1
    line += 1
  }
}
