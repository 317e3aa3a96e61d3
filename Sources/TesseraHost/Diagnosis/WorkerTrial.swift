import Glibc

/// What came of starting a worker.
public struct WorkerTrial: Sendable {
  /// The path of the worker's program; nil where there is none.
  public let program: String?
  /// What went wrong, in one sentence; nil where the worker entered the sandbox and answered.
  public let error: String?
  /// How long it took from the start to the answer, in seconds; nil where there was none.
  public let seconds: Double?
  /// The library that was then asked, in a worker of its own, what it holds; nil where there is none.
  public let library: String?
  /// How long that took, its process included, in seconds; nil where it went wrong.
  public let librarySeconds: Double?
}

extension EngineRuntime {
  /// Starts a worker in the sandbox, with no library, and one with a library.
  ///
  /// - Parameter path: A library that may be loaded; nil where there is none.
  func trial(library path: String?) -> WorkerTrial {
    var configuration = configuration
    configuration.isolation = .sandbox
    configuration.cacheFolder = nil
    let runtime = EngineRuntime(configuration)
    var program = configuration.worker
    do throws(HostError) {
      if program == nil { program = try WorkerProgram.find() }
      let seconds = try Self.timed { () throws(HostError) in try runtime.startAndEnd() }
      let librarySeconds = path.flatMap { path in
        try? Self.timed { () throws(HostError) in
          _ = try runtime.descriptions(of: LibraryStore.library(at: path))
        }
      }
      return WorkerTrial(
        program: program, error: nil, seconds: seconds, library: path,
        librarySeconds: librarySeconds)
    } catch {
      return WorkerTrial(
        program: program, error: error.message, seconds: nil, library: nil, librarySeconds: nil)
    }
  }

  private func startAndEnd() throws(HostError) {
    let memory = try SharedMemory(
      named: "tessera-trial", byteCount: SharedMap.describing.byteCount, isReadOnly: false)
    let worker = try worker(memory: memory, input: nil, libraries: [], task: .describe)
    var (answer, reader) = try worker.ask(nil, "its start", of: "the worker") {
      (_, _) throws(HostError) in
      throw ByteReader.broken("is a question before it is ready")
    }
    guard answer == .done else { throw try reader.hostError() }
  }

  private static func timed(_ work: () throws(HostError) -> Void) throws(HostError) -> Double {
    let start = ContinuousClock.now
    try work()
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
