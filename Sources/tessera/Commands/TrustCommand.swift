import ArgumentParser
import Glibc
import TesseraHost
import TesseraScenario

/// `tessera trust`: the libraries that --require-hash lets through.
struct TrustCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trust",
    abstract: "Keeps the allowlist: the libraries that --require-hash lets through.",
    discussion: """
      The allowlist is a text file as sha256sum writes it, by default tessera/trusted in \
      $XDG_CONFIG_HOME or in ~/.config. A library is on it by the sum of its bytes: one that is \
      built again has to be added again.

      EXAMPLES
        tessera trust add ./libspiral.so
        tessera trust list
        tessera trust remove ./libspiral.so
        tessera layout ./libspiral.so --require-hash
      """,
    subcommands: [TrustAddCommand.self, TrustListCommand.self, TrustRemoveCommand.self])
}

/// Which allowlist is meant.
struct AllowlistOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("The allowlist is this file instead of your own.", valueName: "file"),
    completion: .file())
  var allowlist: String?

  var file: String {
    get throws { try ProcessEnvironment.allowlistFile(allowlist) }
  }
}

/// `tessera trust add`: more libraries for the allowlist.
struct TrustAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Puts libraries on the allowlist, as they are now.",
    discussion: """
      A file is inspected, and nothing of it runs. What is no engine library is not added.

      EXAMPLES
        tessera trust add ./libspiral.so
        tessera trust add --allowlist allowed.txt engines/*.so
      """)

  @Argument(
    help: ArgumentHelp("A library's file.", valueName: "file"), completion: .file())
  var files: [String]
  @OptionGroup var options: AllowlistOptions

  func run() throws {
    let list = try options.file
    try OutputFile.write(to: nil) { output in
      for file in files {
        let addition: Allowlist.Addition
        do {
          addition = try Allowlist.add(library: file, to: list)
        } catch {
          try output.flush()
          throw error
        }
        let entry = addition.entry
        try output.write(
          addition.isNew
            ? "added \(entry.path) with the sum \(entry.digest)\n"
            : "\(entry.path) is on the allowlist already, with the sum \(entry.digest)\n")
      }
    }
  }
}

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

/// `tessera trust remove`: fewer libraries on the allowlist.
struct TrustRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Takes libraries off the allowlist.",
    discussion: """
      By its file a library is removed with every sum that it had; the file need not exist any more. \
      By a sum, or the beginning of one, it is removed wherever it lies.

      EXAMPLES
        tessera trust remove ./libspiral.so
        tessera trust remove 3f5a09
      """)

  @Argument(
    help: ArgumentHelp(
      "A library's file, or the beginning of its sum.", valueName: "file-or-sum"),
    completion: .file())
  var names: [String]
  @OptionGroup var options: AllowlistOptions

  func run() throws {
    let list = try options.file
    try OutputFile.write(to: nil) { output in
      for name in names {
        let gone: [Allowlist.Entry]
        do {
          gone = try Allowlist.remove(try listedName(name, in: list), from: list)
        } catch {
          try output.flush()
          throw error
        }
        for entry in gone {
          try output.write("removed \(entry.path) with the sum \(entry.digest)\n")
        }
      }
    }
  }

  /// The name as the list has it: a path is listed whole and without symlinks.
  private func listedName(_ name: String, in list: String) throws -> String {
    let paths = Set(try Allowlist(file: list).entries.map(\.path))
    return [name, Self.resolved(name), Self.absolute(name)].compactMap(\.self)
      .first(where: paths.contains) ?? name
  }

  private static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// The path of a file that is gone, in a folder that is there.
  private static func absolute(_ path: String) -> String? {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let end = path.lastIndex(of: "/")
    let folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    return resolved(folder).map { $0 == "/" ? "/\(name)" : "\($0)/\(name)" }
  }
}
