import ArgumentParser
import TesseraCommand
import TesseraHost

@main
struct Tessera: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tessera",
    abstract: "Computes where the cells of grids, galleries, lists and timetables go.",
    discussion: """
      tessera list shows the layouts that there are. tessera layout computes one, and prints it as numbers \
      or draws it as a picture or a page. tessera update and tessera transition draw what moves. tessera new starts a layout of your own, and tessera check tests it. \
      With --help, each explains its options and shows examples.

      EXAMPLES
        tessera list
        tessera info flow
        tessera layout mosaic --items 20 -o mosaic.svg
        tessera doctor

      ENGINES
      A layout is computed by an engine, a shared library. Engines are found in the folders given by \
      --engines, then in those of $TESSERA_PATH. If that is not set, they are found beside this \
      command, in ../lib/tessera relative to it, ~/.local/lib/tessera, /usr/local/lib/tessera and \
      /usr/lib/tessera; except in ~/.local, also where Debian has the libraries of one machine, such \
      as lib/x86_64-linux-gnu/tessera. Folders that other users can change are skipped.

      Engines run in a sandboxed process of their own, tessera-worker, which is found at \
      $TESSERA_WORKER if that is set, otherwise beside this command or in ../libexec/tessera relative \
      to it. tessera doctor shows whether the sandbox works here.

      A process with more rights than its caller, such as a setuid program, ignores $TESSERA_PATH, \
      $TESSERA_WORKER, the home folder, the cache and your allowlist.

      EXIT STATUS
         0  success
         1  check or install found a failure, replay or diff a difference, or doctor no full \
      sandbox
        64  wrong usage
        65  an invalid scenario, value or name
        66  no such engine or input file
        69  the engine refused the work, or the system lacks memory or files for it
        70  the engine crashed, hung or broke the contract
        73  the output, the allowlist or an installed engine cannot be written
        75  the work was cancelled
        76  a file that cannot be loaded as an engine
        77  a library that is not allowed to be loaded

      EXTERNAL COMMANDS
      tessera NAME runs the program tessera-NAME, if there is one beside this command, in \
      ../libexec/tessera relative to it or in PATH, where no other user can change it.
      """ + ExternalCommand.section,
    version: versionText,
    groupedSubcommands: groups)

  private static let groups = [
    CommandGroup(
      name: "User",
      subcommands: [
        ListCommand.self, InfoCommand.self, LayoutCommand.self, UpdateCommand.self,
        TransitionCommand.self, SnapCommand.self, CallCommand.self,
        InstallCommand.self, UninstallCommand.self, TrustCommand.self, DoctorCommand.self,
      ]),
    CommandGroup(
      name: "Engine author",
      subcommands: [
        NewCommand.self, LinkCommand.self, CheckCommand.self, ReplayCommand.self,
        DiffCommand.self,
      ]),
  ]

  static let ownNames =
    groups.flatMap(\.subcommands).compactMap { $0.configuration.commandName } + ["help"]

  static let _errorPrefix = "tessera: "

  static func main() {
    do { try ExternalCommand.runIfNamed() } catch {
      CommandProgram.end(with: error, of: Tessera.self)
    }
    CommandProgram.run(Tessera.self) {
      let arguments = Array(CommandLine.arguments.dropFirst())
      if let request = CompletionRequest(arguments: arguments) { request.answer() }
      if let script = CompletionRequest.script(requestedBy: arguments) {
        try BufferedOutput.write(to: nil) { output in
          try script.withUnsafeBytes { try output.write($0) }
        }
        throw ExitCode.success
      }
      try checkCommand()
      try LayoutCommand.checkMovedOptions()
    }
  }

  /// The parser suggests only options.
  private static func checkCommand() throws {
    guard let name = CommandLine.arguments.dropFirst().first, !name.hasPrefix("-"),
      !ownNames.contains(name)
    else { return }
    let known = ownNames + ExternalCommand.all.map(\.name)
    if name.utf8.count <= 64, let near = similarNames(to: name, among: known).first {
      throw ValidationError("there is no command \(quoted(name)); did you mean \(near)?")
    }
    throw ValidationError(
      "there is no command \(quoted(name)), and no program \(quoted("tessera-\(name)")) beside this command or in "
        + "PATH; tessera --help lists the commands")
  }
}

extension Tessera {
  static var versionText: String {
    let text = "tessera \(CommandProgram.version)\nABI \(ABIVersion.current)"
    return CommandProgram.commit.map { "\(text)\ncommit \($0)" } ?? text
  }
}
