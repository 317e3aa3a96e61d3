import CTesseraSystem
import FoundationEssentials
import TesseraHost

/// The environment variables; the host ignores them if this process is privileged.
public enum ProcessEnvironment {
  /// All environment variables.
  public static let values = ProcessInfo.processInfo.environment

  /// The home folder, if HOME is set.
  public static var home: String? { values["HOME"] }

  /// The variables that affect the command, in the order of reports.
  public static let variables = [
    "TESSERA_PATH", "TESSERA_WORKER", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "HOME", "NO_COLOR",
  ]

  /// The host configuration of this user.
  public static var hostConfiguration: HostConfiguration {
    .standard(environment: values, home: home)
  }

  /// The path of this program, without symlinks.
  public static let executable = try? FileManager.default.destinationOfSymbolicLink(
    atPath: "/proc/self/exe")

  /// The command `tessera`: $TESSERA_COMMAND if not privileged, or near this program.
  public static var command: String? {
    if tessera_is_privileged() == 0, let command = values["TESSERA_COMMAND"] { return command }
    guard let place, let end = place.lastIndex(of: "/") else { return nil }
    let command = "\(place[..<end])/tessera"
    return FileManager.default.isExecutableFile(atPath: command) ? command : nil
  }

  /// A program in `libexec/tessera` has the place of its prefix's command.
  private static var place: String? {
    guard let executable, let end = executable.lastIndex(of: "/") else { return nil }
    let (folder, helpers) = (executable[..<end], "/libexec/tessera")
    return folder.hasSuffix(helpers) ? "\(folder.dropLast(helpers.count))/bin/tessera" : executable
  }

  /// The search path after the given folders.
  public static func searchPath(first: [String]) -> SearchPath {
    .standard(first: first, environment: values, executable: place, home: home)
  }

  /// The named allowlist, or the user's.
  public static func allowlistFile(_ named: String?) throws -> String {
    if let named { return named }
    guard let file = Allowlist.standardFile(environment: values, home: home) else {
      throw HostError(
        .fileNotFound,
        "you have no allowlist, because neither XDG_CONFIG_HOME nor HOME names a folder, or this "
          + "process has more rights than its caller; give one with --allowlist")
    }
    return file
  }
}
