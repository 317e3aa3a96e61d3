import CTesseraSystem
import FoundationEssentials
import TesseraHost

/// The environment variables of the command, and what they select.
///
/// The host ignores them in a process with more rights than its caller.
public enum ProcessEnvironment {
  /// All environment variables.
  public static let values = ProcessInfo.processInfo.environment

  /// The home folder; nil without HOME.
  public static var home: String? { values["HOME"] }

  /// The variables that affect the command, in the order of reports.
  public static let variables = [
    "TESSERA_PATH", "TESSERA_WORKER", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "HOME", "NO_COLOR",
  ]

  /// The configuration of the host for this user.
  public static var hostConfiguration: HostConfiguration {
    .standard(environment: values, home: home)
  }

  /// The path of this command, without symlinks.
  public static let executable = try? FileManager.default.destinationOfSymbolicLink(
    atPath: "/proc/self/exe")

  /// The command `tessera`, for programs beside it: $TESSERA_COMMAND, which `tessera NAME` sets, or else the one in
  /// the folder of this program or in its prefix; nil without any.
  ///
  /// A process with more rights than its caller ignores the variable.
  public static var command: String? {
    if tessera_is_privileged() == 0, let command = values["TESSERA_COMMAND"] { return command }
    guard let place, let end = place.lastIndex(of: "/") else { return nil }
    let command = "\(place[..<end])/tessera"
    return FileManager.default.isExecutableFile(atPath: command) ? command : nil
  }

  /// Where the folders for engines are looked for: the path of this program, or for one in `libexec/tessera` of
  /// a prefix, that of the prefix's command.
  private static var place: String? {
    guard let executable, let end = executable.lastIndex(of: "/") else { return nil }
    let (folder, helpers) = (executable[..<end], "/libexec/tessera")
    return folder.hasSuffix(helpers) ? "\(folder.dropLast(helpers.count))/bin/tessera" : executable
  }

  /// The search path, which begins with some folders.
  public static func searchPath(first: [String]) -> SearchPath {
    .standard(first: first, environment: values, executable: place, home: home)
  }

  /// The allowlist's file: the named one, or the user's own.
  public static func allowlistFile(_ named: String?) throws -> String {
    if let named { return named }
    guard let file = Allowlist.standardFile(environment: values, home: home) else {
      throw CommandFailure(
        .noInput,
        "you have no allowlist, because neither XDG_CONFIG_HOME nor HOME names a folder, or this "
          + "process has more rights than its caller; give one with --allowlist")
    }
    return file
  }
}
