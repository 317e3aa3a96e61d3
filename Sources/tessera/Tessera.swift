import ArgumentParser
import TesseraHost

/// The command: everything it can do is a subcommand.
@main
struct Tessera: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tessera",
    abstract: "Lays things out with engines that come as files.",
    discussion: """
      An engine is a shared library. Drop it in a folder on the search path and it is there: the \
      folders given by --engines, then those of $TESSERA_PATH, or without it: beside this command, \
      ../lib/tessera from it, ~/.local/lib/tessera, /usr/local/lib/tessera and /usr/lib/tessera. \
      Folders that others may change are passed over.

      Engines run in a sandbox, a process of their own: tessera-worker, which lies beside this \
      command or in ../libexec/tessera from it, or where $TESSERA_WORKER says. \
      tessera doctor shows whether that works here.

      A process with rights that its caller lacks, as one that is setuid, reads neither \
      $TESSERA_PATH, $TESSERA_WORKER, the home folder, the cache nor your allowlist.

      EXAMPLES
        tessera list
        tessera info flow
        tessera layout mosaic --items 20 -o mosaic.svg
        tessera doctor

      EXIT STATUS
         0  success
         1  check or install found a failure, replay a difference, or doctor no sandbox
        64  wrong usage
        65  a scenario, value or name that is wrong
        66  no such engine or input file
        69  the engine refused the work
        70  the engine crashed, hung or broke the contract
        73  the output, the allowlist or an engine's place cannot be written
        76  a file that cannot be loaded as an engine
        77  a library that is not allowed
      """,
    version: "0.1.0",
    subcommands: [
      ListCommand.self, InfoCommand.self, LayoutCommand.self, UpdateCommand.self,
      TransitionCommand.self, SnapCommand.self, CallCommand.self, CheckCommand.self,
      ReplayCommand.self, NewCommand.self, LinkCommand.self, DoctorCommand.self,
      TrustCommand.self, InstallCommand.self, UninstallCommand.self,
    ])

  static let _errorLabel = "tessera"

  static func main() {
    Signals.prepare()
    do {
      try checkCommand()
      var command = try parseAsRoot()
      try command.run()
    } catch {
      CommandFailure.end(with: error)
    }
  }

  /// Suggests a command to someone who misspelt one, which the parser does for options only.
  private static func checkCommand() throws {
    let known = configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
    guard let name = CommandLine.arguments.dropFirst().first, !name.hasPrefix("-"),
      !known.contains(name)
    else { return }
    let near = name.utf8.count > 64 ? nil : Suggestion.near(name, among: known).first
    throw ValidationError(
      "there is no command \(OptionText.quoted(name)); "
        + (near.map { "did you mean \($0)?" } ?? "tessera --help lists them"))
  }
}
