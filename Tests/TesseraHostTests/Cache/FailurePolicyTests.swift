import Testing

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// When a library is refused, by the times of its deaths.
@Suite struct FailurePolicyTests {
  /// One case: when it died, what time it is, and for how long it is refused, or nil.
  struct Case: Sendable, CustomTestStringConvertible {
    let deaths: [Int64]
    let now: Int64
    let remaining: Int64?

    init(_ deaths: [Int64], _ now: Int64, _ remaining: Int64?) {
      self.deaths = deaths
      self.now = now
      self.remaining = remaining
    }

    var testDescription: String { "\(deaths) at \(now)" }
  }

  @Test(arguments: [
    Case([], 100, nil),
    Case([100], 100, nil),
    Case([99, 100], 100, nil),
    Case([100, 100, 100], 100, 60),
    Case([80, 90, 100], 100, 60),
    Case([80, 90, 100], 119, 41),
    Case([80, 90, 100], 159, 1),
    Case([80, 90, 100], 160, nil),
    // The first has left the window that ends with the last one, or just not.
    Case([40, 90, 100], 100, nil),
    Case([41, 90, 100], 100, 60),
    // It stays refused for the whole minute, though the first is older by then.
    Case([41, 90, 100], 159, 1),
    Case([1, 2, 3, 90, 100], 100, nil),
    Case([100, 80, 90], 119, 41),
    // After a clock was set back.
    Case([500, 501, 502], 100, nil),
    Case([80, 90, 100, 500], 119, 41),
    Case([80, 90, 500], 119, nil),
    Case([70, 80, 90, 100], 100, 60),
  ])
  func threeDeathsInAMinuteAreTooMany(example: Case) {
    let deaths = example.deaths.map { Death(seconds: $0, cause: "signal 11") }
    #expect(FailurePolicy.refusal(deaths, now: example.now)?.remaining == example.remaining)
  }

  @Test func theSentenceSaysHowOftenWhyAndHowLong() throws {
    let deaths = [(80, "a"), (100, "signal 11 in prepare"), (90, "b"), (70, "c")].map {
      Death(seconds: $0.0, cause: $0.1)
    }
    let refusal = try #require(FailurePolicy.refusal(deaths, now: 119))
    #expect(refusal == .init(count: 4, cause: "signal 11 in prepare", remaining: 41))
    #expect(
      refusal.sentence
        == "it crashed 4 times within a minute, last by signal 11 in prepare; "
        + "it is refused for another 41 s, or until its file changes")
    #expect(refusal.error == HostError(.brokenContract, refusal.sentence))
  }

  @Test func theLastOfTheSameSecondIsTheOneRecordedLast() {
    let deaths = ["first", "second", "third"].map { Death(seconds: 5, cause: $0) }
    #expect(FailurePolicy.refusal(deaths, now: 5)?.cause == "third")
  }

  @Test(
    arguments: [
      ("one line", "one line"), ("two\nlines\t\u{0}", "two lines  "),
      (String(repeating: "a", count: 300), String(repeating: "a", count: 200)),
      (String(repeating: "é", count: 150), String(repeating: "é", count: 100)),
      ("x" + String(repeating: "😀", count: 60), "x" + String(repeating: "😀", count: 49)),
    ])
  func aCauseIsOneShortLine(text: String, expected: String) {
    #expect(Death(seconds: 0, cause: text).cause == expected)
  }
}
