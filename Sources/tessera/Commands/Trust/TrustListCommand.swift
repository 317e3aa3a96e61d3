import ArgumentParser
import TesseraHost
import TesseraScenario

/// `tessera trust list`: what is on the allowlist.
struct TrustListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Lists the allowlist, and whether each file still is what was added.",
    discussion: """
      A file that has changed since it was added is not allowed until it is added again; its old sum \
      stays until it is removed.

      EXAMPLES
        tessera trust list
        tessera trust list --format json
      """)

  @OptionGroup var options: AllowlistOptions
  @Option(name: .long, parsing: .unconditional, help: "How to print.")
  var format = DescriptionFormat.table

  func run() throws {
    let list = try Allowlist(file: options.file)
    try OutputFile.write(to: nil) { output in
      switch format {
      case .table: try write(list, to: output)
      case .json: try output.write(list.json.text + "\n")
      }
    }
  }

  private func write(_ list: Allowlist, to output: BufferedOutput) throws {
    guard !list.entries.isEmpty else {
      return try output.write(
        "nothing is on the allowlist \(list.file); tessera trust add puts a library there\n")
    }
    let rows = list.entries.map { entry in
      // As many digits as tell any two apart; removing takes a beginning, too.
      [String(entry.digest.description.prefix(16)), entry.state().rawValue, entry.path]
    }
    let columns = ["SUM", "FILE", "LIBRARY"].map { TextTable.Column($0) }
    try TextTable(columns, rows: rows).write(to: output)
  }
}

extension Allowlist {
  fileprivate var json: JSON {
    .object([
      ("file", .text(file)), ("exists", .bool(exists)),
      (
        "libraries",
        .list(
          entries.map { entry in
            .object([
              ("sha256", .text("\(entry.digest)")), ("library", .text(entry.path)),
              ("state", .text(entry.state().rawValue)),
            ])
          })
      ),
    ])
  }
}
