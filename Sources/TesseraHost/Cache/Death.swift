/// One time that a library's worker died.
struct Death: Equatable, Sendable {
  /// When, in seconds since 1970.
  let seconds: Int64
  /// What it died of: one line of at most 200 bytes.
  let cause: String

  /// The most bytes of a cause.
  static let causeLimit = 200

  init(seconds: Int64, cause: String) {
    self.seconds = seconds
    var line = ""
    for scalar in cause.unicodeScalars {
      let shown = scalar.properties.generalCategory == .control ? " " : scalar
      guard line.utf8.count + String(shown).utf8.count <= Self.causeLimit else { break }
      line.unicodeScalars.append(shown)
    }
    self.cause = line
  }
}

// A record in a file: every one has the same size, so that one write appends it whole, and its own
// sum, so that a piece of one, left behind by a full disk, is passed over.
extension Death {
  /// The bytes of a record.
  static let recordSize = 256
  private static let magic = Array("TsraDied".utf8)
  private static let sumSize = 8

  var record: [UInt8] {
    var writer = ByteWriter(reserving: Self.recordSize)
    writer.put(raw: Self.magic)
    writer.put(seconds)
    writer.put(cause)
    let rest = Self.recordSize - Self.sumSize - writer.bytes.count
    writer.put(raw: Array(repeating: 0, count: rest))
    writer.put(raw: SHA256.digest(of: writer.bytes).bytes.prefix(Self.sumSize))
    return writer.bytes
  }

  /// The whole records among some bytes, wherever they begin.
  static func records(in bytes: [UInt8]) -> [Death] {
    var deaths: [Death] = []
    var start = 0
    while start + recordSize <= bytes.count {
      if let death = Death(record: bytes[start..<start + recordSize]) {
        deaths.append(death)
        start += recordSize
      } else {
        start += 1
      }
    }
    return deaths
  }

  private init?(record: ArraySlice<UInt8>) {
    guard record.starts(with: Self.magic) else { return nil }
    let body = Array(record.dropLast(Self.sumSize))
    guard record.suffix(Self.sumSize).elementsEqual(SHA256.digest(of: body).bytes.prefix(8)) else {
      return nil
    }
    var reader = ByteReader(Array(body.dropFirst(Self.magic.count)))
    guard let seconds = try? reader.int64(), let cause = try? reader.string() else { return nil }
    self.init(seconds: seconds, cause: cause)
  }
}
