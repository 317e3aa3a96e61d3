/// The report in the XML that servers for continuous integration read: a suite for each category, as
/// Jenkins' junit-10.xsd describes it.
///
/// A failed case has a `failure`, a crashed one an `error`; a warning passes and says what it is in
/// `system-out`.
public struct JUnitReport {
  private let report: ConformanceReport

  /// A report to be written.
  public init(_ report: ConformanceReport) { self.report = report }

  /// The text, with a line feed at its end.
  public var text: String {
    var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#]
    lines.append(
      "<testsuites name=\(quoted("tessera check \(report.title)")) "
        + "tests=\"\(report.results.count)\" failures=\"\(report.count("failed"))\" "
        + "errors=\"\(report.count("crashed"))\" time=\"\(report.duration.text)\">")
    for category in report.categories { lines += suite(category) }
    lines.append("</testsuites>")
    return lines.joined(separator: "\n") + "\n"
  }

  private func suite(_ category: CaseCategory) -> [String] {
    let results = report.results.filter { $0.examined.category == category }
    func count(_ name: String) -> Int { results.count { $0.verdict.name == name } }
    let time = results.reduce(Duration.zero) { $0 + $1.duration }
    return [
      "  <testsuite name=\(quoted(category.rawValue)) tests=\"\(results.count)\" "
        + "failures=\"\(count("failed"))\" errors=\"\(count("crashed"))\" "
        + "skipped=\"\(count("skipped"))\" time=\"\(time.text)\">"
    ] + results.flatMap(test) + ["  </testsuite>"]
  }

  private func test(_ result: CaseResult) -> [String] {
    let examined = result.examined
    let head =
      "    <testcase name=\(quoted(examined.id)) "
      + "classname=\(quoted("\(report.title).\(examined.category.rawValue)")) "
      + "time=\"\(result.duration.text)\""
    let inside: [String]
    switch result.verdict {
    case .passed: return [head + "/>"]
    case .skipped(let reason): inside = ["      <skipped message=\(quoted(reason))/>"]
    case .failed(let finding):
      inside = [element("failure", "violation", examined, finding)]
    case .crashed(let finding): inside = [element("error", "crash", examined, finding)]
    case .warning(let finding):
      inside = ["      <system-out>\(body(examined, finding).escaped)</system-out>"]
    }
    return [head + ">"] + inside + ["    </testcase>"]
  }

  private func element(
    _ name: String, _ type: String, _ examined: ConformanceCase, _ finding: Finding
  ) -> String {
    let message = "expected \(finding.expected); found \(finding.found)"
    return "      <\(name) type=\(quoted(type)) message=\(quoted(message))>"
      + "\(body(examined, finding).escaped)</\(name)>"
  }

  private func body(_ examined: ConformanceCase, _ finding: Finding) -> String {
    let lines = [
      "rule: \(examined.rule)", finding.sample.map { "input: \($0.summary)" },
      "expected: \(finding.expected)", "found: \(finding.found)", "why: \(examined.why)",
      "remedy: \(examined.remedy)", "again: \(finding.command)",
      finding.layoutCommand.map { "layout: \($0)" },
    ]
    return lines.compactMap(\.self).joined(separator: "\n")
  }

  private func quoted(_ text: String) -> String { "\"\(text.escaped)\"" }
}

extension String {
  /// The text with what XML gives a meaning replaced, and without what it cannot hold.
  fileprivate var escaped: String {
    var result = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n", "\t", "\r": result.unicodeScalars.append(scalar)
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
        result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
