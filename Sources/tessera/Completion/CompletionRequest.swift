import ArgumentParser
import FoundationEssentials
import Glibc
import TesseraCommand
import TesseraHost

struct CompletionRequest {
  let shell: CompletionShell
  /// Without the command's name and the last word.
  let words: [String]
  let current: String
  /// Bash only replaces the text after `=`.
  private let keptCount: Int
  private let isQuoted: Bool

  /// Nil if no completion script made the request.
  ///
  /// bash passes its line, because it splits words at `=` and `:`; other shells pass words.
  init?(arguments: [String]) {
    guard arguments.count >= 3, arguments[0] == "---complete",
      let shell = CompletionShell(rawValue: arguments[1])
    else { return nil }
    self.shell = shell
    if shell == .bash {
      let line = Self.words(ofBash: arguments[2])
      guard line.words.count > 1 else { return nil }
      let written = arguments.count > 3 ? arguments[3] : ""
      let replaced = line.isQuoted ? written : Self.words(ofBash: written).words.last ?? ""
      words = Array(line.words.dropFirst().dropLast())
      current = line.words[line.words.count - 1]
      isQuoted = line.isQuoted
      keptCount = current.hasSuffix(replaced) ? current.count - replaced.count : 0
    } else {
      words = Array(arguments[2...].dropLast())
      current = arguments[arguments.count - 1]
      (keptCount, isQuoted) = (0, false)
    }
  }

  /// Gives up if it takes too long.
  func answer() -> Never {
    signal(SIGALRM) { _ in _exit(EXIT_SUCCESS) }
    alarm(3)
    // Arguments of other programs are usually files.
    let isOthers = words.first.map { ExternalCommand.isFound($0) } ?? false
    let completions =
      isOthers
      ? Completions(kind: .files([]))
      : CompletionContext(words: words, current: current)?.completions
    if let completions {
      let output = BufferedOutput.standard()
      try? output.write(lines(of: completions).map { $0 + "\n" }.joined())
      try? output.flush()
    }
    exit(EXIT_SUCCESS)
  }

  private func lines(of completions: Completions) -> [String] {
    switch completions.kind {
    case .folders: ["folders", completions.lead]
    case .files(let endings): ["files", completions.lead] + endings
    case .words(let words): ["words"] + words.compactMap { line(of: $0, completions.lead) }
    case .names(let words): ["names"] + words.compactMap { line(of: $0, completions.lead) }
    }
  }

  /// The last word is empty after a space.
  private static func words(ofBash line: String) -> (words: [String], isQuoted: Bool) {
    var words: [String] = []
    var word = ""
    var mark: Character?
    var isEscaped = false
    for character in line {
      if isEscaped {
        word.append(character)
        isEscaped = false
      } else if character == "\\", mark != "'" {
        isEscaped = true
      } else if let open = mark {
        if character == open { mark = nil } else { word.append(character) }
      } else if character == "'" || character == "\"" {
        mark = character
      } else if !character.isWhitespace {
        word.append(character)
      } else if !word.isEmpty {
        words.append(word)
        word = ""
      }
    }
    words.append(word)
    return (words, mark != nil)
  }

  private func line(of word: Completions.Word, _ lead: String) -> String? {
    let text = lead + word.text
    // Engine names are untrusted.
    guard text.visible == text, !text.contains("\n") else { return nil }
    let help = word.help.visible
    switch shell {
    case .bash:
      guard text.hasPrefix(current) else { return nil }
      return escaped(String(text.dropFirst(keptCount)))
    case .zsh:
      let name = text.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
      return help.isEmpty ? name : "\(name):\(help)"
    default: return help.isEmpty ? text : "\(text)\t\(help)"
    }
  }

  /// Nil if an open quotation mark forbids it.
  private func escaped(_ text: String) -> String? {
    let plain = Set("-_=.,:/+@%^")
    func isPlain(_ character: Character) -> Bool {
      character.isLetter || character.isNumber || plain.contains(character)
    }
    if isQuoted { return text.allSatisfy { isPlain($0) || $0 == " " } ? text : nil }
    return text.map { isPlain($0) ? "\($0)" : "\\\($0)" }.joined()
  }
}

struct Completions {
  struct Word {
    let text: String
    var help = ""
    var choices: [String] = []
  }

  enum Kind {
    case words([Word])
    /// Unfinished words, such as `itemSize=`.
    case names([Word])
    /// Files with these extensions (any file if empty), and folders.
    case files([String])
    case folders
  }

  let kind: Kind
  /// The start of the word, such as `--format=`.
  var lead = ""
}

extension CompletionRequest {
  /// The parser's own scripts know no engines, split words at `=` in bash, and are slow in fish.
  static func script(requestedBy arguments: some Sequence<String>) -> [UInt8]? {
    let option = "--generate-completion-script"
    let words = Array(arguments).flatMap {
      $0.hasPrefix("\(option)=") ? [option, String($0.dropFirst(option.count + 1))] : [$0]
    }
    guard words.first == option, words.count <= 2 else { return nil }
    let shell =
      words.count == 2
      ? CompletionShell(rawValue: words[1]) : CompletionShell.autodetected()
    return switch shell {
    case .bash: PackageResources.tessera_bash
    case .zsh: PackageResources.tessera_zsh
    case .fish: PackageResources.tessera_fish
    default: nil
    }
  }
}
