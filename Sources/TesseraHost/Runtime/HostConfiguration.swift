/// How a host runs engines, and which it may.
public struct HostConfiguration: Sendable {
  /// How engines are kept apart from this program.
  public var isolation = Isolation.sandbox
  /// The path of the worker's program; nil: beside this program, or beside the library that holds the
  /// host.
  public var worker: String?
  /// What an engine's process may use up.
  public var limits = WorkerLimits()
  /// Which libraries may be loaded.
  public var trust = TrustPolicy()
  /// What is known of libraries since they were last asked, on disk; nil: nothing is kept.
  public var cache: DescriptionCache?
  /// Which libraries crashed lately; one that keeps crashing is refused for a while. Nil: none is.
  public var failures: FailureRecord?

  /// Sandboxed workers with the usual limits, for libraries in safe folders; nothing is kept on disk.
  public init() {}
}
