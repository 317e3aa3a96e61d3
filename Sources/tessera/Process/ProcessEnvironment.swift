import FoundationEssentials
import TesseraHost

/// The environment variables of the command, and what they select.
///
/// The host ignores them in a process with more rights than its caller.
enum ProcessEnvironment {
  static let values = ProcessInfo.processInfo.environment

  static var home: String? { values["HOME"] }

  /// The variables that affect the command, in the order of reports.
  static let variables = [
    "TESSERA_PATH", "TESSERA_WORKER", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "HOME", "NO_COLOR",
  ]

  /// The configuration of the host for this user.
  static var hostConfiguration: HostConfiguration { .standard(environment: values, home: home) }

  /// The path of this command, without symlinks.
  static let executable = try? FileManager.default.destinationOfSymbolicLink(
    atPath: "/proc/self/exe")

  /// The search path, which begins with some folders.
  static func searchPath(first: [String]) -> SearchPath {
    .standard(first: first, environment: values, executable: executable, home: home)
  }

  /// The folder of the user's own engines.
  static func engineFolder() throws -> EngineFolder {
    guard let folder = EngineFolder.standard(home: home) else {
      throw CommandFailure(
        .cannotCreate,
        "there is no folder for your engines, because HOME names no folder, or this process has "
          + "more rights than its caller; set HOME")
    }
    return folder
  }

  /// The allowlist's file: the named one, or the user's own.
  static func allowlistFile(_ named: String?) throws -> String {
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
