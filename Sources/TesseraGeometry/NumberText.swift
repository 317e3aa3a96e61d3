// Number formatting, independent of the locale.

extension Double {
  /// The shortest text that parses to the same number: "12.5", "3", "1e+300"; -0 is "0".
  public var shortText: String {
    if self == 0 { return "0" }
    return numberText { writeNumber(self, to: $0) }
  }

  /// The number with at most three decimals; `shortText` from 10^12 on, for infinity and NaN.
  public var readableText: String {
    guard isFinite, magnitude < 1e12 else { return shortText }
    return numberText { writeNumber(rounded: self, to: $0) }
  }
}

extension [UInt8] {
  // Unlike `shortText`, keeps the sign of -0.
  package mutating func append(number: Double) { append { writeNumber(number, to: $0) } }

  package mutating func append(number: Int64) { append { writeNumber(number, to: $0) } }

  // At most three decimals, no exponent, no -0. Clamps to ±10^15; NaN and infinity are 0.
  package mutating func append(rounded number: Double) {
    append { writeNumber(rounded: number, to: $0) }
  }

  private mutating func append(_ write: (UnsafeMutablePointer<UInt8>) -> Int) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: longestNumber) { text in
      let length = write(text.baseAddress!)
      append(contentsOf: UnsafeBufferPointer(rebasing: text[..<length]))
    }
  }
}

// Writers need `longestNumber` bytes and return the length.

// Above the longest, "-2.2250738585072014e-308".
let longestNumber = 32

private func numberText(_ write: (UnsafeMutablePointer<UInt8>) -> Int) -> String {
  String(unsafeUninitializedCapacity: longestNumber) { write($0.baseAddress!) }
}

func writeNumber(_ number: Double, to text: UnsafeMutablePointer<UInt8>) -> Int {
  let magnitude = number.magnitude
  let sign = number.sign == .minus ? 1 : 0
  text[0] = UInt8(ascii: "-")
  // No other decimal of at most 15 digits parses to this double, so it is the shortest.
  if magnitude < 1e11 {
    let whole = UInt64(magnitude)
    if Double(whole) == magnitude { return sign + writeNumber(digitsOf: whole, to: text + sign) }
    let scaled = UInt64(magnitude * 10_000 + 0.5)
    if Double(scaled) / 10_000 == magnitude {
      let (whole, fraction) = scaled.quotientAndRemainder(dividingBy: 10_000)
      let length = sign + writeNumber(digitsOf: whole, to: text + sign)
      return length + writeNumber(fraction: fraction, places: 4, to: text + length)
    }
  } else if magnitude < 0x1p53, magnitude == magnitude.rounded(.towardZero) {
    return sign + writeNumber(digitsOf: UInt64(magnitude), to: text + sign)
  }
  var description = "\(number)"
  return description.withUTF8 { bytes in
    let isWhole =
      bytes.count > 2 && bytes[bytes.count - 2] == UInt8(ascii: ".")
      && bytes[bytes.count - 1] == UInt8(ascii: "0")
    let length = bytes.count - (isWhole ? 2 : 0)
    text.update(from: bytes.baseAddress!, count: length)
    return length
  }
}

func writeNumber(_ number: Int64, to text: UnsafeMutablePointer<UInt8>) -> Int {
  text[0] = UInt8(ascii: "-")
  let sign = number < 0 ? 1 : 0
  return sign + writeNumber(digitsOf: number.magnitude, to: text + sign)
}

func writeNumber(rounded number: Double, to text: UnsafeMutablePointer<UInt8>) -> Int {
  let limit = 1e15
  let scaled = number.isFinite ? min(number.magnitude, limit) * 1000 : 0
  // `rounded()` would be a call.
  let below = Int64(scaled)
  let thousandths = UInt64(scaled - Double(below) < 0.5 ? below : below + 1)
  text[0] = UInt8(ascii: "-")
  let sign = number < 0 && thousandths > 0 ? 1 : 0
  let (whole, fraction) = thousandths.quotientAndRemainder(dividingBy: 1000)
  let length = sign + writeNumber(digitsOf: whole, to: text + sign)
  return length + writeNumber(fraction: fraction, places: 3, to: text + length)
}

private func writeNumber(
  fraction: UInt64, places: Int, to text: UnsafeMutablePointer<UInt8>
) -> Int {
  guard fraction > 0 else { return 0 }
  text[0] = UInt8(ascii: ".")
  var (rest, length) = (UInt32(truncatingIfNeeded: fraction), 0)
  for place in stride(from: places, to: 0, by: -1) {
    let digit = rest % 10
    rest /= 10
    text[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
    if digit != 0, length == 0 { length = place }
  }
  return length + 1
}

private func writeNumber(digitsOf number: UInt64, to text: UnsafeMutablePointer<UInt8>) -> Int {
  var length = 1
  var limit: UInt64 = 10
  while length < 20, number >= limit {
    length += 1
    limit = limit &* 10
  }
  var place = length
  var rest = number
  while rest > UInt64(UInt32.max) {
    place -= 1
    text[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
    rest /= 10
  }
  var small = UInt32(truncatingIfNeeded: rest)
  while place > 0 {
    place -= 1
    text[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: small % 10)
    small /= 10
  }
  return length
}
