import TesseraCatalog
import TesseraRuntime
import TesseraWorker

package final class EngineLoader: Sendable {
  let configuration: HostConfiguration
  let cache: DescriptionCache?
  private let failures: FailureRecord?
  /// Each engine's first output, by id: "Hello" in prepare.
  private let printed = Locked<[String: String]>([:])
  /// Calls known to hang; a suite gives them little time.
  private let hanging = Locked<Set<String>>([])
  /// Workers without a session, longest kept first.
  private let kept = Locked<
    [(worker: Worker, input: SharedMemory, members: [WorkerStart.Member])]
  >([])

  init(_ configuration: HostConfiguration) {
    self.configuration = configuration
    cache = configuration.cacheFolder.map(DescriptionCache.init(path:))
    // Without isolation, a crash also ends the process that would record it.
    let remembers = configuration.isolation != .none && configuration.refusalTime > 0
    failures =
      remembers
      ? FailureRecord(folder: cache?.folder, refusalTime: Int64(configuration.refusalTime)) : nil
  }

  var isInProcess: Bool { configuration.isolation == .none }

  package func library(at path: String) throws(HostError) -> SealedLibrary {
    let library = try SealedLibrary.recent(at: path)
    try configuration.trust.check(library.digest, of: path)
    try checkFailures(library.digest)
    return library
  }

  func checkFailures(_ digest: SHA256Digest) throws(HostError) {
    if let refusal = failures?.refusal(of: digest) { throw refusal.error }
  }

  /// Seconds until all libraries are accepted again; 0 if they are.
  func refusalTime(of libraries: ChainLibraries) -> Int {
    Int(libraries.libraries.compactMap { failures?.refusal(of: $0.digest)?.remaining }.max() ?? 0)
  }

  package func printed(by engine: String) -> String? { printed.withLock { $0[engine] } }

  package func note(printed text: String, by engine: String, in call: String) {
    printed.withLock { $0[engine] = $0[engine] ?? "\"\(text)\" in \(call)" }
  }

  /// Limits the time of a call from now on.
  package func note(hanging call: String) { hanging.withLock { _ = $0.insert(call) } }

  func takeWorker(of libraries: ChainLibraries) -> (worker: Worker, input: SharedMemory)? {
    guard configuration.keptWorkers > 0 else { return nil }
    for library in libraries.libraries where (try? checkFailures(library.digest)) == nil {
      return nil
    }
    while true {
      let found = kept.withLock { kept in
        kept.lastIndex {
          $0.members == libraries.members && $0.worker.hasLoaded(libraries.libraries)
        }.map { kept.remove(at: $0) }
      }
      guard let found else { return nil }
      if !found.worker.isGone { return (found.worker, found.input) }
    }
  }

  func keep(_ worker: Worker, input: SharedMemory, _ members: [WorkerStart.Member]) {
    guard configuration.keptWorkers > 0 else { return }
    let surplus = kept.withLock { kept in
      kept.append((worker, input, members))
      return kept.count > configuration.keptWorkers ? kept.removeFirst() : nil
    }
    // Outside the lock: ending a worker takes long.
    _ = consume surplus
  }

  func note(_ error: HostError, of digest: SHA256Digest) {
    failures?.add(digest, cause: error.fact)
  }

  package func descriptions(of library: SealedLibrary) throws(HostError) -> [EngineDescription] {
    if let entry = cache?.entry(for: library.identity), entry.digest == library.digest {
      return try entry.result.get()
    }
    do throws(HostError) {
      let descriptions =
        isInProcess ? try loadedEngines(of: library).map(\.description) : try describe(library)
      // Failures aren't cached: a missing dependency may be installed later.
      cache?.store(
        CacheEntry(
          identity: library.identity, digest: library.digest, abi: library.abi,
          result: .success(descriptions)))
      return descriptions
    } catch {
      if error.kind == .died { note(error, of: library.digest) }
      throw error
    }
  }

  /// With an allowlist, loads the bytes that were checked; otherwise the file, for debuggers.
  func loadedEngines(of library: SealedLibrary) throws(HostError) -> [LoadedEngine] {
    try LoadedEngine.engines(in: library, prefersFile: configuration.trust.allowsOnly == nil)
  }

  private func describe(_ library: SealedLibrary) throws(HostError) -> [EngineDescription] {
    let memory = try SharedMemory(
      named: "tessera-answer", byteCount: SharedMap.describing.byteCount, isReadOnly: false)
    let worker = try worker(memory: memory, input: nil, libraries: [library], task: .describe)
    do throws(HostError) {
      return try worker.descriptions(of: "it").get()
    } catch {
      // A description that breaks the contract makes the library unusable.
      let code = error.kind == .brokenContract ? .malformedDescription : error.code
      throw HostError(code, error.fact, error.remedy).onOneLine
    }
  }

  package func worker(
    memory: SharedMemory, input: SharedMemory?, libraries: [SealedLibrary], task: WorkerStart.Task
  ) throws(HostError) -> Worker {
    var program = configuration.worker
    if program == nil { program = try findProgram() }
    let worker = try Worker(
      program: program!, isSandboxed: configuration.isolation == .sandbox,
      requiresFullSandbox: configuration.requiresFullSandbox,
      isDebugged: configuration.isDebugged && configuration.isolation == .process,
      crashed: configuration.crashed,
      limits: configuration.limits, memory: memory, input: input, libraries: libraries, task: task)
    // An examination makes many calls.
    let seconds = if case .examine = task { 3.0 } else { 1.0 }
    worker.limit = { [weak self] call in
      self?.hanging.withLock { $0.contains(call) } == true ? seconds : nil
    }
    return worker
  }
}

/// The libraries of an engine and its bases, from which its workers start.
package final class ChainLibraries: WorkerSource {
  /// Each library once.
  package let libraries: [SealedLibrary]
  /// The engines, most derived first, each with the index of its library.
  package let members: [WorkerStart.Member]
  private let runtime: EngineLoader

  init(_ chain: [Listing.Entry], _ runtime: EngineLoader) throws(HostError) {
    var libraries: [SealedLibrary] = []
    var members: [WorkerStart.Member] = []
    for member in chain {
      let path = member.resolvedLibrary
      var place = libraries.firstIndex { $0.path == path }
      if place == nil {
        do throws(HostError) { libraries.append(try runtime.library(at: path)) } catch {
          throw error.about(path)
        }
        place = libraries.count - 1
      }
      members.append(WorkerStart.Member(library: place ?? 0, id: member.description.id))
    }
    (self.libraries, self.members, self.runtime) = (libraries, members, runtime)
  }

  package var limits: WorkerLimits { runtime.configuration.limits }
  package var rowLimit: Int { runtime.configuration.rowLimit }

  package func start(memory: SharedMemory, input: SharedMemory) throws(HostError) -> Worker {
    for library in libraries { try runtime.checkFailures(library.digest) }
    return try runtime.worker(
      memory: memory, input: input, libraries: libraries, task: .layOut(members))
  }

  package func engineDied(_ error: HostError) {
    if let top = libraries.first { runtime.note(error, of: top.digest) }
  }

  package func keep(_ worker: Worker, input: SharedMemory) {
    runtime.keep(worker, input: input, members)
  }

  package func enginePrinted(_ text: String, in call: String) {
    if let top = members.first { runtime.note(printed: text, by: top.id, in: call) }
  }
}

extension Engine {
  // Runs in this process without `input`. `kept` is a worker that has loaded the chain.
  func runner(
    _ values: SessionValues, _ starts: SectionStarts, _ input: SharedInput?, startsNow: Bool = true,
    kept: Worker? = nil
  ) throws(HostError) -> any LayoutRunner {
    if let input {
      return try WorkerLayout(
        chain: chain, values: values, starts: starts, input: input,
        source: libraries, startsNow: startsNow, kept: kept)
    }
    var engines: [LoadedEngine] = []
    for member in libraries.members {
      let found = try runtime.loadedEngines(of: libraries.libraries[member.library])
      guard let engine = found.first(where: { $0.description.id == member.id }) else {
        throw HostError(.noEngines, "\(member.id) is no longer in its library; list it again")
      }
      engines.append(engine)
    }
    guard engines.map(\.description) == chain else {
      throw ChainTraits(chain: chain).broken(.changedDescription)
    }
    let layout = try LayoutChain(
      engines: engines, values: values, starts: UnsafeBufferPointer(starts.buffer),
      memory: ProcessRows(rowLimit: runtime.configuration.rowLimit))
    try layout.create()
    return layout
  }
}
