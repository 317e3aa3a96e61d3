import CTesseraSystem
import FoundationEssentials
import Glibc
import TesseraHost

/// A command that is a program of its own: `tessera hello` runs `tessera-hello`.
///
/// Programs are found beside this command, in `../libexec/tessera` relative to it, and in the folders of PATH; never
/// where users other than root and the caller can change the program, or a folder on the way to it.
struct ExternalCommand {
  let name: String
  /// The program, without symlinks.
  let path: String

  /// Programs that the command runs for itself.
  private static let helpers: Set = ["worker", "pictures"]

  /// Runs the program that the arguments name, in the place of this process; returns if they name none.
  ///
  /// The program gets the arguments as they are, the terminal and the signals.
  ///
  /// - Throws: `.notAllowed` if others can change the only program of this name.
  static func runIfNamed() throws {
    var words = Array(CommandLine.arguments.dropFirst().prefix(2))
    let asksForHelp = words.first == "help"
    if asksForHelp { words.removeFirst() }
    guard let name = words.first, let command = try find(name) else { return }
    let rest = Int(CommandLine.argc) - (asksForHelp ? 3 : 2)
    var arguments = [strdup(command.path)]
    if asksForHelp { arguments.append(strdup("--help")) }
    for index in 0..<rest { arguments.append(CommandLine.unsafeArgv[asksForHelp ? 3 + index : 2 + index]) }
    arguments.append(nil)
    execv(command.path, arguments)
    throw CommandFailure(
      .refused,
      "\(command.path.visible) cannot be run: \(String(cString: strerror(errno))); install it again")
  }

  /// The program of a name; nil if there is none, or if the name is that of a command of ours.
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

  /// All programs, by name.
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

  /// What the command's own help says about the programs: the name of each, and the first line of its help; empty without any.
  ///
  /// Only a request for that help asks for it, since the programs are run.
  static var section: String {
    guard ["--help", "-h", "help", nil].contains(CommandLine.arguments.dropFirst().first),
      CommandLine.argc <= 2
    else { return "" }
    let commands = all
    guard !commands.isEmpty else { return "" }
    let width = commands.map(\.name.count).max() ?? 0
    let lines = commands.map { command in
      "  \(command.name.padding(to: width))  \(command.summary)"
    }
    return "\n\nCOMMANDS INSTALLED BESIDE THIS ONE\n" + lines.joined(separator: "\n")
  }

  /// The first line of the program's help; empty if it says none within two seconds.
  private var summary: String {
    var text = ""
    _ = try? ChildProcess.run(path, ["--help"], deadline: ChildProcess.Deadline(seconds: 2)) {
      if text.utf8.count < 4096 { text += String(decoding: $0, as: UTF8.self) }
    }
    let line = text.split(separator: "\n").first.map(String.init) ?? ""
    let start = line.hasPrefix("OVERVIEW: ") ? line.dropFirst("OVERVIEW: ".count) : line[...]
    return String(start.prefix(100)).visible
  }

  /// The folders in which programs are, in their order.
  private static var folders: [String] {
    var folders: [String] = []
    if let path = realpath("/proc/self/exe", nil) {
      defer { free(path) }
      let own = String(cString: path).split(separator: "/").dropLast().joined(separator: "/")
      folders = ["/\(own)", "/\(own)/../libexec/tessera"]
    }
    // A process with more rights than its caller has no PATH.
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

extension String {
  fileprivate func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
