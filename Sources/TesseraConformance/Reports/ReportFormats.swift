import TesseraHost
import TesseraScenario

extension ConformanceReport {
  /// The report for people: results by case, then a summary by category.
  ///
  /// Findings with a known root cause are listed once in full, then by name at the end.
  public func text(isColoured: Bool = false, listsPassed: Bool = false) -> String {
    let writer = TextReportWriter(isColoured: isColoured, listsPassed: listsPassed)
    // The explanation comes before the crashes, as in a live report.
    let follows = { (result: CaseResult) in
      result.verdict.name == "crashed" && result.verdict.finding?.cause == Results.misused
    }
    let ordered = results.filter { !follows($0) } + results.filter(follows)
    return ordered.map(writer.text(for:)).joined() + writer.end(self)
  }
}

/// Writes a text report result by result.
public final class TextReportWriter {
  private let isColoured: Bool
  private let listsPassed: Bool
  private var causes: [(cause: String, first: String, others: [String])] = []
  private var isAfterLine = false

  /// Starts a report.
  public init(isColoured: Bool = false, listsPassed: Bool = true) {
    self.isColoured = isColoured
    self.listsPassed = listsPassed
  }

  /// The next result; empty if it only appears at the end.
  public func text(for result: CaseResult) -> String {
    let id = result.examined.id
    switch result.verdict {
    case .skipped: return ""
    case .passed:
      guard listsPassed else { return "" }
      isAfterLine = true
      return "\(coloured("passed")) \(id)\n"
    case .failed(let finding), .crashed(let finding), .warning(let finding):
      if let cause = finding.cause {
        if let place = causes.firstIndex(where: { $0.cause == cause }) {
          causes[place].others.append(id)
          return ""
        }
        causes.append((cause, id, []))
      }
      defer { isAfterLine = false }
      return (isAfterLine ? "\n" : "") + entry(result).joined(separator: "\n") + "\n\n"
    }
  }

  /// The common causes and the summary.
  public func end(_ report: ConformanceReport) -> String {
    var lines = isAfterLine ? [""] : []
    for (_, first, others) in causes where !others.isEmpty {
      let (count, noun) = (others.count, others.count == 1 ? "case" : "cases")
      lines += [
        "\(count) more \(noun) failed for the same reason as \(first): "
          + others.joined(separator: ", "), "",
      ]
    }
    lines += summary(report) + [""] + unused(report) + [last(report)]
    return lines.joined(separator: "\n") + "\n"
  }

  private func entry(_ result: CaseResult) -> [String] {
    [coloured(result.verdict.name.uppercased()) + " \(result.examined.id)"]
      + result.parts.map { "  " + $0.name.padded(to: 10) + $0.text }
  }

  private func summary(_ report: ConformanceReport) -> [String] {
    var rows = [["CATEGORY"] + Verdict.names.map { $0.uppercased() }]
    for category in report.categories {
      let results = report.results(in: category)
      rows.append(
        [category.rawValue]
          + Verdict.names.map { name in
            let count = results.count(name)
            return count == 0 ? "·" : "\(count)"
          })
    }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = zip(row, widths).enumerated().map { index, cell in
        index == 0 ? cell.0.padded(to: cell.1) : cell.0.padded(to: cell.1, atEnd: false)
      }
      return cells.joined(separator: "  ")
    }
  }

  private func unused(_ report: ConformanceReport) -> [String] {
    var lines = report.coverage?.lines ?? []
    var reasons: [(reason: String, ids: [String])] = []
    for result in report.results {
      guard case .skipped(let reason) = result.verdict else { continue }
      if let place = reasons.firstIndex(where: { $0.reason == reason }) {
        reasons[place].ids.append(result.examined.id)
      } else {
        reasons.append((reason, [result.examined.id]))
      }
    }
    lines += reasons.map { "Skipped because \($0.reason): \($0.ids.joined(separator: ", "))" }
    return lines.isEmpty ? [] : lines + [""]
  }

  private func last(_ report: ConformanceReport) -> String {
    let counts = ["failed", "crashed", "warning", "passed", "skipped"].compactMap { name in
      let count = report.count(name)
      return count == 0 ? nil : "\(count) \(count > 1 && name == "warning" ? "warnings" : name)"
    }
    let version = report.engine.map { " \($0.version)" } ?? ""
    let verdict = coloured(report.isSkipped ? "skipped" : report.isPassed ? "passed" : "failed")
    return "\(report.title)\(version) \(verdict) at \(report.level.rawValue): "
      + "\(counts.joined(separator: ", ")); seed \(report.seed), \(report.duration.text) s"
  }

  private func coloured(_ word: String) -> String {
    guard isColoured else { return word }
    let code =
      switch word.lowercased() {
      case "passed": 32
      case "warning", "skipped": 33
      default: 31
      }
    return "\u{1B}[1;\(code)m\(word)\u{1B}[0m"
  }
}

extension String {
  func padded(to width: Int, atEnd: Bool = true) -> String {
    let spaces = String(repeating: " ", count: max(0, width - count))
    return atEnd ? self + spaces : spaces + self
  }
}

extension [ConformanceReport] {
  /// The report as one JSON object, for programs; several reports are an array of such objects.
  ///
  ///     { "subject": "flow", "engine": "org.example.flow" or null, "version": "1.0.0" or null,
  ///       "library": PATH or null, "level": "quick", "seed": 1, "seconds": 1.25, "passed": true,
  ///       "counts": {"passed": 40, "failed": 0, "crashed": 0, "warning": 0, "skipped": 2},
  ///       "cases": [CASE, …], "exercised": [PART, …] }
  ///
  /// A CASE has `id`, `category`, `level`, `rule`, `verdict`, `samples` (passed) and `seconds`, and a
  /// `reason` if skipped. A finding adds `why`, `remedy`, `expected`, `found`, `seed`, `command`, and
  /// with an input `sample` and `layoutCommand`. A PART has `name`, `declared` and `exercised`.
  public var json: String {
    let objects = map(\.json)
    return (objects.count == 1 ? objects[0] : .list(objects)).text + "\n"
  }
}

extension ConformanceReport {
  fileprivate var json: JSON {
    .object([
      ("subject", .text(subject)), ("engine", .optional(engine?.id)),
      ("version", .optional(engine?.version)), ("library", .optional(library)),
      ("level", .text(level.rawValue)), ("seed", .unsigned(seed)),
      ("seconds", .number(duration.rounded)), ("passed", .bool(isPassed)),
      ("counts", .object(Verdict.names.map { ($0, .integer(count($0))) })),
      ("cases", .list(results.map(\.json))),
      ("exercised", .list((coverage ?? []).map(\.json))),
    ])
  }
}

extension CaseResult {
  fileprivate var json: JSON {
    var members: [(name: String, value: JSON)] = [
      ("id", .text(examined.id)), ("category", .text(examined.category.rawValue)),
      ("level", .text(examined.level.rawValue)), ("rule", .text(examined.rule)),
      ("verdict", .text(verdict.name)), ("samples", .integer(samples)),
      ("seconds", .number(duration.rounded)),
    ]
    if case .skipped(let reason) = verdict { members.append(("reason", .text(reason))) }
    if let finding = verdict.finding {
      members += [
        ("why", .text(why)), ("remedy", .text(remedy)),
        ("expected", .text(finding.expected)), ("found", .text(finding.found)),
        ("seed", .unsigned(finding.seed)), ("command", .text(finding.command)),
      ]
      if let sample = finding.sample { members.append(("sample", sample.json)) }
      if let command = finding.layoutCommand { members.append(("layoutCommand", .text(command))) }
    }
    return .object(members)
  }
}

extension Coverage {
  fileprivate var json: JSON {
    .object([
      ("name", .text(name)), ("declared", .list(declared.map { .text($0) })),
      ("exercised", .list(exercised.map { .text($0) })),
    ])
  }
}

extension Duration {
  fileprivate var rounded: Double { (seconds * 1000).rounded() / 1000 }
}

extension [ConformanceReport] {
  /// JUnit XML after Jenkins' junit-10.xsd: a suite for each category, or for each of several
  /// reports.
  ///
  /// A warning passes, with its finding in `system-out`. The first suite's `properties` list unused
  /// declarations.
  public var junit: String {
    let reports = self
    let titles = reports.map(\.title).joined(separator: " ")
    let all = reports.flatMap(\.results)
    let time = reports.reduce(Duration.zero) { $0 + $1.duration }
    var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#]
    lines.append(
      "<testsuites name=\(attribute("tessera check \(titles)")) tests=\"\(all.count)\" "
        + "failures=\"\(all.count("failed"))\" errors=\"\(all.count("crashed"))\" "
        + "time=\"\(time.text)\">")
    for report in reports {
      guard reports.count == 1 else {
        lines += suite(report.subject, report.results, report, properties(report))
        continue
      }
      for category in report.categories {
        let results = report.results(in: category)
        let isFirst = category == report.categories.first
        lines += suite(category.rawValue, results, report, isFirst ? properties(report) : [])
      }
    }
    lines.append("</testsuites>")
    return lines.joined(separator: "\n") + "\n"
  }

  private func suite(
    _ name: String, _ results: [CaseResult], _ report: ConformanceReport, _ properties: [String]
  ) -> [String] {
    let time = results.reduce(Duration.zero) { $0 + $1.duration }
    return [
      "  <testsuite name=\(attribute(name)) tests=\"\(results.count)\" "
        + "failures=\"\(results.count("failed"))\" errors=\"\(results.count("crashed"))\" "
        + "skipped=\"\(results.count("skipped"))\" time=\"\(time.text)\">"
    ] + properties + results.flatMap { test($0, report.title) } + ["  </testsuite>"]
  }

  private func properties(_ report: ConformanceReport) -> [String] {
    let parts = report.coverage ?? []
    guard !parts.isEmpty else { return [] }
    func property(_ name: String, _ value: String) -> String {
      "      <property name=\(attribute(name)) value=\(attribute(value))/>"
    }
    return ["    <properties>"] + parts.map { property("exercised \($0.name)", $0.count) }
      + parts.filter { !$0.unused.isEmpty }.map {
        property("not exercised \($0.name)", $0.unused.joined(separator: ", "))
      } + ["    </properties>"]
  }

  private func test(_ result: CaseResult, _ title: String) -> [String] {
    let examined = result.examined
    let head =
      "    <testcase name=\(attribute(examined.id)) "
      + "classname=\(attribute("\(title).\(examined.category.rawValue)")) "
      + "time=\"\(result.duration.text)\""
    let inside: [String]
    switch result.verdict {
    case .passed: return [head + "/>"]
    case .skipped(let reason): inside = ["      <skipped message=\(attribute(reason))/>"]
    case .failed(let finding): inside = [element("failure", "violation", result, finding)]
    case .crashed(let finding): inside = [element("error", "crash", result, finding)]
    case .warning: inside = ["      <system-out>\(body(result))</system-out>"]
    }
    return [head + ">"] + inside + ["    </testcase>"]
  }

  private func element(
    _ name: String, _ type: String, _ result: CaseResult, _ finding: Finding
  ) -> String {
    let message = "expected \(finding.expected); found \(finding.found)"
    return "      <\(name) type=\(attribute(type)) message=\(attribute(message))>"
      + "\(body(result))</\(name)>"
  }

  private func body(_ result: CaseResult) -> String {
    result.parts.map { "\($0.name): \($0.text)" }.joined(separator: "\n").escaped
  }

  private func attribute(_ text: String) -> String { "\"\(text.escaped)\"" }
}

extension String {
  fileprivate var escaped: String {
    UntrustedText.escapedForXML(self, keepsLines: true, invalid: "\u{FFFD}")
  }
}

extension [ConformanceReport] {
  /// The report in TAP with YAML diagnostics.
  ///
  /// It declares version 13, because Perl's `prove` rejects 14.
  public var tap: String {
    let reports = self
    var lines = ["TAP version 13", "1..\(reports.map(\.results.count).reduce(0, +))"]
    var number = 0
    for report in reports {
      lines.append("# \(report.title), level \(report.level.rawValue), seed \(report.seed)")
      for result in report.results {
        number += 1
        let id = result.examined.id
        lines += entry(
          number, reports.count == 1 ? id : "\(Self.directive(report.subject)): \(id)", result)
      }
      lines += (report.coverage?.lines ?? []).map { "# \($0)" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func entry(_ number: Int, _ name: String, _ result: CaseResult) -> [String] {
    switch result.verdict {
    case .passed: return ["ok \(number) - \(name)"]
    case .skipped(let reason): return ["ok \(number) - \(name) # SKIP \(Self.directive(reason))"]
    case .warning(let finding): return ["ok \(number) - \(name)"] + diagnostics(result, finding)
    case .failed(let finding), .crashed(let finding):
      return ["not ok \(number) - \(name)"] + diagnostics(result, finding)
    }
  }

  private func diagnostics(_ result: CaseResult, _ finding: Finding) -> [String] {
    let pairs: [(String, String?)] = [
      ("severity", result.verdict.name), ("rule", result.examined.rule),
      ("input", finding.sample?.json.line), ("expected", finding.expected),
      ("found", finding.found), ("why", result.why), ("remedy", result.remedy),
      ("seed", "\(finding.seed)"),
      ("command", finding.command), ("layout", finding.layoutCommand),
    ]
    return ["  ---"]
      + pairs.compactMap { name, text in text.map { "  \(name): \(Self.scalar($0))" } } + ["  ..."]
  }

  private static func scalar(_ text: String) -> String { JSON.text(text).text }

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
