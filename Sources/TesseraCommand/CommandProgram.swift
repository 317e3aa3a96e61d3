import ArgumentParser
import CTesseraBuild
import TesseraHost

/// Runs a command of the argument parser as a program of Tessera.
///
/// A program `tessera-NAME` that runs its command so has the exit statuses, sentences and signals of
/// `tessera`, and is found as `tessera NAME`.
public enum CommandProgram {
  /// Parses the arguments of the process, runs the command that they name, and ends the process with its
  /// status.
  ///
  /// Errors are reported in one sentence on standard error: a `CommandFailure` and a `HostError` with their own
  /// status, an error of the argument parser with 64.
  public static func run(
    _ command: any ParsableCommand.Type, prepare: @escaping () throws -> Void = {}
  ) {
    Signals.prepare()
    running = (command, prepare)
    runMainThread(stack: leastStack) { CommandProgram.runOnMainThread() }
  }

  /// What `run` was given, for a C function.
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
      CommandFailure.end(with: error, of: command)
    }
  }

  /// The options with two names, by the second.
  package static let otherNames = ["-o": "--output", "-l": "--language", "--license": "--licence"]

  /// Rejects what the parser would accept silently: texts that are not UTF-8, which it repairs, and an
  /// option that replaces an earlier one.
  private static func checkArguments(of command: any ParsableCommand.Type) throws {
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = CommandLine.unsafeArgv[index] else { break }
      guard String(validatingCString: argument) != nil else {
        throw ValidationError(
          "argument \(index), \(quoted(String(cString: argument))), is not UTF-8; rename the "
            + "file or write the text in UTF-8")
      }
    }
    var given: [String: String?] = [:]
    let arguments = Array(CommandLine.arguments.dropFirst().prefix { $0 != "--" })
    for (index, argument) in arguments.enumerated() where argument.hasPrefix("-") {
      let spelling = String(argument.prefix { $0 != "=" })
      let name = otherNames[spelling] ?? spelling
      guard name.hasPrefix("--") else { continue }
      // The next argument is the value of an option that has one; of a flag it may be anything.
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

  /// Whether the command that the arguments name declares an option that may be given more than once.
  private static func mayRepeat(
    _ name: String, _ arguments: [String], of root: any ParsableCommand.Type
  ) -> Bool {
    var words = arguments[...]
    return CommandArgument.all(of: CommandArgument.command(named: &words, of: root))
      .contains { $0.names.contains(name) && $0.isRepeating }
  }
}

/// Which Tessera this is.
public enum TesseraRelease {
  /// The version, which recordings and reports state.
  public static let version = "1.0.0"
  /// The commit of the sources, which ends with `-dirty` if they had been changed; nil if the build was
  /// not told.
  public static let commit = tessera_build_commit().map { String(cString: $0) }
}

/// Threads of a program.
public enum Threads {
  /// Runs work on a new thread, for which nobody waits.
  ///
  /// The thread has a stack as large as the main thread's. Use it for work that blocks.
  public static func detach(_ work: @escaping @Sendable () -> Void) { detachThread(work) }
}
