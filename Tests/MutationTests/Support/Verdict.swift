import TesseraConformance
import TesseraHost

/// What the suite found in an engine.
struct Verdict: Sendable {
  /// The level of the last run.
  let level: CaseLevel
  /// The cases that failed, each with what it found.
  let findings: [String]
  /// The cases that warned in the last run, apart from those about times, which depend on the machine.
  let warnings: [String]

  /// Runs the suite on a library, sandboxed, level by level until one finds something.
  ///
  /// - Parameters:
  ///   - bases: A folder in which bases of the engine are found.
  ///   - cases: A pattern for the cases that run.
  init(
    _ library: String, bases: String? = nil, upTo levels: [CaseLevel], cases: String = "*",
    stopsAtFailure: Bool
  ) throws {
    var configuration = HostConfiguration()
    configuration.refusalTime = 0
    let folder = String(library.prefix(upTo: library.lastIndex(of: "/") ?? library.startIndex))
    let host = Host(
      searchPath: SearchPath(folders: [folder] + (bases.map { [$0] } ?? [])),
      configuration: configuration)
    let subject = try CheckSubject(library, host: host)
    var level = CaseLevel.quick
    var (findings, warnings): ([String], [String]) = ([], [])
    for next in levels where findings.isEmpty {
      var options = ConformanceSuite.Options()
      (options.level, options.jobs) = (next, 1)
      options.shrinker.tries = 0
      options.filters = [cases]
      options.stopsAtFailure = stopsAtFailure
      let results = try ConformanceSuite(subject, options).run().results
      (level, findings) = (next, results.compactMap(\.finding))
      warnings = results.filter {
        if case .warning = $0.verdict { $0.examined.category != .scaling } else { false }
      }.map(\.examined.id)
    }
    (self.level, self.findings, self.warnings) = (level, findings, warnings)
  }
}

extension CaseResult {
  /// The case and what it found, unless it is only a warning.
  fileprivate var finding: String? {
    switch verdict {
    case .failed(let finding), .crashed(let finding):
      "\(examined.id): expected \(finding.expected), found \(finding.found); \(finding.command)"
    case .passed, .warning, .skipped: nil
    }
  }
}
