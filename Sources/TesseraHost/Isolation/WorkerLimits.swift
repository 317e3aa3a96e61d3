/// What an engine's process may use up.
public struct WorkerLimits: Sendable, Equatable {
  /// How long one call into the engine may take, in seconds; what the host does meanwhile, as for a
  /// delegate function, does not count.
  public var secondsPerCall = 10.0
  /// Private memory, in bytes.
  public var memory: UInt64 = 1 << 30
  /// Memory for rows, in bytes.
  public var rowMemory: UInt64 = 4 << 30
  /// Processor time over all calls, in seconds.
  public var processorSeconds: UInt64 = 600

  /// The limits that hold where nobody sets others.
  public init() {}
}
