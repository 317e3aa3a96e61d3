import ArgumentParser
import TesseraCommand
import TesseraHost
import TesseraScenario

struct TrustCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trust",
    abstract: "Manages the allowlist: the libraries that --require-hash permits.",
    discussion: """
      The allowlist is a text file in the format of sha256sum, by default tessera/trusted in \
      $XDG_CONFIG_HOME or in ~/.config. It identifies libraries by their checksums, so a rebuilt \
      library must be added again.

      EXAMPLES
        tessera trust add ./libspiral.so
        tessera trust list
        tessera trust remove ./libspiral.so
        tessera layout ./libspiral.so --require-hash
      """,
    subcommands: [TrustAddCommand.self, TrustListCommand.self, TrustRemoveCommand.self])
}

struct AllowlistOptions: ParsableArguments {
  @Option("Use this allowlist instead of your own.", "file", completion: .file())
  var allowlist: String?

  var file: String { get throws { try ProcessEnvironment.allowlistFile(allowlist) } }
}

struct TrustAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Adds libraries to the allowlist.",
    discussion: """
      Files are inspected, but none of their code runs. Only engine libraries are added.

      EXAMPLES
        tessera trust add ./libspiral.so
        tessera trust add --allowlist allowed.txt engines/*.so
      """)

  @Argument(
    help: ArgumentHelp("A library's file.", valueName: "file"),
    completion: .file(extensions: ["so"]))
  var files: [String]
  @OptionGroup var options: AllowlistOptions

  func run() throws {
    let list = try options.file
    try BufferedOutput.write(to: nil) { output in
      for file in files {
        let addition: (entry: Allowlist.Entry, isNew: Bool)
        do {
          addition = try Allowlist.add(library: file, to: list)
        } catch {
          try output.flush()
          throw error
        }
        let entry = addition.entry
        try output.writeLine(
          addition.isNew
            ? "added \(entry.path) with the checksum \(entry.digest)"
            : "\(entry.path) is already on the allowlist, with the checksum \(entry.digest)")
      }
    }
  }
}

struct TrustListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Lists the allowlist, and whether each file has changed since it was added.",
    discussion: """
      A file that has changed is not allowed until it is added again. Its old checksum stays on the \
      list until it is removed.

      EXAMPLES
        tessera trust list
        tessera trust list --format json
      """)

  @OptionGroup var options: AllowlistOptions
  @Option("The output format.")
  var format = DescriptionFormat.table

  func run() throws {
    let list = try Allowlist(file: options.file)
    try BufferedOutput.print(asJSON: format == .json, list.json) { try write(list, to: $0) }
  }

  private func write(_ list: Allowlist, to output: BufferedOutput) throws {
    guard !list.entries.isEmpty else {
      return try output.writeLine(
        "the allowlist \(list.file) is empty; tessera trust add adds libraries")
    }
    let rows = list.entries.map { entry in
      // Enough digits to be unique; `trust remove` accepts a prefix.
      [String(entry.digest.description.prefix(16)), entry.state().rawValue, entry.path]
    }
    try TextTable(["CHECKSUM", "STATE", "LIBRARY"], rows: rows).write(to: output)
  }
}

extension Allowlist {
  fileprivate var json: JSON {
    JSON([
      "file": file, "exists": exists,
      "libraries": entries.map { entry in
        JSON([
          "sha256": "\(entry.digest)", "library": entry.path, "state": entry.state().rawValue,
        ])
      },
    ])
  }
}

struct TrustRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Removes libraries from the allowlist.",
    discussion: """
      The path of a library removes every checksum that was added for it; the file need not exist any \
      more. A checksum, or the first digits of one, removes the library wherever it is.

      EXAMPLES
        tessera trust remove ./libspiral.so
        tessera trust remove 3f5a09
      """)

  @Argument(
    help: ArgumentHelp(
      "A library's file, or the first digits of its checksum.", valueName: "file-or-checksum"),
    completion: .file())
  var names: [String]
  @OptionGroup var options: AllowlistOptions

  func run() throws {
    let list = try options.file
    try BufferedOutput.write(to: nil) { output in
      for name in names {
        let gone: [Allowlist.Entry]
        do {
          gone = try Allowlist.remove(try listedName(name, in: list), from: list)
        } catch {
          try output.flush()
          throw error
        }
        for entry in gone {
          try output.writeLine("removed \(entry.path) with the checksum \(entry.digest)")
        }
      }
    }
  }

  /// The list has absolute paths without symlinks.
  private func listedName(_ name: String, in list: String) throws -> String {
    let paths = Set(try Allowlist(file: list).entries.map(\.path))
    let place = LibraryScan.resolve(SearchPath.folder(of: name))
    let file = name.split(separator: "/").last.map(String.init) ?? name
    return [name, LibraryScan.resolve(name), SearchPath.join(place, file)]
      .first(where: paths.contains) ?? name
  }
}
