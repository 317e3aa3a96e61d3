import CTesseraSystem
import Glibc

extension Host {
  /// Looks at all that running engines depends on, and starts a worker to see whether it can be.
  ///
  /// Complexity: as `listing()`, and two processes.
  public func diagnosis() -> Diagnosis {
    let listing = listing()
    return Diagnosis(
      kernel: .ofThisMachine(),
      worker: runtime.trial(library: listing.engines.first?.resolvedLibrary),
      memory: .ofThisMachine(), workerLimits: configuration.limits,
      processLimits: ProcessLimit.ofThisProcess(),
      folders: searchPath.folders.map { FolderFinding($0, trust: configuration.trust) },
      listing: listing, cache: CacheFinding(configuration, runtime.cache), user: geteuid(),
      isPrivileged: tessera_is_privileged() != 0)
  }
}
