import TesseraScenario

/// The report in the Test Anything Protocol, with diagnostics in YAML.
///
/// It says that it is version 13, though it keeps to version 14 as well: Perl's `prove` refuses
/// what says 14.
public struct TAPReport {
  private let report: ConformanceReport

  /// A report to be written.
  public init(_ report: ConformanceReport) { self.report = report }

  /// The text, with a line feed at its end.
  public var text: String {
    var lines = ["TAP version 13", "1..\(report.results.count)"]
    lines.append("# \(report.title), level \(report.level.rawValue), seed \(report.seed)")
    for (index, result) in report.results.enumerated() { lines += entry(index + 1, result) }
    return lines.joined(separator: "\n") + "\n"
  }

  private func entry(_ number: Int, _ result: CaseResult) -> [String] {
    let id = result.examined.id
    switch result.verdict {
    case .passed: return ["ok \(number) - \(id)"]
    case .skipped(let reason): return ["ok \(number) - \(id) # SKIP \(Self.directive(reason))"]
    case .warning(let finding):
      return ["ok \(number) - \(id)"] + diagnostics(result, finding)
    case .failed(let finding), .crashed(let finding):
      return ["not ok \(number) - \(id)"] + diagnostics(result, finding)
    }
  }

  private func diagnostics(_ result: CaseResult, _ finding: Finding) -> [String] {
    let pairs: [(String, String?)] = [
      ("severity", result.verdict.name), ("rule", result.examined.rule),
      ("input", finding.sample?.json.line), ("expected", finding.expected),
      ("found", finding.found), ("why", result.examined.why),
      ("remedy", result.examined.remedy), ("seed", "\(finding.seed)"),
      ("command", finding.command), ("layout", finding.layoutCommand),
    ]
    return ["  ---"]
      + pairs.compactMap { name, text in text.map { "  \(name): \(Self.scalar($0))" } } + ["  ..."]
  }

  /// A text as a double-quoted scalar of YAML, which is JSON's string.
  private static func scalar(_ text: String) -> String { JSON.text(text).text }

  /// A text behind a directive: on one line, with `#` and `\` escaped.
  private static func directive(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\", "#": result += "\\\(character)"
      case "\n", "\r", "\r\n": result += " "
      default: result.append(character)
      }
    }
    return result
  }
}
