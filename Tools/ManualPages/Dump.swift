/// A command as `--experimental-dump-help` describes it, as far as a manual page needs it.
struct Dump: Decodable {
  let command: Command

  struct Command: Decodable {
    let commandName: String
    let superCommands: [String]?
    let abstract: String?
    let discussion: String?
    let shouldDisplay: Bool?
    let arguments: [Argument]?
    let subcommands: [Command]?

    /// Its words: "tessera", "trust", "add".
    var words: [String] { (superCommands ?? []) + [commandName] }
    var shownArguments: [Argument] { (arguments ?? []).filter(\.shouldDisplay) }
    /// Those with a page of their own; `help` shows what the pages do.
    var shownSubcommands: [Command] {
      (subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" }
    }
    /// Itself, and all below it.
    var all: [Command] { [self] + shownSubcommands.flatMap(\.all) }
  }

  struct Argument: Decodable {
    enum Kind: String, Decodable { case positional, option, flag }

    struct Name: Decodable {
      enum Kind: String, Decodable { case long, short, longWithSingleDash }

      let kind: Kind
      let name: String

      /// As it is typed: "--items".
      var typed: String { (kind == .long ? "--" : "-") + name }
    }

    let kind: Kind
    let names: [Name]?
    let valueName: String?
    let abstract: String?
    let discussion: String?
    let defaultValue: String?
    let allValues: [String]?
    let isOptional: Bool
    let isRepeating: Bool
    let shouldDisplay: Bool
    let sectionTitle: String?
  }
}
