import TesseraHost

@testable import TesseraConformance

enum SampleReport {
  static let report = ConformanceReport(
    subject: "./libspiral.so", engine: nil, library: nil, level: .quick, seed: 7,
    results: [
      result("geometry-one", .geometry, .passed),
      result(
        "geometry-two", .geometry,
        .failed(
          finding(
            "geometry-two", LayoutInput(counts: [2]), expected: "a < b & \"c\"",
            found: "cell 1 # none"))
      ),
      result("query-three", .query, .crashed(finding("query-three", nil, found: "signal 11"))),
      result("counts-four", .counts, .warning(finding("counts-four", nil, found: "2\u{1} s"))),
      result("counts-five", .counts, .skipped("it declares no #kinds")),
    ],
    coverage: [
      Coverage(
        name: "parameters", declared: ["spacing", "itemSize"], exercised: ["spacing"]),
      Coverage(name: "kinds", declared: ["header"], exercised: ["header"]),
    ], duration: .milliseconds(1250))

  private static func result(
    _ id: String, _ category: CaseCategory, _ verdict: Verdict
  ) -> CaseResult {
    let examined = ConformanceCase(
      id, category, rule: "A rule holds", why: "Somebody needs it", remedy: "Keep to it",
      samples: .plain
    ) { _ in }
    return CaseResult(
      examined: examined, verdict: verdict, samples: 3, duration: .milliseconds(5))
  }

  private static func finding(
    _ id: String, _ sample: LayoutInput?, expected: String = "an answer", found: String
  ) -> Finding {
    Finding(
      sample: sample, expected: expected, found: found, seed: 7,
      command: "tessera check ./libspiral.so --filter \(id) --seed 7",
      layoutCommand: sample?.layoutCommand(engine: "./libspiral.so"))
  }
}
