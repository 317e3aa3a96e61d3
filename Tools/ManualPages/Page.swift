/// The manual page of one command.
struct Page {
  let command: Dump.Command
  /// All pages beside this one, by the words of their commands.
  let others: [[String]]
  let version: String
  let date: String

  /// The page's name without its section: "tessera-layout".
  var name: String { command.words.joined(separator: "-") }

  /// The page.
  var text: String {
    let (description, sections) = discussion
    var lines = [
      ".\\\" Generated from the help of the command; do not edit.",
      ".TH \"\(Roff.escaped(name.uppercased()))\" 1 \"\(date)\" \"Tessera \(Roff.escaped(version))\"",
      ".ad l", Roff.heading("name"), "\(Roff.escaped(name)) \\- \(Roff.escaped(summary))",
      Roff.heading("synopsis"), synopsis, Roff.heading("description"),
    ]
    lines += Roff.text(
      [Substring(command.abstract ?? ""), ""] + description, paragraph: ".PP")
    lines += arguments + subcommands
    for section in sections {
      lines.append(Roff.heading(section.title))
      lines += Roff.text(section.lines, paragraph: ".PP")
    }
    lines.append(Roff.heading("see also"))
    lines.append(
      related.map { "\(Roff.bold($0.joined(separator: "-")))(1)" }.joined(separator: ",\n"))
    return lines.joined(separator: "\n") + "\n"
  }

  /// The abstract as a line of an index: no capital, no full stop.
  private var summary: String {
    var text = command.abstract ?? ""
    if text.hasSuffix(".") { text.removeLast() }
    return text.prefix(1).lowercased() + text.dropFirst()
  }

  /// The discussion up to its first heading, a line of capitals, and what follows under each.
  private var discussion: ([Substring], [(title: String, lines: [Substring])]) {
    var description: [Substring] = []
    var sections: [(title: String, lines: [Substring])] = []
    for line in (command.discussion ?? "").split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      let isHeading =
        line.first?.isLetter == true && line.allSatisfy { $0.isUppercase || $0 == " " }
      if isHeading {
        sections.append((String(line), []))
      } else if sections.isEmpty {
        description.append(line)
      } else {
        sections[sections.count - 1].lines.append(line)
      }
    }
    return (description, sections)
  }

  private var synopsis: String {
    var words = [Roff.bold(command.words.joined(separator: " "))]
    if !command.shownSubcommands.isEmpty { words.append(Roff.italic("subcommand")) }
    let shown = command.shownArguments
    if shown.contains(where: { $0.kind != .positional && $0.isOptional }) {
      words.append("[\(Roff.italic("options"))]")
    }
    for argument in shown where !(argument.kind != .positional && argument.isOptional) {
      words.append(Self.usage(of: argument))
    }
    return words.joined(separator: "\n")
  }

  private static func usage(of argument: Dump.Argument) -> String {
    let value = Roff.italic(argument.valueName ?? "")
    let word =
      switch argument.kind {
      case .positional: value + (argument.isRepeating ? "\\ ..." : "")
      case .option: "\(Roff.bold(longest(of: argument)))\\ \(value)"
      case .flag: Roff.bold(longest(of: argument))
      }
    return argument.isOptional ? "[\(word)]" : word
  }

  private static func longest(of argument: Dump.Argument) -> String {
    (argument.names ?? []).map(\.typed).max { $0.count < $1.count } ?? ""
  }

  /// Arguments and options under the titles that the help gives them, the untitled ones last.
  private var arguments: [String] {
    let shown = command.shownArguments
    let positional = shown.filter { $0.kind == .positional }
    let options = shown.filter { $0.kind != .positional }
    var groups = [("arguments", positional)]
    for option in options where option.sectionTitle != nil {
      let title = option.sectionTitle!
      if groups.last?.0 == title {
        groups[groups.count - 1].1.append(option)
      } else {
        groups.append((title, [option]))
      }
    }
    groups.append(("options", options.filter { $0.sectionTitle == nil }))
    return groups.filter { !$0.1.isEmpty }.flatMap { title, arguments in
      [Roff.heading(title)] + arguments.flatMap(Self.entry)
    }
  }

  private static func entry(_ argument: Dump.Argument) -> [String] {
    var term = (argument.names ?? []).sorted { $0.name.count < $1.name.count }
      .map { Roff.bold($0.typed) }.joined(separator: ", ")
    if argument.kind != .flag {
      term += (term.isEmpty ? "" : " ") + Roff.italic(argument.valueName ?? "")
    }
    var notes: [String] = []
    if let values = argument.allValues, !values.isEmpty {
      notes.append("One of \(values.joined(separator: ", ")).")
    }
    if let value = argument.defaultValue { notes.append("By default \(value).") }
    let text = [argument.abstract ?? ""] + notes
    var lines = [".TP", term, Roff.escaped(text.filter { !$0.isEmpty }.joined(separator: " "))]
    if let discussion = argument.discussion {
      let more = discussion.split(separator: "\n", omittingEmptySubsequences: false)
      lines += [".IP"] + Roff.text(more, paragraph: ".IP")
    }
    return lines
  }

  private var subcommands: [String] {
    guard !command.shownSubcommands.isEmpty else { return [] }
    return [Roff.heading("subcommands")]
      + command.shownSubcommands.flatMap { subcommand in
        [
          ".TP", "\(Roff.bold(subcommand.words.joined(separator: "-")))(1)",
          Roff.escaped(subcommand.abstract ?? ""),
        ]
      }
  }

  /// The pages above and below, and all others where there is nothing below.
  private var related: [[String]] {
    let near = others.filter { words in
      words.starts(with: command.words) || command.words.starts(with: words)
    }
    return (near + others.filter { $0.count == 2 && !near.contains($0) })
  }
}
