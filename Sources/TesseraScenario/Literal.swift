/// Plain numbers in texts.
enum Literal {
  /// A finite decimal number with nothing around it but spaces; no hexadecimal, no "nan".
  static func number(_ text: some StringProtocol) -> Double? {
    let bytes = text.utf8.drop { $0 == 0x20 }
    guard
      bytes.allSatisfy({
        $0 >= 0x30 && $0 <= 0x39 || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E || $0 | 0x20 == 0x65
          || $0 == 0x20
      })
    else { return nil }
    var digits = String(text)[...]
    while digits.first == " " { digits.removeFirst() }
    while digits.last == " " { digits.removeLast() }
    guard let value = Double(digits), value.isFinite else { return nil }
    return value
  }
}
