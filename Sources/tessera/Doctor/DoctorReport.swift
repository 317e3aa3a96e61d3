import TesseraHost

/// What `doctor` tells, in its order.
struct DoctorReport {
  /// How good something is.
  enum Weight {
    case fine
    /// Engines run, but with less than there could be.
    case weaker
    /// Engines do not run in the sandbox.
    case wrong
  }

  /// One thing that was looked at.
  struct Row {
    let name: String
    let text: String
    var weight = Weight.fine
  }

  struct Section {
    let title: String
    let rows: [Row]
  }

  let diagnosis: Diagnosis
  let allowlist: AllowlistFinding

  init(_ diagnosis: Diagnosis, _ allowlist: AllowlistFinding) {
    self.diagnosis = diagnosis
    self.allowlist = allowlist
  }

  var sections: [Section] {
    [
      Section(title: "KERNEL", rows: kernelRows), Section(title: "MEMORY", rows: memoryRows),
      Section(title: "WORKER", rows: workerRows), Section(title: "PROCESS", rows: processRows),
      Section(title: "SEARCH PATH", rows: folderRows), Section(title: "ENGINES", rows: engineRows),
      Section(title: "REMEMBERED", rows: cacheRows + allowlistRows),
      Section(title: "ENVIRONMENT", rows: environmentRows),
    ]
  }

  /// The rows of a weight, whatever section they are in.
  func rows(_ weight: Weight) -> [Row] {
    sections.flatMap(\.rows).filter { $0.weight == weight }
  }

  /// Writes what is wrong, what is weaker, and then everything.
  func write(to output: BufferedOutput) throws {
    try output.write(
      diagnosis.runsSandboxed
        ? "engines run in the sandbox here\n" : "engines do not run in the sandbox here\n")
    let summaries = [
      Section(title: "WRONG", rows: rows(.wrong)), Section(title: "WEAKER", rows: rows(.weaker)),
    ]
    let all = (summaries + sections).filter { !$0.rows.isEmpty }
    let width = all.flatMap(\.rows).map(\.name.count).max() ?? 0
    for section in all {
      try output.write("\n\(section.title)\n")
      for row in section.rows {
        let padding = String(repeating: " ", count: width - row.name.count)
        try output.write("  \(row.name)\(padding)  \(row.text)\n")
      }
    }
  }

  /// What is not as it should be, and how bad that is.
  static func row(
    _ name: String, fine: String, otherwise: String, _ weight: Weight, if isFine: Bool
  )
    -> Row
  {
    isFine ? Row(name: name, text: fine) : Row(name: name, text: otherwise, weight: weight)
  }
}
