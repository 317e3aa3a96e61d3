import ArgumentParser
import CTesseraBuild
import TesseraHost

/// Runs a program `tessera-NAME` with Tessera's exit statuses, sentences and signals.
public enum CommandProgram {
  /// Parses the arguments, runs the command, and ends the process; parser errors have status 64.
  public static func run(
    _ command: any ParsableCommand.Type, prepare: @escaping () throws -> Void = {}
  ) {
    Signals.prepare()
    running = (command, prepare)
    runMainThread(stack: leastStack) { CommandProgram.runOnMainThread() }
  }

  private nonisolated(unsafe) static var running:
    (command: any ParsableCommand.Type, prepare: () throws -> Void)?

  private static func runOnMainThread() {
    guard let (command, prepare) = running else { return }
    do {
      try prepare()
      try checkArguments(of: command)
      var parsed = try command.parseAsRoot()
      try parsed.run()
    } catch {
      end(with: error, of: command)
    }
  }

  package static let otherNames = ["-o": "--output", "-l": "--language", "--license": "--licence"]

  /// Rejects what the parser accepts silently: invalid UTF-8 and repeated options.
  private static func checkArguments(of command: any ParsableCommand.Type) throws {
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = CommandLine.unsafeArgv[index] else { break }
      try require(
        String(validatingCString: argument) != nil,
        "argument \(index), \(quoted(String(cString: argument))), is not UTF-8; rename the "
          + "file or write the text in UTF-8")
    }
    var given: [String: String?] = [:]
    let arguments = Array(CommandLine.arguments.dropFirst().prefix { $0 != "--" })
    for (index, argument) in arguments.enumerated() where argument.hasPrefix("-") {
      let spelling = String(argument.prefix { $0 != "=" })
      let name = otherNames[spelling] ?? spelling
      guard name.hasPrefix("--") else { continue }
      let next = arguments.dropFirst(index + 1).first.flatMap { $0.hasPrefix("--") ? nil : $0 }
      let value = spelling == argument ? next : String(argument.dropFirst(spelling.count + 1))
      guard let earlier = given.updateValue(value, forKey: name),
        !mayRepeat(name, arguments, of: command)
      else { continue }
      guard let earlier, let value else {
        throw ValidationError("\(name) is given twice; give it once")
      }
      throw ValidationError(
        "\(name) is given twice, as \(quoted(earlier)) and as "
          + "\(quoted(value)); give it once")
    }
  }

  private static func mayRepeat(
    _ name: String, _ arguments: [String], of root: any ParsableCommand.Type
  ) -> Bool {
    var words = arguments[...]
    return CommandArgument.all(of: CommandArgument.command(named: &words, of: root))
      .contains { $0.names.contains(name) && $0.isRepeating }
  }
}

extension CommandProgram {
  /// The version in recordings and reports.
  public static let version = "1.0.0"
  /// The commit, with `-dirty` if changed; nil if the build didn't know it.
  public static let commit = tessera_build_commit().map { String(cString: $0) }

  /// Runs blocking work on a detached thread with a stack as large as the main thread's.
  public static func detach(_ work: @escaping @Sendable () -> Void) { detachThread(work) }
}
