import Testing

@testable import TesseraDrawing

@Suite struct MarkupTests {
  private static let numbers: [(Double, String)] = [
    (0, "0"), (-0.0, "0"), (1, "1"), (-2.25, "-2.25"), (100, "100"), (1e-7, "0"),
    (-0.000_1, "0"), (0.000_5, "0.001"), (0.04, "0.04"), (1.0 / 3, "0.333"), (99.999_9, "100"),
    (123_456_789.5, "123456789.5"), (1e300, "1000000000000000"), (-.infinity, "0"), (.nan, "0"),
  ]

  @Test(arguments: numbers) func numbersAreShort(number: Double, text: String) {
    #expect(("\(number)" as Markup).text == text)
  }

  @Test(arguments: [
    ("plain é 東", "plain é 東"), ("<a b='c'>&\"", "&lt;a b=&#39;c&#39;&gt;&amp;&quot;"),
  ])
  func stringsAreEscaped(string: String, text: String) {
    #expect(("\(string)" as Markup).text == text)
  }

  // Not a test argument, since runners print those.
  @Test func controlCharactersAreLeftOut() {
    #expect(("\("a\u{0}\u{1B}b\u{7F}\u{85}")" as Markup).text == "ab")
    #expect(("\("a\r\u{20}\n\tb")" as Markup).text == "a    b")
    #expect(("\("\u{FFFF}\u{1F600}")" as Markup).text == "\u{1F600}")
  }

  @Test func jsonStringsHoldNoMarkup() {
    #expect(
      ("\(json: "</a>&\"\\\u{1F}\u{2028}é")" as Markup).text
        == "\"\\u003c/a\\u003e\\u0026\\\"\\\\\\u001f\\u2028é\"")
  }

  @Test func textIsFittedByItsEstimatedWidth() {
    #expect(fitted("abc", width: 100, fontSize: 10) == "abc")
    // 0.6 em per letter, 0.95 for the ellipsis: 3.35 em.
    #expect(fitted("abcdefgh", width: 34, fontSize: 10) == "ab…gh")
    // "w" is 0.95 em, "i" 0.36: w, i and an ellipsis are 2.26 em, with another w 3.21.
    #expect(fitted("wwwiii", width: 32, fontSize: 10) == "w…i")
    #expect(fitted("abcdefgh", width: 20, fontSize: 10) == nil)
    #expect(fitted("", width: 20, fontSize: 10) == nil)
    #expect(estimatedWidth(of: "東京", fontSize: 10) == 21)
  }
}
