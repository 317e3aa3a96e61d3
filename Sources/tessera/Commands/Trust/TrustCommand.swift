import ArgumentParser

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
    get throws { try Surroundings.allowlistFile(allowlist) }
  }
}
