// The two ways to write a number: exactly, and with at most three decimals. Neither uses a locale.

extension Double {
  /// The shortest text that reads back as the same number: "12.5", "3", "1e+300"; -0 is "0".
  public var shortText: String {
    if self == 0 { return "0" }
    var bytes: [UInt8] = []
    bytes.append(number: self)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The number with at most three decimals; from 10^12 on, and where it is not finite, `shortText`.
  package var readableText: String {
    guard isFinite, magnitude < 1e12 else { return shortText }
    var bytes: [UInt8] = []
    bytes.append(rounded: self)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension [UInt8] {
  /// Appends the shortest text that reads back as the same number, -0 with its sign.
  package mutating func append(number: Double) {
    let magnitude = number.magnitude
    // A decimal of at most 15 digits is the only one that reads back as its double, so it is the shortest.
    if magnitude < 1e11 {
      let scaled = UInt64(magnitude * 10_000 + 0.5)
      if Double(scaled) / 10_000 == magnitude {
        return append(tenThousandths: scaled, isNegative: number.sign == .minus)
      }
    } else if magnitude < 0x1p53, magnitude == magnitude.rounded(.towardZero) {
      return append(number: Int64(number))
    }
    let text = "\(number)"
    append(contentsOf: text.utf8.dropLast(text.hasSuffix(".0") ? 2 : 0))
  }

  private mutating func append(tenThousandths number: UInt64, isNegative: Bool) {
    var (whole, fraction) = number.quotientAndRemainder(dividingBy: 10_000)
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { text in
      var start = 32
      func put(_ byte: UInt8) {
        start -= 1
        text[start] = byte
      }
      if fraction != 0 {
        var digits = 4
        while fraction % 10 == 0 { (fraction, digits) = (fraction / 10, digits - 1) }
        for _ in 0..<digits {
          put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: fraction % 10))
          fraction /= 10
        }
        put(UInt8(ascii: "."))
      }
      repeat {
        put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: whole % 10))
        whole /= 10
      } while whole > 0
      if isNegative { put(UInt8(ascii: "-")) }
      append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    }
  }

  /// Appends an integer.
  package mutating func append(number: Int64) {
    if number < 0 { append(UInt8(ascii: "-")) }
    append(digitsOf: number.magnitude)
  }

  /// Appends a number with at most three decimals, without an exponent and without a negative zero.
  ///
  /// A number that is not finite is written as 0, one beyond ±10^15 as ±10^15.
  package mutating func append(rounded number: Double) {
    let limit = 1e15
    let bounded = number.isFinite ? Swift.min(Swift.max(number, -limit), limit) : 0
    let thousandths = Int64((bounded * 1000).rounded())
    if thousandths < 0 { append(UInt8(ascii: "-")) }
    let (whole, fraction) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1000)
    append(digitsOf: whole)
    guard fraction > 0 else { return }
    append(UInt8(ascii: "."))
    var rest = fraction
    var place: UInt64 = 100
    while rest > 0 {
      append(UInt8(ascii: "0") + UInt8(rest / place))
      rest %= place
      place /= 10
    }
  }

  private mutating func append(digitsOf number: UInt64) {
    var rest = number
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { text in
      var start = 20
      repeat {
        start -= 1
        text[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    }
  }
}
