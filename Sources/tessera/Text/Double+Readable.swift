import TesseraHost

extension Double {
  /// The number for a person: at most three decimals.
  var readableText: String {
    guard isFinite, magnitude < 1e12 else { return shortText }
    return ((self * 1000).rounded() / 1000).shortText
  }
}
