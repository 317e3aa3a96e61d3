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
    if number.magnitude < 0x1p53, let whole = Int64(exactly: number),
      whole != 0 || number.sign == .plus
    {
      append(number: whole)
    } else {
      let text = "\(number)"
      append(contentsOf: text.utf8.dropLast(text.hasSuffix(".0") ? 2 : 0))
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
    let start = count
    var rest = number
    repeat {
      append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    self[start...].reverse()
  }
}
