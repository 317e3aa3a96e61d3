import Testing

@testable import TesseraGeometry

@Suite struct NumberTextTests {
  @Test(arguments: [
    (0.0, "0"), (-0.0, "0"), (3, "3"), (-12.5, "-12.5"), (0.1, "0.1"),
    (1.0 / 3, "0.3333333333333333"),
    (1e15, "1000000000000000"), (0x1p53, "9007199254740992"), (1e16, "1e+16"), (1e-7, "1e-07"),
    (.infinity, "inf"),
  ])
  func shortTextReadsBackAsTheSameNumber(number: Double, text: String) {
    #expect(number.shortText == text)
    #expect(Double(text) == number)
  }

  /// Swift's description is shortest, plus ".0".
  @Test func bytesAreTheShortestText() {
    var random = SystemRandomNumberGenerator()
    for round in 0..<20_000 {
      let number =
        switch round % 4 {
        case 0: Double.random(in: -1e6...1e6, using: &random)
        case 1: (Double.random(in: -1e12...1e12, using: &random) * 16).rounded() / 16
        case 2: (Double.random(in: -1e5...1e5, using: &random) * 1e5).rounded() / 1e5
        default: Double(bitPattern: .random(in: 0...UInt64.max, using: &random))
        }
      guard number.magnitude < 0x1p53 || number.magnitude >= 1e16, number.isFinite else { continue }
      var bytes: [UInt8] = []
      bytes.append(number: number)
      let text = String(decoding: bytes, as: UTF8.self)
      let shortest = "\(number)"
      #expect(text == (shortest.hasSuffix(".0") ? String(shortest.dropLast(2)) : shortest))
    }
  }

  @Test func bytesKeepTheSignOfZero() {
    var bytes: [UInt8] = []
    for number in [-0.0, 0, 1e16, .leastNonzeroMagnitude] {
      bytes.append(number: number)
      bytes.append(UInt8(ascii: " "))
    }
    #expect(String(decoding: bytes, as: UTF8.self) == "-0 0 1e+16 5e-324 ")
  }

  @Test(arguments: [
    (1.0 / 3, "0.333"), (-0.000_1, "0"), (2.999_9, "3"), (-7.05, "-7.05"), (1e13, "10000000000000"),
    (1e300, "1e+300"), (.nan, "nan"),
  ])
  func readableTextHasAtMostThreeDecimals(number: Double, text: String) {
    #expect(number.readableText == text)
  }

  @Test("numbers are rounded to thousandths as the library of C rounds them")
  func roundedBytesAreTheNearest() {
    var state: UInt64 = 7
    for place in 0..<20_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      // Halves of thousandths and neighbours, in all magnitudes.
      let half = (Double(Int64(bitPattern: state) >> Int64(12 + place % 51)) + 0.5) / 1000
      for number in [half, half.nextUp, half.nextDown] {
        var bytes: [UInt8] = []
        bytes.append(rounded: number)
        let nearest = (number * 1000).rounded() / 1000
        #expect(Double(String(decoding: bytes, as: UTF8.self)) == nearest)
      }
    }
  }

  @Test(arguments: [
    (0.000_5, "0.001"), (-2.25, "-2.25"), (1e300, "1000000000000000"), (-.infinity, "0"),
    (.nan, "0"), (99.999_9, "100"),
  ])
  func roundedBytesAreFiniteWithoutExponent(number: Double, text: String) {
    var bytes: [UInt8] = []
    bytes.append(rounded: number)
    #expect(String(decoding: bytes, as: UTF8.self) == text)
  }
}
