import TesseraHost

/// The report that people read: failures first, then a summary by category.
public struct TextReport {
  private let report: ConformanceReport
  private let isColoured: Bool

  /// A report to be written.
  ///
  /// - Parameter isColoured: Whether verdicts are coloured, for a terminal.
  public init(_ report: ConformanceReport, isColoured: Bool = false) {
    self.report = report
    self.isColoured = isColoured
  }

  /// The text, with a line feed at its end.
  public var text: String {
    var lines: [String] = []
    for name in ["failed", "crashed", "warning"] {
      for result in report.results where result.verdict.name == name {
        lines += entry(result) + [""]
      }
    }
    lines += summary + [""] + untouched + [last]
    return lines.joined(separator: "\n") + "\n"
  }

  private func entry(_ result: CaseResult) -> [String] {
    let examined = result.examined
    var lines = [coloured(result.verdict.name.uppercased()) + " \(examined.id)"]
    func add(_ name: String, _ text: String?) {
      guard let text else { return }
      lines.append("  " + name.padded(to: 10) + text)
    }
    let finding = result.verdict.finding
    add("rule", examined.rule)
    add("input", finding?.sample?.summary)
    add("expected", finding?.expected)
    add("found", finding?.found)
    add("why", examined.why)
    add("remedy", examined.remedy)
    add("again", finding?.command)
    add("layout", finding?.layoutCommand)
    return lines
  }

  private var summary: [String] {
    let columns = ["passed", "failed", "crashed", "warning", "skipped"]
    var rows = [["CATEGORY"] + columns.map { $0.uppercased() }]
    for category in report.categories {
      let verdicts = report.results.filter { $0.examined.category == category }.map(\.verdict.name)
      rows.append(
        [category.rawValue]
          + columns.map { name in
            let count = verdicts.count { $0 == name }
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

  /// What the run did not touch, and why cases were skipped.
  private var untouched: [String] {
    var lines: [String] = []
    if let coverage = report.coverage {
      let parts = coverage.parts.map {
        "\($0.exercised.count) of \($0.declared.count) \($0.name)"
      }
      if !parts.isEmpty { lines.append("Exercised: \(parts.joined(separator: ", "))") }
      for part in coverage.parts where !part.untouched.isEmpty {
        lines.append("  not exercised: \(part.name) \(part.untouched.joined(separator: ", "))")
      }
    }
    var reasons: [(reason: String, ids: [String])] = []
    for result in report.results {
      guard case .skipped(let reason) = result.verdict else { continue }
      if let place = reasons.firstIndex(where: { $0.reason == reason }) {
        reasons[place].ids.append(result.examined.id)
      } else {
        reasons.append((reason, [result.examined.id]))
      }
    }
    lines += reasons.map { "Skipped, since \($0.reason): \($0.ids.joined(separator: ", "))" }
    return lines.isEmpty ? [] : lines + [""]
  }

  private var last: String {
    let counts = ["failed", "crashed", "warning", "passed", "skipped"].compactMap { name in
      let count = report.count(name)
      return count == 0 ? nil : "\(count) \(count > 1 && name == "warning" ? "warnings" : name)"
    }
    let version = report.engine.map { " \($0.version)" } ?? ""
    let verdict = coloured(report.isPassed ? "passed" : "failed")
    return "\(report.title)\(version) \(verdict) at \(report.level.rawValue): "
      + "\(counts.joined(separator: ", ")); seed \(report.seed), \(report.duration.text) s"
  }

  private func coloured(_ word: String) -> String {
    guard isColoured else { return word }
    let code =
      switch word.lowercased() {
      case "passed": 32
      case "warning": 33
      default: 31
      }
    return "\u{1B}[1;\(code)m\(word)\u{1B}[0m"
  }
}

extension String {
  /// The text with spaces up to a width, behind it or before it.
  func padded(to width: Int, atEnd: Bool = true) -> String {
    let spaces = String(repeating: " ", count: max(0, width - count))
    return atEnd ? self + spaces : spaces + self
  }
}
