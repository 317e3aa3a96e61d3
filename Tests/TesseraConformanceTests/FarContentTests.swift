import TesseraHost
import TesseraScenario
import TestSupport
import Testing

@testable import TesseraConformance

/// The suite examines an engine whatever the size of its content is.
@Suite struct FarContentTests {
  /// Ranges as the suite makes them from the size of content, at the end of what a size can be.
  @Test(arguments: [
    0...Double.greatestFiniteMagnitude,
    -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude, 1...Double.infinity,
    1.7e308...1.75e308, -1.75e308 ... -1.7e308, -Double.infinity...Double.infinity, 1e307...1e308,
    0...0, 5...1e308,
  ])
  func numbersOfAnyRangeAreFinite(_ range: ClosedRange<Double>) {
    var random = SeededNumbers(seed: 1)
    for _ in 0..<100 { #expect(random.number(in: range).isFinite) }
  }

  /// Content of 1.7e308 and 1e308: sums with it, and its mirror images, are no numbers any more.
  @Test(arguments: [1.7e308, 1e308], ["leftToRight", "rightToLeft"])
  func contentAsLargeAsNumbersAreIsExamined(_ content: Double, _ direction: String) async {
    await #expect(processExitsWith: .success) { [content, direction] in
      let folder = try TemporaryFolder()
      try CCompiler("gcc").compile(
        FixtureEngine.source("outermost"), to: folder.path("liboutermost.so"),
        flags: ["-std=gnu11", "-shared", "-fPIC"])
      let host = Host(searchPath: SearchPath(folders: [folder.path]))
      let subject = try CheckSubject("org.example.outermost", host: host)
      var options = ConformanceSuite.Options()
      options.level = .quick
      options.filters = ["query", "extensions"]
      options.sample = try LayoutInput(
        json: """
          {"direction": "\(direction)", "sections": [{"items": 2}], "parameters": {"content": \(content), "x": -1e307}}
          """, for: subject.engine.chain)
      let report = try ConformanceSuite(subject, options).run()
      #expect(report.results.count > 8, "\(report)")
    }
  }
}
