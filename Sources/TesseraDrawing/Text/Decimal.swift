import Glibc

extension [UInt8] {
  /// Appends a number with at most three decimals, no exponent and no negative zero.
  ///
  /// What is not finite is 0, and what is beyond 10^15 is printed as that.
  mutating func append(decimal number: Double) {
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
