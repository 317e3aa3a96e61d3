import CTesseraSystem
import Glibc
// A program that uses a host needs points, libraries and elements: one import provides them all.
@_exported import TesseraCatalog
@_exported import TesseraGeometry
@_exported import TesseraRuntime
@_exported import TesseraWorker

/// How a host runs engines, and which libraries it may load.
public struct HostConfiguration: Sendable {
  /// How engines are isolated from this program.
  public var isolation: Isolation
  /// Whether to refuse engines where the sandbox is not full.
  public var requiresFullSandbox = false
  /// The path of the worker's program; nil to look in the folders of this program and of the library
  /// that contains the host.
  public var worker: String?
  /// The maximum number of rows of a layout, at least 1 and at most 2^30; a layout that is not lazy has
  /// one for each element, and a lazy one for each element of an answer.
  ///
  /// It reserves address space, not memory. An engine in a process of its own can also be limited by
  /// its memory, to fewer rows.
  public var rowLimit = ProcessRows.preparedCapacity
  /// How many workers of sessions that no longer exist the host keeps for new ones; 0 by default.
  ///
  /// A new session of the same engine, with the same contents of the same libraries, then starts in
  /// microseconds instead of milliseconds, and its rows use memory that the system has already
  /// provided. Sessions of other engines never get the worker. What an engine keeps outside of its
  /// layouts, which engines should not do, is there in the next session, too; and it could read what
  /// earlier sessions left in the memory of the worker. Up to 256 MiB of rows and as much input stay in
  /// the memory of each kept worker. `Session.close()` ends a worker in any case, and the host ends those
  /// that it keeps when it is deallocated.
  public var keptWorkers = 0
  /// The limits of an engine's process.
  public var limits = WorkerLimits()
  /// Which libraries may be loaded.
  public var trust = TrustPolicy()
  /// The folder that stores descriptions of libraries and recent crashes between runs of programs; nil
  /// to store nothing.
  public var cacheFolder: String?
  /// How long a library is refused after the last of three crashes within a minute, in seconds; 0 for not at
  /// all.
  ///
  /// The crashes of all programs count that share the cache folder. `Session.refusalTime` is what is left.
  public var refusalTime = 60
  /// Whether engines in processes without the sandbox are prepared for debuggers, profilers and
  /// sanitizers: they are loaded from their own files, with the environment of this program, and print to
  /// its standard error.
  ///
  /// Without isolation, engines are loaded from their own files in any case.
  public var isDebugged = false
  /// Called with the calls that led to the crash of an engine's process, before the error is thrown; nil
  /// to record none.
  public var crashed: (@Sendable (Backtrace) -> Void)?

  /// The default limits and trust policy, without a cache folder.
  public init(isolation: Isolation = .sandbox) { self.isolation = isolation }

  /// The path of the user's cache folder.
  ///
  /// It is `tessera/VERSION` in `XDG_CACHE_HOME`, or in `.cache` of the home folder; nil without either.
  public static func standardCacheFolder(
    environment: [String: String]?, home: String?
  ) -> String? {
    CacheFolder.standardPath(environment: environment, home: home)
  }
}

extension Host {
  /// Creates a host for the user of this program, as the command `tessera` has one.
  ///
  /// It looks for engines in the given folders, which must exist, then in those of `TESSERA_PATH` or in
  /// the standard folders. It caches descriptions in the user's cache folder, and runs the worker that
  /// `TESSERA_WORKER` names.
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

  /// The variables of this program that a host reads.
  package static var ownEnvironment: [String: String] {
    var values: [String: String] = [:]
    for name in ["HOME", "TESSERA_PATH", "TESSERA_WORKER", "XDG_CACHE_HOME"] {
      values[name] = getenv(name).map { String(cString: $0) }
    }
    return values
  }

  /// The default configuration in an environment: with the user's cache folder, and the worker that
  /// `TESSERA_WORKER` names.
  ///
  /// A process with rights that its caller lacks ignores both.
  ///
  /// - Parameters:
  ///   - environment: The environment variables; nil to ignore them.
  ///   - home: The absolute path of the user's home folder.
  public static func standard(environment: [String: String]?, home: String?) -> HostConfiguration {
    var configuration = HostConfiguration()
    configuration.cacheFolder = standardCacheFolder(environment: environment, home: home)
    if tessera_is_privileged() == 0, let worker = environment?["TESSERA_WORKER"], !worker.isEmpty {
      configuration.worker = worker
    }
    return configuration
  }
}
