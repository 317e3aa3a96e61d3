import TesseraHost
import TesseraScenario

extension SuiteCall {
  /// A case of a report with what it found.
  public init(_ result: CaseResult, level: CaseLevel, seed: UInt64) {
    let sample = result.verdict.finding?.sample.flatMap {
      try? JSONValue(parsing: Array($0.json.line.utf8), name: "the sample")
    }
    self.init(
      id: result.examined.id, level: level.rawValue, seed: "\(seed)", sample: sample)
  }

  /// Examines the case with its input.
  ///
  /// - Throws: `.invalidInput` for a case, a level or an input that there is not.
  public func verdict(on subject: CheckSubject) throws(HostError) -> SuiteVerdict {
    var options = ConformanceSuite.Options()
    guard let level = CaseLevel(rawValue: level), let seed = UInt64(seed) else {
      throw HostError(
        .invalidInput,
        "the case \(id) has the level \(level) and the seed \(seed); expected one of "
          + "\(CaseLevel.allCases.map(\.rawValue).joined(separator: ", ")), and digits")
    }
    (options.level, options.seed, options.filters, options.jobs) = (level, seed, [id], 1)
    if let sample {
      options.sample = try Sample(json: sample, for: try subject.engine.chain)
    }
    let report = try ConformanceSuite(subject, options).run()
    let failed = report.results.first {
      switch $0.verdict {
      case .failed, .crashed: true
      case .passed, .warning, .skipped: false
      }
    }
    guard let failed, let finding = failed.verdict.finding else { return SuiteVerdict(holds: true) }
    return SuiteVerdict(
      holds: false, expected: "\(finding.expected) (\(failed.examined.rule))",
      found: finding.found)
  }
}
