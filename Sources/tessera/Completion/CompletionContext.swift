import ArgumentParser
import FoundationEssentials
import TesseraCommand
import TesseraHost
import TesseraScenario

/// The end of an unfinished command line, and what is known from the words before it.
struct CompletionContext {
  private let command: any ParsableCommand.Type
  private let current: String
  private let isHelp: Bool
  private var arguments: [CommandArgument] = []
  /// The arguments that were given, with their values.
  private var given: [(argument: CommandArgument, value: String)] = []
  private var positionalCount = 0
  /// The option whose value the current word is.
  private var pending: CommandArgument?
  /// Whether `--` was given.
  private var isTerminated = false

  /// Reads the words before the current one; fails if there is no such command.
  init?(words: [String], current: String) {
    var rest = words[...]
    isHelp = rest.first == "help"
    if isHelp { rest.removeFirst() }
    let command = CommandArgument.command(named: &rest, of: Tessera.self)
    (self.command, self.current) = (command, current)
    guard command.configuration.subcommands.isEmpty || rest.isEmpty else { return nil }
    // The words of all commands are many, and are wanted only for the options.
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

  /// The positional argument that the next word is.
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

  /// What can stand here; nil if nothing is known.
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

  /// The options that may still be given.
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

  /// The values that an argument can have, whose text begins as given.
  private func values(of argument: CommandArgument, at text: String) -> Completions? {
    switch argument.name {
    case "--set": return setting(of: argument, at: text, engines) { $0.settable }
    case "--to-set":
      return setting(of: argument, at: text, engines.dropFirst()) { $0.settable }
    case "--item":
      return setting(of: argument, at: text, engines) {
        $0.itemValues.map(\.declaration.completion)
      }
    case "--section":
      return setting(of: argument, at: text, engines) {
        $0.sectionValues.map(\.declaration.completion)
      }
    case "--delegate":
      return setting(of: argument, at: text, engines) {
        $0.delegateFunctions.map(\.declaration.completion)
      }
    case "--list":
      guard let equals = text.firstIndex(of: "=") else {
        return setting(of: argument, at: text, engines) { $0.lists.map(\.declaration.completion) }
      }
      return Completions(kind: .files(["json"]), lead: String(text[...equals]))
    case "<function>":
      let functions = facts(of: engines).flatMap(\.publishedFunctions).map(\.declaration)
      return Completions(
        kind: .words(functions.map { Completions.Word(text: $0.name, help: $0.help) }))
    case "--filter": return CaseOptions.filters
    default: break
    }
    if argument.isEngine, let engines = engineNames(at: text) {
      return Completions(kind: .words(engines))
    }
    return argument.completions.map { Completions(kind: $0) }
  }

  // MARK: - Engines

  private var host: TesseraHost.Host? {
    let named = ["--engines", "--allowlist", "--require-hash"]
    let options = given.filter { named.contains($0.argument.name) }
      .map { (argument: $0.argument, value: Self.withHome($0.value)) }
    return try? EngineOptions.parse(words(of: options)).host()
  }

  /// A path that a shell would have expanded.
  private static func withHome(_ path: String) -> String {
    guard path.hasPrefix("~/"), let home = ProcessEnvironment.home else { return path }
    return home + path.dropFirst()
  }

  /// The engines of the line, in their order.
  private var engines: ArraySlice<String> {
    given.filter(\.argument.isEngine).map { Self.withHome($0.value) }[...]
  }

  private func facts(of engines: ArraySlice<String>) -> [EngineFacts] {
    guard let host else { return [] }
    return engines.compactMap { try? EngineFacts(host.engine($0)) }
  }

  /// The names of the engines that begin with a text: short ones or else ids or else display names; nil
  /// for a path.
  private func engineNames(at text: String) -> [Completions.Word]? {
    guard !text.contains("/"), !text.hasPrefix("."), !text.hasPrefix("~") else { return nil }
    let listed = (listing?.engines ?? []).filter { $0.shadowedBy == nil }.map(\.description)
    let ids = listed.map { Completions.Word(text: $0.id, help: $0.summary) }
    let short = listed.map {
      Completions.Word(
        text: $0.id.split(separator: ".").last.map(String.init) ?? $0.id, help: $0.summary)
    }
    let names = listed.map { Completions.Word(text: $0.name, help: $0.summary) }
    return [short, ids, names].first { $0.contains { $0.text.hasPrefix(text) } }
  }

  private var listing: Listing? {
    guard let host else { return nil }
    guard command == UninstallCommand.self else { return host.listing() }
    return try? ProcessEnvironment.engineFolder().listing(host)
  }

  // MARK: - Settings

  /// A name, or the value after a name and `=`.
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

extension EngineFacts {
  /// The parameters that a user can set.
  fileprivate var settable: [Completions.Word] {
    parameters.filter { owner(of: $0) == nil }.map(\.declaration.completion)
  }
}

extension ParameterDescription {
  fileprivate var completion: Completions.Word {
    .init(name, help, type, choices)
  }
}

extension ValueDescription {
  fileprivate var completion: Completions.Word {
    .init(name, help, type, choices)
  }
}

extension FunctionDescription {
  fileprivate var completion: Completions.Word {
    .init(text: name, help: help)
  }
}

extension ListDescription {
  fileprivate var completion: Completions.Word {
    .init(text: name, help: help)
  }
}

extension Completions.Word {
  /// The name of a setting of a type.
  fileprivate init(_ name: String, _ help: String, _ type: ValueType, _ choices: [String]) {
    self.init(text: name, help: help, choices: type == .bool ? ["true", "false"] : choices)
  }
}

extension CommandArgument {
  /// What its declaration says about its values.
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
