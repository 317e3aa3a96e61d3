/// What a host's engines run in: each of its sessions asks it for libraries, workers and leave.
package final class EngineRuntime: Sendable {
  let configuration: HostConfiguration
  /// What is known of libraries since they were last asked.
  let cache: DescriptionCache?
  /// Which libraries crashed lately.
  private let failures: FailureRecord?

  init(_ configuration: HostConfiguration) {
    self.configuration = configuration
    // Engines of this process are asked anew: they are loaded here in any case.
    let isCached = configuration.isolation != .none
    cache = isCached ? configuration.cacheFolder.map(DescriptionCache.init(path:)) : nil
    let remembers = isCached && configuration.refusesCrashing
    failures = remembers ? FailureRecord(folder: cache?.folder) : nil
  }

  var isInProcess: Bool { configuration.isolation == .none }

  /// The library at a path, if it may be loaded.
  ///
  /// - Throws: As `SealedLibrary.init`; `.notAllowed` where the policy forbids it; `.died` where it
  ///   crashed too often lately.
  package func library(at path: String) throws(HostError) -> SealedLibrary {
    let library = try LibraryStore.library(at: path)
    try configuration.trust.check(library.digest, of: path)
    try checkFailures(library.digest)
    return library
  }

  /// - Throws: `.died` where a library crashed too often lately.
  func checkFailures(_ digest: SHA256Digest) throws(HostError) {
    if let refusal = failures?.isRefused(digest) { throw HostError(.died, refusal.sentence) }
  }

  /// Remembers that a library's worker died.
  func note(_ error: HostError, of digest: SHA256Digest) {
    failures?.add(digest, cause: error.message)
  }

  /// What engines a library holds: asked in a worker, or in this process without isolation.
  package func descriptions(of library: SealedLibrary) throws(HostError) -> [EngineDescription] {
    guard !isInProcess else {
      return try LibraryLoader.engines(in: library).map(\.description)
    }
    if let entry = cache?.entry(for: library.identity), entry.digest == library.digest {
      return try entry.result.get()
    }
    do throws(HostError) {
      let descriptions = try describe(library)
      // A refusal is not remembered: what the library needs may be installed later.
      cache?.store(.success(descriptions), digest: library.digest, for: library.identity)
      return descriptions
    } catch {
      if error.kind == .died { note(error, of: library.digest) }
      throw error
    }
  }

  private func describe(_ library: SealedLibrary) throws(HostError) -> [EngineDescription] {
    let memory = try SharedMemory(
      named: "tessera-answer", byteCount: SharedMap.describing.byteCount, isReadOnly: false)
    let worker = try worker(
      memory: memory, input: nil, libraries: [library], task: .describe)
    var (answer, reader): (Answer, ByteReader)
    do throws(HostError) {
      (answer, reader) = try worker.ask(nil, nil, of: "it") {
        (_, _) throws(HostError) in
        throw ByteReader.broken("is a question before it is ready")
      }
      guard answer == .done else { throw try reader.hostError() }
      let descriptions = try reader.engineDescriptions()
      try reader.finish()
      return descriptions
    } catch {
      // What it says of itself cannot be used, whether it lies or breaks the rules.
      let kind = error.kind == .brokenContract ? HostError.Kind.cannotLoad : error.kind
      throw HostError(kind, ForeignText.onOneLine(error.message))
    }
  }

  func worker(
    memory: SharedMemory, input: SharedMemory?, libraries: [SealedLibrary], task: Setup.Task
  ) throws(HostError) -> Worker {
    var program = configuration.worker
    if program == nil { program = try WorkerProgram.find() }
    return try Worker(
      program: program!, isSandboxed: configuration.isolation == .sandbox,
      limits: configuration.limits, path: configuration.path ?? Channel.availablePath(memory),
      memory: memory, input: input, libraries: libraries, task: task)
  }
}
