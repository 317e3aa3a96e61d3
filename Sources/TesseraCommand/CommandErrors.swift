import ArgumentParser
import Glibc
import TesseraCatalog
import TesseraHost

extension String {
  /// The text with control and format characters escaped for terminals.
  public var visible: String { UntrustedText.visible(self) }
}

extension CommandProgram {
  /// Prints an error and ends the process with its status.
  public static func end(with error: any Error, of command: any ParsableCommand.Type) -> Never {
    switch error {
    case let code as ExitCode:
      exit(code.rawValue)
    case let failure as HostError:
      Diagnostics.say(failure.commandMessage)
      exit(failure.kind.status)
    default:
      endAsParser(with: error, of: command)
    }
  }

  /// Help and version are errors of the parser.
  private static func endAsParser(
    with error: any Error, of command: any ParsableCommand.Type
  ) -> Never {
    let code = command.exitCode(for: error)
    var text = command.fullMessage(for: error)
    // For a command without subcommands the parser prints the whole help.
    if !code.isSuccess, text.contains("\nOVERVIEW: ") {
      text = """
        \(command._errorPrefix)\(command.message(for: error))
        Usage: \(command.usageString())
          See '\(command.configuration.commandName ?? "") --help' for more information.
        """
    }
    guard code.isSuccess else {
      if !text.isEmpty {
        let lines = withVisibleArguments(text).split(
          separator: "\n", omittingEmptySubsequences: false)
        Diagnostics.write(lines.map { String($0).visible }.joined(separator: "\n") + "\n")
      }
      exit(code.rawValue)
    }
    do {
      let output = BufferedOutput.standard()
      try output.write(text + "\n")
      try output.flush()
    } catch {
      end(with: error, of: command)
    }
    exit(EXIT_SUCCESS)
  }

  private static func withVisibleArguments(_ message: String) -> String {
    var message = message
    for argument in CommandLine.arguments.dropFirst() where argument.visible != argument {
      let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
      // Arguments of white space alone would match the message's own line breaks.
      for text in [argument] + parts where text.contains(where: { !$0.isWhitespace }) {
        message = message.replacing(text, with: text.visible)
      }
    }
    return message
  }
}

extension HostError {
  /// The sentence, with remedies as options and commands.
  public var commandMessage: String {
    message { remedy in
      switch remedy {
      case .askForPart: "ask for a part with --visible or --rect, or for fewer items"
      case .allowMoreTime: "give --timeout more seconds if it only needs longer"
      case .allowMoreMemory: "give --memory more if it needs it, or ask for fewer items"
      case .allowMoreRows: "allow more with --row-limit, or ask for fewer items"
      case .chooseEngine(let usable, let refused):
        "tessera list shows \(Remedy.engineCount(usable, refused))"
      case .trustLibrary(let path, let allowlist):
        "if you trust it, run tessera trust add --allowlist \(allowlist) \(path)"
      case .diagnoseMachine: "tessera doctor shows what this machine offers"
      case .locateWorker: "install it there, or set TESSERA_WORKER to its path"
      case .waitForRefusal: remedy.advice
      }
    }
  }
}

/// Writes to standard error.
public enum Diagnostics {
  private static let (head, tail) = (1500, 400)

  /// Writes a sentence, which may contain untrusted text.
  public static func say(_ sentence: String) {
    let shown = sentence.visible
    let isLong = shown.utf8.count > head + tail && shown.count > head + tail
    write("tessera: \(isLong ? "\(shown.prefix(head)) … \(shown.suffix(tail))" : shown)\n")
  }

  /// Writes sentences, but not hundreds.
  public static func say(all sentences: [String]) {
    let limit = 20
    for sentence in sentences.prefix(limit) { say(sentence) }
    if sentences.count > limit { say("… and \(sentences.count - limit) more") }
  }

  /// Writes text; ignores errors, which could not be reported.
  public static func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      var sent = 0
      while sent < bytes.count {
        let count = Glibc.write(STDERR_FILENO, bytes.baseAddress! + sent, bytes.count - sent)
        guard count > 0 else {
          if count < 0 && errno == EINTR { continue }
          return
        }
        sent += count
      }
    }
  }
}

/// Phrases for messages.
public enum Phrase {
  /// The text in quotation marks, truncated if long.
  public static func quoted(_ text: String) -> String { TesseraCatalog.quoted(text) }

  /// "1 item" or "3 items".
  public static func counted(_ count: Int, _ noun: String) -> String {
    TesseraCatalog.counted(count, noun)
  }

  /// "a, b and c".
  public static func list(_ names: [String], _ conjunction: String = "and") -> String {
    TesseraCatalog.list(names, conjunction)
  }
}
