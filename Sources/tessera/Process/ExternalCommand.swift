import CTesseraSystem
import FoundationEssentials
import Glibc
import TesseraCommand
import TesseraHost

/// `tessera hello` runs `tessera-hello`, from beside this command, `../libexec/tessera` or PATH.
///
/// Refuses programs that users other than root and the caller can change.
struct ExternalCommand {
  let name: String
  let path: String

  private static let helpers: Set = ["worker", "pictures"]

  /// Replaces this process; returns if the arguments name no program.
  static func runIfNamed() throws {
    var words = Array(CommandLine.arguments.dropFirst().prefix(2))
    let asksForHelp = words.first == "help"
    if asksForHelp { words.removeFirst() }
    guard let name = words.first, let command = try find(name) else { return }
    var arguments = [strdup("tessera-\(name)")]
    if asksForHelp { arguments.append(strdup("--help")) }
    for index in (asksForHelp ? 3 : 2)..<Int(CommandLine.argc) {
      arguments.append(CommandLine.unsafeArgv[index])
    }
    arguments.append(nil)
    if let own = ProcessEnvironment.executable { setenv("TESSERA_COMMAND", own, 1) }
    execv(command.path, arguments)
    throw HostError(
      .workerNotStarted,
      "\(command.path.visible) cannot be run: \(String(cString: strerror(errno))); install it again"
    )
  }

  /// Nil for a built-in command.
  private static func find(_ name: String) throws -> ExternalCommand? {
    guard isValid(name), !Tessera.ownNames.contains(name) else { return nil }
    var refusal: HostError?
    for folder in folders {
      let file = "\(folder)/tessera-\(name)"
      guard isProgram(file) else { continue }
      do throws(HostError) {
        return ExternalCommand(name: name, path: try FolderRule().check(file: file))
      } catch {
        refusal = refusal ?? error
      }
    }
    if let refusal { throw refusal }
    return nil
  }

  static func isFound(_ name: String) -> Bool { (try? find(name)) != nil }

  static var all: [ExternalCommand] {
    var found: [String: ExternalCommand] = [:]
    for folder in folders {
      for file in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      where file.hasPrefix("tessera-") {
        let name = String(file.dropFirst("tessera-".count))
        guard found[name] == nil, let command = try? find(name) else { continue }
        found[name] = command
      }
    }
    return found.values.sorted { $0.name < $1.name }
  }

  /// Runs each program for the first line of its help.
  static var section: String {
    guard ["--help", "-h", "help", nil].contains(CommandLine.arguments.dropFirst().first),
      CommandLine.argc <= 2
    else { return "" }
    let commands = all
    guard !commands.isEmpty else { return "" }
    let width = commands.map(\.name.count).max() ?? 0
    let lines = commands.map { command in
      "  \(command.name.padded(to: width))  \(command.summary)"
    }
    return "\n\nINSTALLED EXTERNAL COMMANDS\n" + lines.joined(separator: "\n")
  }

  /// Empty after two seconds.
  private var summary: String {
    var text = ""
    _ = try? ChildProcess.run(path, ["--help"], deadline: ChildProcess.Deadline(seconds: 2)) {
      if text.utf8.count < 4096 { text += String(decoding: $0, as: UTF8.self) }
    }
    let line = text.split(separator: "\n").first.map(String.init) ?? ""
    let start = line.hasPrefix("OVERVIEW: ") ? line.dropFirst("OVERVIEW: ".count) : line[...]
    return String(start.prefix(100)).visible
  }

  /// In search order.
  private static var folders: [String] {
    var folders: [String] = []
    if let own = ProcessEnvironment.executable?.split(separator: "/").dropLast() {
      let folder = "/" + own.joined(separator: "/")
      folders = [folder, "\(folder)/../libexec/tessera"]
    }
    guard tessera_is_privileged() == 0, let path = getenv("PATH") else { return folders }
    return folders
      + String(cString: path).split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
  }

  private static func isValid(_ name: String) -> Bool {
    !helpers.contains(name) && (1...64).contains(name.utf8.count) && !name.hasPrefix("-")
      && name.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
      }
  }

  private static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}
