/// Starts workers for the chain of one session.
final class ChainSource: WorkerSource {
  private let runtime: EngineRuntime
  private let libraries: ChainLibraries

  init(_ libraries: ChainLibraries, _ runtime: EngineRuntime) {
    self.runtime = runtime
    self.libraries = libraries
  }

  var limits: WorkerLimits { runtime.configuration.limits }

  func start(memory: SharedMemory, input: SharedMemory) throws(HostError) -> Worker {
    for library in libraries.libraries { try runtime.checkFailures(library.digest) }
    return try runtime.worker(
      memory: memory, input: input, libraries: libraries.libraries,
      task: .layOut(libraries.members))
  }

  func engineDied(_ error: HostError) {
    guard let top = libraries.libraries.first else { return }
    runtime.note(error, of: top.digest)
  }
}
