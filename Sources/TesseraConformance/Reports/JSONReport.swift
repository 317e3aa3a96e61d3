import TesseraHost
import TesseraScenario

/// The report as one JSON object, for programs.
///
///     { "subject": "flow", "engine": "org.example.flow" or null, "version": "1.0.0" or null,
///       "library": PATH or null, "level": "quick", "seed": 1, "seconds": 1.25, "passed": true,
///       "counts": {"passed": 40, "failed": 0, "crashed": 0, "warning": 0, "skipped": 2},
///       "cases": [CASE, …], "exercised": [PART, …] }
///
/// A CASE has `id`, `category`, `level`, `rule`, `verdict`, `samples` (how many held) and `seconds`;
/// a skipped one `reason`; one with a finding also `why`, `remedy`, `expected`, `found`, `seed`,
/// `command`, and where it depends on the input `sample` (a scenario) and `layoutCommand`. A PART has
/// `name`, `declared` and `exercised`, lists of names.
public struct JSONReport {
  private let report: ConformanceReport

  /// A report to be written.
  public init(_ report: ConformanceReport) { self.report = report }

  /// The text, with a line feed at its end.
  public var text: String {
    let verdicts = ["passed", "failed", "crashed", "warning", "skipped"]
    return JSON.object([
      ("subject", .text(report.subject)), ("engine", .optional(report.engine?.id)),
      ("version", .optional(report.engine?.version)), ("library", .optional(report.library)),
      ("level", .text(report.level.rawValue)), ("seed", .unsigned(report.seed)),
      ("seconds", .number(rounded(report.duration))), ("passed", .bool(report.isPassed)),
      ("counts", .object(verdicts.map { ($0, .integer(report.count($0))) })),
      ("cases", .list(report.results.map(entry))),
      ("exercised", .list((report.coverage?.parts ?? []).map(part))),
    ]).text + "\n"
  }

  private func entry(_ result: CaseResult) -> JSON {
    let examined = result.examined
    var members: [(name: String, value: JSON)] = [
      ("id", .text(examined.id)), ("category", .text(examined.category.rawValue)),
      ("level", .text(examined.level.rawValue)), ("rule", .text(examined.rule)),
      ("verdict", .text(result.verdict.name)), ("samples", .integer(result.samples)),
      ("seconds", .number(rounded(result.duration))),
    ]
    if case .skipped(let reason) = result.verdict { members.append(("reason", .text(reason))) }
    if let finding = result.verdict.finding {
      members += [
        ("why", .text(examined.why)), ("remedy", .text(examined.remedy)),
        ("expected", .text(finding.expected)), ("found", .text(finding.found)),
        ("seed", .unsigned(finding.seed)), ("command", .text(finding.command)),
      ]
      if let sample = finding.sample { members.append(("sample", sample.json)) }
      if let command = finding.layoutCommand { members.append(("layoutCommand", .text(command))) }
    }
    return .object(members)
  }

  private func part(_ part: Coverage.Part) -> JSON {
    .object([
      ("name", .text(part.name)), ("declared", .list(part.declared.map { .text($0) })),
      ("exercised", .list(part.exercised.map { .text($0) })),
    ])
  }

  private func rounded(_ duration: Duration) -> Double {
    (duration.seconds * 1000).rounded() / 1000
  }
}
