import TesseraConformance

/// How many mutated engines were caught, by kind of mutation and level.
struct MutationTable: CustomStringConvertible {
  private var caught: [MutationKind: [CaseLevel: Int]] = [:]
  private var all: [MutationKind: Int] = [:]

  /// The engines, each with what the suite said of it.
  init(_ results: [(examinee: Examinee, verdict: Examinee.Verdict)]) {
    for (examinee, verdict) in results {
      guard let kind = examinee.mutation?.kind else { continue }
      all[kind, default: 0] += 1
      if !verdict.findings.isEmpty { caught[kind, default: [:]][verdict.level, default: 0] += 1 }
    }
  }

  /// The share that was caught at any level, of a kind or of all, in 100.
  func share(of kind: MutationKind? = nil) -> Double {
    let kinds = kind.map { [$0] } ?? MutationKind.allCases
    let total = kinds.reduce(0) { $0 + (all[$1] ?? 0) }
    let found = kinds.reduce(0) { $0 + (caught[$1]?.values.reduce(0, +) ?? 0) }
    return total == 0 ? 100 : 100 * Double(found) / Double(total)
  }

  /// A table in Markdown.
  var description: String {
    var lines = [
      "| mutation | engines | caught at quick | only at standard | only at thorough | in 100 |",
      "|---|---|---|---|---|---|",
    ]
    for kind in MutationKind.allCases where all[kind] != nil {
      lines.append(row(kind.rawValue, [kind], share(of: kind)))
    }
    lines.append(row("all", MutationKind.allCases, share()))
    return lines.joined(separator: "\n")
  }

  private func row(_ name: String, _ kinds: [MutationKind], _ share: Double) -> String {
    let total = kinds.reduce(0) { $0 + (all[$1] ?? 0) }
    let counts = CaseLevel.allCases.map { level in
      kinds.reduce(0) { $0 + (caught[$1]?[level] ?? 0) }
    }
    let tenths = Int((share * 10).rounded(.down))
    return "| \(name) | \(total) | \(counts.map(String.init).joined(separator: " | ")) | "
      + "\(tenths / 10).\(tenths % 10) |"
  }
}
