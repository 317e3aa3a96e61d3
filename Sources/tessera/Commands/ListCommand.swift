import ArgumentParser
import TesseraCommand
import TesseraHost
import TesseraScenario

struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Lists the engines on the search path, and the files that were refused.",
    discussion: """
      Each file is inspected before any of its code runs. An engine library is then loaded in a \
      sandboxed process, which returns the descriptions of its engines. They are cached in tessera/ \
      of $XDG_CACHE_HOME, or of ~/.cache, until the file changes, so the next listing runs no engine \
      code. With --isolation none, libraries that are not cached are loaded into this command.

      Other commands accept an engine's id, the last part of its id, its name and the path of its \
      library. On a terminal, each line is cut to its width.

      Each refused file is listed with the reason: it is not an engine library, other users can \
      change it, it is not on the allowlist, or it has crashed repeatedly. In JSON, its status is the \
      exit status of a command that is given the file by its path.

      EXAMPLES
        tessera list
        tessera list --engines ~/engines --format json
        tessera list --require-hash
      """)

  @OptionGroup var engineOptions: EngineOptions
  @Option("The output format.")
  var format = DescriptionFormat.table

  func run() throws {
    let host = try engineOptions.host()
    let listing = engineOptions.watchdog.guarding(
      engineOptions.hanging("a library on the search path")
    ) {
      host.listing()
    }
    try BufferedOutput.print(asJSON: format == .json, listing.json) {
      try write(listing, to: $0)
    }
  }

  private func write(_ listing: Listing, to output: BufferedOutput) throws {
    if listing.engines.isEmpty {
      try output.write("no engines were found; give a folder that contains some with --engines\n")
    } else {
      let rows = listing.engines.map { entry in
        [
          entry.description.id, entry.description.name, entry.description.version,
          entry.description.summary, entry.library,
          entry.shadowedBy.map { "shadowed by \($0)" } ?? "",
        ]
      }
      let titles = ["ID", "NAME", "VERSION", "SUMMARY", "LIBRARY", ""]
      try TextTable(titles, rows: rows).write(to: output, width: Terminal.width)
    }
    guard !listing.refused.isEmpty else { return }
    try output.write("\nRefused:\n")
    for refusal in listing.refused {
      try output.write("  \("\(refusal.file): \(refusal.error.commandMessage)".visible)\n")
    }
  }
}

enum DescriptionFormat: String, CaseIterable, ExpressibleByArgument {
  case table, json
}
