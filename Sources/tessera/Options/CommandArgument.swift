import ArgumentParser
import FoundationEssentials
import TesseraScenario

/// An argument of a command, as the argument parser describes it.
struct CommandArgument {
  /// `positional`, `option` or `flag`.
  let kind: String
  /// The long name of an option or a flag, such as `--set`, or `<engine>`.
  let name: String
  /// All names, the long ones first.
  let names: [String]
  let help: String
  /// The title of its group of options; nil for none.
  let group: String?
  let isRepeating: Bool
  /// Whether it names an engine.
  let isEngine: Bool
  /// What its declaration says about its values.
  let completions: Completions.Kind?

  /// The arguments of a command.
  static func all(of command: any ParsableCommand.Type) -> [CommandArgument] {
    guard let dump = try? JSON(parsing: Data(command._dumpHelp().utf8), name: "the help"),
      case .list(let arguments)? = dump["command"]?["arguments"]
    else { return [] }
    return arguments.compactMap(CommandArgument.init)
  }

  private init?(_ json: JSON) {
    guard let kind = json["kind"]?.string, json["shouldDisplay"]?.isTrue == true
    else { return nil }
    self.kind = kind
    let value = json["valueName"]?.string ?? ""
    names = (json["names"]?.members ?? []).map { name in
      (name["kind"]?.string == "long" ? "--" : "-") + (name["name"]?.string ?? "")
    }.sorted { $0.count > $1.count }
    name = names.first ?? "<\(value)>"
    help = json["abstract"]?.string ?? ""
    group = json["sectionTitle"]?.string
    isRepeating = json["isRepeating"]?.isTrue == true
    isEngine = ["engine", "engine-or-file", "a", "b"].contains(value)
    let declared = json["completionKind"]
    if let list = declared?["list"]?["values"] {
      completions = .words(list.members.compactMap(\.string).map { Completions.Word(text: $0) })
    } else if let file = declared?["file"] {
      completions = .files((file["extensions"]?.members ?? []).compactMap(\.string))
    } else {
      completions = declared?["directory"] == nil ? nil : .folders
    }
  }
}

extension JSON {
  fileprivate var string: String? {
    guard case .text(let text) = self else { return nil }
    return text
  }

  fileprivate var isTrue: Bool {
    guard case .bool(let value) = self else { return false }
    return value
  }

  fileprivate var members: [JSON] {
    guard case .list(let list) = self else { return [] }
    return list
  }
}

extension Tessera {
  /// The command that the first words name, which are removed; this one if they name none.
  static func command(named words: inout ArraySlice<String>) -> any ParsableCommand.Type {
    var command: any ParsableCommand.Type = Tessera.self
    while let name = words.first,
      let found = command.configuration.subcommands.first(where: {
        $0.configuration.commandName == name
      })
    {
      command = found
      words.removeFirst()
    }
    return command
  }
}
