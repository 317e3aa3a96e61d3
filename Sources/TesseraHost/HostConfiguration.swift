// Whoever uses a host speaks of points, libraries and elements: one import brings them all.
@_exported import TesseraCatalog
@_exported import TesseraGeometry
@_exported import TesseraRuntime
@_exported import TesseraWorker
import CTesseraSystem

/// How a host runs engines, and which it may.
public struct HostConfiguration: Sendable {
  /// How engines are kept apart from this program.
  public var isolation: Isolation
  /// The path of the worker's program; nil: beside this program, or beside the library that holds the
  /// host.
  public var worker: String?
  /// What an engine's process may use up.
  public var limits = WorkerLimits()
  /// Which libraries may be loaded.
  public var trust = TrustPolicy()
  /// The folder in which descriptions of libraries, and what crashed lately, are remembered from one
  /// program to the next; nil: nothing is written.
  public var cacheFolder: String?
  /// Whether a library that crashed again and again is refused for a while.
  public var refusesCrashing = true
  /// How turns pass between this program and its workers; nil: as fast as this system lets them.
  var path: Channel.Path?

  /// The usual limits, for libraries in safe folders; nothing is kept on disk.
  public init(isolation: Isolation = .sandbox) { self.isolation = isolation }

  /// Where the cache of the user with these surroundings lies.
  ///
  /// `tessera/VERSION` in `XDG_CACHE_HOME`, or in `.cache` of the home folder; nil without either.
  public static func standardCacheFolder(
    environment: [String: String]?, home: String?
  ) -> String? {
    CacheFolder.standardPath(environment: environment, home: home)
  }
}

extension HostConfiguration {
  /// The configuration as the surroundings of a program say: the user's cache, and the worker that
  /// `TESSERA_WORKER` names.
  ///
  /// A process that runs with rights that its caller does not have ignores both.
  ///
  /// - Parameters:
  ///   - environment: The variables of the environment; nil ignores them.
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

