/// What a host finds where it runs: the kernel, the worker, limits, folders, and what was refused.
///
/// It holds what was found; how that is told is for others.
public struct Diagnosis: Sendable {
  /// What the kernel offers to keep engines in.
  public let kernel: KernelOffer
  /// What came of starting a worker in the sandbox.
  public let worker: WorkerTrial
  /// The memory that host and worker share, and that functions are made in.
  public let memory: MemoryOffer
  /// What one engine's process may use up.
  public let workerLimits: WorkerLimits
  /// The limits of this process, which hold for workers too.
  public let processLimits: [ProcessLimit]
  /// The folders of the search path, in their order.
  public let folders: [FolderFinding]
  /// What lies in them.
  public let listing: Listing
  /// The cache of descriptions.
  public let cache: CacheFinding
  /// The user as whom this process acts: 0 is root.
  public let user: UInt32
  /// Whether this process has rights that its caller lacks, so that environment and home do not count.
  public let isPrivileged: Bool

  /// Whether engines run in the sandbox here: the worker starts in it, system calls are filtered and
  /// files are closed.
  public var runsSandboxed: Bool {
    worker.error == nil && kernel.dropsPrivileges && kernel.filtersCalls && kernel.protects(.files)
  }
}
