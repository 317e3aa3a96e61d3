import ArgumentParser
import TesseraHost
import TesseraScenario

/// `tessera list`: what is on the search path.
struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Lists every engine on the search path, and every file that was refused.",
    discussion: """
      A file is inspected before anything of it runs. An engine library is then asked what it holds, \
      in a sandboxed process of its own; the answer is remembered in tessera/ of $XDG_CACHE_HOME, or \
      of ~/.cache, until the file changes, so the next listing runs none of it. With --isolation \
      none it is loaded into this command instead, and nothing is remembered.

      Every file that is refused is told with its reason: one that is no engine library, one that \
      others may change or that is not on the allowlist, one that crashed again and again. In JSON \
      its status is the one with which the command would end if the file were named outright.

      EXAMPLES
        tessera list
        tessera list --engines ~/engines --format json
        tessera list --require-hash
      """)

  @OptionGroup var engineOptions: EngineOptions
  @Option(name: .long, parsing: .unconditional, help: "How to print.")
  var format = DescriptionFormat.table

  func run() throws {
    let host = try engineOptions.host()
    let listing = engineOptions.watchdog.guarding(
      engineOptions.hanging("a library on the search path")
    ) {
      host.listing()
    }
    try OutputFile.write(to: nil) { output in
      switch format {
      case .table: try write(listing, to: output)
      case .json: try output.write(listing.json.text + "\n")
      }
    }
  }

  private func write(_ listing: Listing, to output: BufferedOutput) throws {
    if listing.engines.isEmpty {
      try output.write("no engines; give a folder that holds some with --engines\n")
    } else {
      let rows = listing.engines.map { entry in
        [
          entry.description.id, entry.description.name, entry.description.version, entry.library,
          entry.shadowedBy.map { "shadowed by \($0)" } ?? "",
        ]
      }
      let columns = ["ID", "NAME", "VERSION", "LIBRARY", ""].map { TextTable.Column($0) }
      try TextTable(columns, rows: rows).write(to: output)
    }
    guard !listing.refused.isEmpty else { return }
    try output.write("\nRefused:\n")
    for refusal in listing.refused {
      try output.write("  \(refusal.file): \(refusal.error.commandMessage)\n")
    }
  }
}

/// The formats of descriptions.
enum DescriptionFormat: String, CaseIterable, ExpressibleByArgument {
  case table, json
}

extension Listing {
  /// The listing for a program.
  var json: JSON {
    .object([
      ("engines", .list(engines.map(\.json))),
      ("refused", .list(refused.map(\.json))),
    ])
  }
}

extension Listing.Entry {
  fileprivate var json: JSON {
    .object([
      ("id", .text(description.id)), ("name", .text(description.name)),
      ("version", .text(description.version)), ("library", .text(library)),
      ("abi", .text("\(abi)")), ("base", .optional(description.base)),
      ("traits", .list(description.traits.names.map(JSON.text))),
      ("shadowedBy", .optional(shadowedBy)),
    ])
  }
}

extension Listing.Refusal {
  /// The status is the one with which the command would end if the file were named outright.
  var json: JSON {
    .object([
      ("file", .text(file)), ("reason", .text(error.commandMessage)),
      ("status", .integer(Int(error.kind.status.rawValue))),
    ])
  }
}
