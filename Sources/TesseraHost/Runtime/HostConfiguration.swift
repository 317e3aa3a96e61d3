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
