import ArgumentParser
import FoundationEssentials
import TesseraScenario

package struct CommandArgument {
  /// `positional`, `option` or `flag`.
  package let kind: String
  package let name: String
  /// Long names first.
  package let names: [String]
  package let help: String
  package let isShown: Bool
  package let isRepeating: Bool
  package let isEngine: Bool
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
  package var string: String? {
    guard case .text(let text) = self else { return nil }
    return text
  }

  fileprivate var isTrue: Bool {
    guard case .bool(let value) = self else { return false }
    return value
  }

  package var members: [JSON] {
    guard case .list(let list) = self else { return [] }
    return list
  }
}

extension CommandArgument {
  /// Removes the words that name a command.
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
