import ArgumentParser
import FoundationEssentials
import TesseraCommand
import TesseraHost
import TesseraScenario

struct CompletionContext {
  private let command: any ParsableCommand.Type
  private let current: String
  private let isHelp: Bool
  private var arguments: [CommandArgument] = []
  private var given: [(argument: CommandArgument, value: String)] = []
  private var positionalCount = 0
  private var pending: CommandArgument?
  /// After `--`.
  private var isTerminated = false

  /// Fails for an unknown command.
  init?(words: [String], current: String) {
    var rest = words[...]
    isHelp = rest.first == "help"
    if isHelp { rest.removeFirst() }
    let command = CommandArgument.command(named: &rest, of: Tessera.self)
    (self.command, self.current) = (command, current)
    guard command.configuration.subcommands.isEmpty || rest.isEmpty else { return nil }
    // A command with subcommands has many arguments.
    guard command.configuration.subcommands.isEmpty || current.hasPrefix("-") else { return }
    arguments = CommandArgument.all(of: command)
    for word in rest { read(word) }
  }

  private mutating func read(_ word: String) {
    if let option = pending {
      given.append((option, word))
      pending = nil
    } else if word == "--", !isTerminated {
      isTerminated = true
    } else if word.hasPrefix("-"), word.count > 1, !isTerminated {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let argument = arguments.first(where: { $0.names.contains(String(parts[0])) })
      else { return }
      if argument.kind == "option", parts.count == 1 {
        pending = argument
      } else {
        given.append((argument, parts.count == 2 ? String(parts[1]) : ""))
      }
    } else {
      if let argument = nextPositional { given.append((argument, word)) }
      positionalCount += 1
    }
  }

  private var nextPositional: CommandArgument? {
    let positionals = arguments.filter { $0.kind == "positional" }
    guard positionalCount >= positionals.count else { return positionals[positionalCount] }
    return positionals.last.flatMap { $0.isRepeating ? $0 : nil }
  }

  private func words(of given: [(argument: CommandArgument, value: String)]) -> [String] {
    given.flatMap { option in
      option.argument.kind == "flag"
        ? [option.argument.name] : [option.argument.name, option.value]
    }
  }

  var completions: Completions? {
    let subcommands = command.configuration.subcommands
    if !subcommands.isEmpty, !current.hasPrefix("-") {
      var words = subcommands.map {
        Completions.Word(text: $0.configuration.commandName ?? "", help: $0.configuration.abstract)
      }
      if command == Tessera.self, !isHelp {
        words.append(Completions.Word(text: "help", help: "Shows the help of a command."))
      }
      if command == Tessera.self {
        words += ExternalCommand.all.map { Completions.Word(text: $0.name) }
      }
      return Completions(kind: .words(words))
    }
    guard !isHelp else { return nil }
    if let pending { return values(of: pending, at: current) }
    if current.hasPrefix("-"), !isTerminated {
      let parts = current.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { return options }
      let option = arguments.first { $0.kind == "option" && $0.names.contains(String(parts[0])) }
      guard let option, var values = values(of: option, at: String(parts[1])) else { return nil }
      values.lead = "\(parts[0])=" + values.lead
      return values
    }
    if let next = nextPositional { return values(of: next, at: current) }
    return current.isEmpty && !isTerminated ? options : nil
  }

  private var options: Completions {
    let names = Set(given.filter { !$0.argument.isRepeating }.flatMap(\.argument.names))
    let open = arguments.filter {
      $0.kind != "positional" && $0.isShown && names.isDisjoint(with: $0.names)
    }
    return Completions(
      kind: .words(
        open.flatMap { argument in
          argument.names.map { Completions.Word(text: $0, help: argument.help) }
        }))
  }

  private func values(of argument: CommandArgument, at text: String) -> Completions? {
    if argument.name == "--list", let equals = text.firstIndex(of: "=") {
      return Completions(kind: .files(["json"]), lead: String(text[...equals]))
    }
    if let declared = Self.settings[argument.name] {
      let named = argument.name == "--to-set" ? engines.dropFirst() : engines
      return setting(of: argument, at: text, named, declared)
    }
    if argument.name == "--filter" { return CaseOptions.filters }
    if argument.name == "<function>" {
      let functions = facts(of: engines).flatMap(\.publishedFunctions).map(\.declaration)
      return Completions(
        kind: .words(functions.map { Completions.Word(text: $0.name, help: $0.help) }))
    }
    if argument.isEngine, let engines = engineNames(at: text) {
      return Completions(kind: .words(engines))
    }
    return argument.completions.map { Completions(kind: $0) }
  }

  private var host: TesseraHost.Host? {
    let named = ["--engines", "--allowlist", "--require-hash"]
    let options = given.filter { named.contains($0.argument.name) }
      .map { (argument: $0.argument, value: Self.withHome($0.value)) }
    return try? EngineOptions.parse(words(of: options)).host()
  }

  private static func withHome(_ path: String) -> String {
    guard path.hasPrefix("~/"), let home = ProcessEnvironment.home else { return path }
    return home + path.dropFirst()
  }

  private var engines: ArraySlice<String> {
    given.filter(\.argument.isEngine).map { Self.withHome($0.value) }[...]
  }

  private func facts(of engines: ArraySlice<String>) -> [EngineFacts] {
    guard let host else { return [] }
    return engines.compactMap { try? EngineFacts(host.engine($0)) }
  }

  /// Short names, else ids, else display names; nil for a path.
  private func engineNames(at text: String) -> [Completions.Word]? {
    guard !text.contains("/"), !text.hasPrefix("."), !text.hasPrefix("~") else { return nil }
    guard let host else { return nil }
    let listing =
      command == UninstallCommand.self
      ? try? EngineFolder.own().listing(host) : host.listing()
    let listed = (listing?.engines ?? []).filter { $0.shadowedBy == nil }.map(\.description)
    let names: [(EngineDescription) -> String] = [
      { $0.id.split(separator: ".").last.map(String.init) ?? $0.id }, \.id, \.name,
    ]
    return names.map { name in
      listed.map { Completions.Word(text: name($0), help: $0.summary) }
    }.first { $0.contains { $0.text.hasPrefix(text) } }
  }

  private static let settings: [String: @Sendable (EngineFacts) -> [Completions.Word]] = [
    "--set": parameters, "--to-set": parameters,
    "--item": { $0.itemValues.map { word($0.declaration) } },
    "--section": { $0.sectionValues.map { word($0.declaration) } },
    "--delegate": {
      $0.delegateFunctions.map { .init(text: $0.declaration.name, help: $0.declaration.help) }
    },
    "--list": { $0.lists.map { .init(text: $0.declaration.name, help: $0.declaration.help) } },
  ]

  private static func parameters(_ facts: EngineFacts) -> [Completions.Word] {
    facts.parameters.filter { facts.owner(of: $0) == nil }.map(\.declaration).map {
      word($0.name, $0.help, $0.type, $0.choices)
    }
  }

  private static func word(_ value: ValueDescription) -> Completions.Word {
    word(value.name, value.help, value.type, value.choices)
  }

  private static func word(
    _ name: String, _ help: String, _ type: ValueType, _ choices: [String]
  ) -> Completions.Word {
    .init(text: name, help: help, choices: type == .bool ? ["true", "false"] : choices)
  }

  private func setting(
    of argument: CommandArgument, at text: String, _ engines: ArraySlice<String>,
    _ declared: (EngineFacts) -> [Completions.Word]
  ) -> Completions? {
    var seen: Set<String> = []
    let settings = facts(of: engines).flatMap(declared).filter { seen.insert($0.text).inserted }
    guard let equals = text.firstIndex(of: "=") else {
      let set = Set(
        given.filter { $0.argument.name == argument.name }.map { $0.value.prefix { $0 != "=" } })
      let open = settings.filter { !set.contains(Substring($0.text)) }
      return Completions(
        kind: .names(open.map { Completions.Word(text: "\($0.text)=", help: $0.help) }))
    }
    guard let setting = settings.first(where: { $0.text == text[..<equals] }) else { return nil }
    return Completions(
      kind: .words(setting.choices.map { Completions.Word(text: $0) }), lead: "\(setting.text)=")
  }
}

extension CommandArgument {
  fileprivate var completions: Completions.Kind? {
    if let list = completion?["list"]?["values"] {
      .words(list.members.compactMap(\.string).map { Completions.Word(text: $0) })
    } else if let file = completion?["file"] {
      .files((file["extensions"]?.members ?? []).compactMap(\.string))
    } else {
      completion?["directory"] == nil ? nil : .folders
    }
  }
}
