import Foundation
import TesseraHost

/// What the command's environment says.
///
/// The host leaves all of it unread in a process that has rights that its caller lacks.
enum ProcessEnvironment {
  static let values = ProcessInfo.processInfo.environment

  static var home: String? { values["HOME"] }

  /// The variables that change what the command does, in the order told.
  static let variables = [
    "TESSERA_PATH", "TESSERA_WORKER", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "HOME", "NO_COLOR",
  ]

  /// How the host runs engines for this user.
  static var hostConfiguration: HostConfiguration { .standard(environment: values, home: home) }

  /// The search path, after these folders.
  static func searchPath(first: [String]) -> SearchPath {
    let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return .standard(first: first, environment: values, executable: executable, home: home)
  }

  /// The folder of the user's own engines.
  static func engineFolder() throws -> EngineFolder {
    guard let folder = EngineFolder.standard(home: home) else {
      throw CommandFailure(
        .cannotCreate,
        "there is no folder for engines of yours, because HOME names no folder, or this process has "
          + "rights that its caller lacks; set HOME")
    }
    return folder
  }

  /// The allowlist's file: the one that is named, else the user's own.
  static func allowlistFile(_ named: String?) throws -> String {
    if let named { return named }
    guard let file = Allowlist.standardFile(environment: values, home: home) else {
      throw CommandFailure(
        .noInput,
        "there is no allowlist of yours, because neither XDG_CONFIG_HOME nor HOME names a folder, or "
          + "this process has rights that its caller lacks; give one with --allowlist")
    }
    return file
  }
}
