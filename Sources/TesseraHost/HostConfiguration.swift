import CTesseraSystem
import Glibc
// One import also provides points, libraries and elements.
@_exported import TesseraCatalog
@_exported import TesseraGeometry
@_exported import TesseraRuntime
@_exported import TesseraWorker

/// How a host runs engines, and which libraries it may load.
public struct HostConfiguration: Sendable {
  /// How engines are isolated from this program.
  public var isolation: Isolation
  /// Whether to refuse engines unless the sandbox is full.
  public var requiresFullSandbox = false
  /// The worker program; nil to look beside this program and the host's library.
  public var worker: String?
  /// The maximum rows of a layout or of a lazy layout's answer, 1 to 2^30.
  ///
  /// Reserves address space, not memory; a worker's memory limit may lower it.
  public var rowLimit = ProcessRows.preparedCapacity
  /// How many workers of deallocated sessions to keep for new ones; 0 by default.
  ///
  /// Saves milliseconds when the same engine starts from unchanged libraries. An engine's state
  /// outside of layouts survives, and the engine could read earlier sessions' memory. Each worker
  /// holds up to 256 MiB of rows and as much input. `Session.close()` ends its worker.
  public var keptWorkers = 0
  /// The limits of an engine's process.
  public var limits = WorkerLimits()
  /// Which libraries may be loaded.
  public var trust = TrustPolicy()
  /// Where to keep descriptions and recent crashes between runs; nil for nowhere.
  public var cacheFolder: String?
  /// Seconds that a library is refused after three crashes within a minute; 0 for never.
  ///
  /// Counts crashes of all programs that share the cache folder; see `Session.refusalTime`.
  public var refusalTime = 60
  /// Whether to prepare unsandboxed engines for debuggers, profilers and sanitizers.
  ///
  /// Loads their own files, with this program's environment and standard error.
  public var isDebugged = false
  /// Receives the calls that led to a crash, before the error is thrown; nil records none.
  public var crashed: (@Sendable (Backtrace) -> Void)?

  /// Creates the default configuration, without a cache folder.
  public init(isolation: Isolation = .sandbox) { self.isolation = isolation }

  /// The user's cache folder: `tessera/VERSION` in `XDG_CACHE_HOME` or `~/.cache`, if any.
  public static func standardCacheFolder(environment: [String: String]?, home: String?) -> String? {
    CacheFolder.standardPath(environment: environment, home: home)
  }
}

extension Host {
  /// Creates a host that works like the command `tessera`.
  ///
  /// Searches `folders`, which must exist, then `TESSERA_PATH` or the standard folders.
  public convenience init(folders: [String] = []) {
    var executable: String?
    if let path = realpath("/proc/self/exe", nil) {
      executable = String(cString: path)
      free(path)
    }
    let environment = HostConfiguration.ownEnvironment
    self.init(
      searchPath: .standard(
        first: folders, environment: environment, executable: executable, home: environment["HOME"]),
      configuration: .ofUser)
  }
}

extension HostConfiguration {
  package static var ofUser: HostConfiguration {
    .standard(environment: ownEnvironment, home: ownEnvironment["HOME"])
  }

  package static var ownEnvironment: [String: String] {
    var values: [String: String] = [:]
    for name in ["HOME", "TESSERA_PATH", "TESSERA_WORKER", "XDG_CACHE_HOME"] {
      values[name] = getenv(name).map { String(cString: $0) }
    }
    return values
  }

  /// The default configuration, with the user's cache folder and `TESSERA_WORKER`.
  ///
  /// Ignores both if `environment` is nil, or if the process has more rights than its caller.
  public static func standard(environment: [String: String]?, home: String?) -> HostConfiguration {
    var configuration = HostConfiguration()
    configuration.cacheFolder = standardCacheFolder(environment: environment, home: home)
    if tessera_is_privileged() == 0, let worker = environment?["TESSERA_WORKER"], !worker.isEmpty {
      configuration.worker = worker
    }
    return configuration
  }
}
