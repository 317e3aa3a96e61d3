import TesseraConformance

/// How many engines with a fault were caught, by a kind of fault or of engine and by level.
struct MutationTable: CustomStringConvertible {
  private let heading: String
  private var kinds: [String] = []
  private var caught: [String: [CaseLevel: Int]] = [:]
  private var warned: [String: Int] = [:]
  private var all: [String: Int] = [:]

  /// The engines' kinds, in the order of the rows, each with what the suite found.
  init(_ heading: String, _ results: [(kind: String, verdict: Verdict)]) {
    self.heading = heading
    for (kind, verdict) in results {
      if all[kind] == nil { kinds.append(kind) }
      all[kind, default: 0] += 1
      if !verdict.findings.isEmpty {
        caught[kind, default: [:]][verdict.level, default: 0] += 1
      } else if !verdict.warnings.isEmpty {
        warned[kind, default: 0] += 1
      }
    }
  }

  /// The share that was caught up to a level, in 100.
  func share(upTo level: CaseLevel = .thorough) -> Double { share(of: kinds, upTo: level) }

  private func share(of kinds: [String], upTo level: CaseLevel = .thorough) -> Double {
    let total = kinds.reduce(0) { $0 + (all[$1] ?? 0) }
    let levels = CaseLevel.allCases.filter { $0 <= level }
    let found = levels.reduce(0) { $0 + count(of: kinds, at: $1) }
    return total == 0 ? 100 : 100 * Double(found) / Double(total)
  }

  private func count(of kinds: [String], at level: CaseLevel) -> Int {
    kinds.reduce(0) { $0 + (caught[$1]?[level] ?? 0) }
  }

  /// A table in Markdown.
  var description: String {
    var lines = [
      "| \(heading) | engines | caught at quick | only at standard | only at thorough | in 100 | only warned about |",
      "|---|---|---|---|---|---|---|",
    ]
    for kind in kinds { lines.append(row(kind, [kind])) }
    lines.append(row("all", kinds))
    return lines.joined(separator: "\n")
  }

  private func row(_ name: String, _ kinds: [String]) -> String {
    let total = kinds.reduce(0) { $0 + (all[$1] ?? 0) }
    let counts = CaseLevel.allCases.map { String(count(of: kinds, at: $0)) }
    let tenths = Int((share(of: kinds) * 10).rounded(.down))
    return "| \(name) | \(total) | \(counts.joined(separator: " | ")) | "
      + "\(tenths / 10).\(tenths % 10) | \(kinds.reduce(0) { $0 + (warned[$1] ?? 0) }) |"
  }
}
