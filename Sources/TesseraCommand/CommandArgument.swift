import ArgumentParser
import FoundationEssentials
import TesseraScenario

/// An argument of a command, as the argument parser describes it.
package struct CommandArgument {
  /// `positional`, `option` or `flag`.
  package let kind: String
  /// The long name of an option or a flag, such as `--set`, or `<engine>`.
  package let name: String
  /// All names, the long ones first.
  package let names: [String]
  package let help: String
  /// Whether the help lists it.
  package let isShown: Bool
  package let isRepeating: Bool
  package let isEngine: Bool
  /// What its declaration says about how its values are completed.
  package let completion: JSON?

  package static func all(of command: any ParsableCommand.Type) -> [CommandArgument] {
    guard let dump = try? JSON(parsing: Data(command._dumpHelp().utf8), name: "the help"),
      case .list(let arguments)? = dump["command"]?["arguments"]
    else { return [] }
    return arguments.compactMap(CommandArgument.init)
  }

  private init?(_ json: JSON) {
    guard let kind = json["kind"]?.string else { return nil }
    self.kind = kind
    let value = json["valueName"]?.string ?? ""
    names = (json["names"]?.members ?? []).map { name in
      (name["kind"]?.string == "long" ? "--" : "-") + (name["name"]?.string ?? "")
    }.sorted { $0.count > $1.count }
    name = names.first ?? "<\(value)>"
    help = json["abstract"]?.string ?? ""
    isShown = json["shouldDisplay"]?.isTrue == true
    isRepeating = json["isRepeating"]?.isTrue == true
    isEngine = ["engine", "engine-or-file", "a", "b"].contains(value)
    completion = json["completionKind"]
  }
}

extension JSON {
  /// The text; nil for another value.
  package var string: String? {
    guard case .text(let text) = self else { return nil }
    return text
  }

  fileprivate var isTrue: Bool {
    guard case .bool(let value) = self else { return false }
    return value
  }

  /// The values of a list; none for another value.
  package var members: [JSON] {
    guard case .list(let list) = self else { return [] }
    return list
  }
}

extension CommandArgument {
  /// The command that the first words name, which are removed; the root if they name none.
  package static func command(
    named words: inout ArraySlice<String>, of root: any ParsableCommand.Type
  ) -> any ParsableCommand.Type {
    var command = root
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
