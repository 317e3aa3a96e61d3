import TesseraCatalog
import TesseraRuntime
import TesseraWorker

/// Opens libraries and starts workers for the sessions of a host, as its configuration allows.
package final class EngineLoader: Sendable {
  let configuration: HostConfiguration
  let cache: DescriptionCache?
  private let failures: FailureRecord?
  /// What engines printed first, by their ids: "Hello" in prepare.
  private let printed = Locked<[String: String]>([:])
  /// The calls that did not return, for a suite that knows that they would not.
  private let hanging = Locked<Set<String>>([])
  /// The workers without a session, the longest kept first.
  private let kept = Locked<[KeptWorker]>([])

  init(_ configuration: HostConfiguration) {
    self.configuration = configuration
    cache = configuration.cacheFolder.map(DescriptionCache.init(path:))
    // What crashes in this process leaves nobody to record it.
    let remembers = configuration.isolation != .none && configuration.refusalTime > 0
    failures =
      remembers
      ? FailureRecord(folder: cache?.folder, refusalTime: Int64(configuration.refusalTime)) : nil
  }

  var isInProcess: Bool { configuration.isolation == .none }

  /// Opens the library at a path.
  ///
  /// - Throws: The errors of `SealedLibrary.init`; `.notAllowed` if the policy forbids the library;
  ///   `.died` if it crashed too often recently.
  package func library(at path: String) throws(HostError) -> SealedLibrary {
    let library = try SealedLibrary.recent(at: path)
    try configuration.trust.check(library.digest, of: path)
    try checkFailures(library.digest)
    return library
  }

  /// - Throws: `.died` if a library crashed too often recently.
  func checkFailures(_ digest: SHA256Digest) throws(HostError) {
    if let refusal = failures?.refusal(of: digest) { throw refusal.error }
  }

  /// How many more seconds one of some libraries is refused, because it crashed too often; 0 if none is.
  func refusalTime(of libraries: ChainLibraries) -> Int {
    Int(libraries.libraries.compactMap { failures?.refusal(of: $0.digest)?.remaining }.max() ?? 0)
  }

  /// What an engine printed first, and in which call; nil if it printed nothing yet.
  package func printed(by engine: String) -> String? { printed.withLock { $0[engine] } }

  package func note(printed text: String, by engine: String, in call: String) {
    printed.withLock { $0[engine] = $0[engine] ?? "\"\(text)\" in \(call)" }
  }

  /// Gives a call that did not return little time from now on.
  package func note(hanging call: String) { hanging.withLock { _ = $0.insert(call) } }

  /// A worker for a new session of a chain, and the memory of its input; nil if none is kept.
  func takeWorker(of libraries: ChainLibraries) -> (worker: Worker, input: SharedMemory)? {
    guard configuration.keptWorkers > 0 else { return nil }
    for library in libraries.libraries where (try? checkFailures(library.digest)) == nil {
      return nil
    }
    while true {
      let found = kept.withLock { kept in
        kept.lastIndex { $0.hasLoaded(libraries) }.map { kept.remove(at: $0) }
      }
      guard let found else { return nil }
      if !found.worker.isGone { return (found.worker, found.input) }
    }
  }

  /// Keeps a worker that has loaded a chain, and ends the one that was kept longest if there are too
  /// many.
  func keep(_ worker: Worker, input: SharedMemory, of libraries: ChainLibraries) {
    guard configuration.keptWorkers > 0 else { return }
    let added = KeptWorker(worker, input: input, of: libraries)
    let surplus = kept.withLock { kept in
      kept.append(added)
      return kept.count > configuration.keptWorkers ? kept.removeFirst() : nil
    }
    // Ending it takes longer than others should wait.
    _ = consume surplus
  }

  func note(_ error: HostError, of digest: SHA256Digest) {
    failures?.add(digest, cause: error.fact)
  }

  /// Reads the descriptions of a library's engines: in a worker, or in this process if there is no
  /// isolation.
  package func descriptions(of library: SealedLibrary) throws(HostError) -> [EngineDescription] {
    if let entry = cache?.entry(for: library.identity), entry.digest == library.digest {
      return try entry.result.get()
    }
    do throws(HostError) {
      let descriptions =
        isInProcess ? try loadedEngines(of: library).map(\.description) : try describe(library)
      // Failures are not cached: a missing dependency may be installed later.
      cache?.store(
        CacheEntry(
          identity: library.identity, digest: library.digest, abi: library.inspection.abi,
          result: .success(descriptions)))
      return descriptions
    } catch {
      if error.kind == .died { note(error, of: library.digest) }
      throw error
    }
  }

  /// Loads a library into this process.
  ///
  /// With an allowlist, the bytes that were compared with it are loaded; otherwise the library's own file,
  /// which a debugger can find.
  func loadedEngines(of library: SealedLibrary) throws(HostError) -> [LoadedEngine] {
    try LoadedEngine.engines(in: library, prefersFile: configuration.trust.allowsOnly == nil)
  }

  private func describe(_ library: SealedLibrary) throws(HostError) -> [EngineDescription] {
    let memory = try SharedMemory(
      named: "tessera-answer", byteCount: SharedMap.describing.byteCount, isReadOnly: false)
    let worker = try worker(
      memory: memory, input: nil, libraries: [library], task: .describe)
    do throws(HostError) {
      return try worker.descriptions(of: "it").get()
    } catch {
      // A description that breaks the contract makes the library unusable.
      let code = error.kind == .brokenContract ? .malformedDescription : error.code
      throw HostError(code, error.fact, error.remedy).onOneLine
    }
  }

  /// Starts a worker with the host's configuration.
  ///
  /// - Throws: `.notFound` if there is no worker program; `.refused` if it cannot be started.
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

private struct KeptWorker: @unchecked Sendable {
  let worker: Worker
  let input: SharedMemory
  private let digests: [SHA256Digest]
  private let paths: [String]
  private let members: [WorkerStart.Member]

  init(_ worker: Worker, input: SharedMemory, of libraries: ChainLibraries) {
    self.worker = worker
    self.input = input
    digests = libraries.libraries.map(\.digest)
    paths = libraries.libraries.map(\.path)
    members = libraries.members
  }

  /// Whether it has loaded the same contents from the same files for the same chain.
  func hasLoaded(_ libraries: ChainLibraries) -> Bool {
    digests == libraries.libraries.map(\.digest) && paths == libraries.libraries.map(\.path)
      && members == libraries.members
  }
}

/// The libraries of a chain, each once, and for each engine the index of its library.
package struct ChainLibraries: Sendable {
  package let libraries: [SealedLibrary]
  package let members: [WorkerStart.Member]

  /// - Throws: The errors of `EngineLoader.library`, with the library's path.
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
    self.libraries = libraries
    self.members = members
  }
}

final class ChainSource: WorkerSource {
  private let runtime: EngineLoader
  private let libraries: ChainLibraries

  init(_ libraries: ChainLibraries, _ runtime: EngineLoader) {
    self.runtime = runtime
    self.libraries = libraries
  }

  var limits: WorkerLimits { runtime.configuration.limits }
  var rowLimit: Int { runtime.configuration.rowLimit }

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

  func keep(_ worker: Worker, input: SharedMemory) {
    runtime.keep(worker, input: input, of: libraries)
  }

  func enginePrinted(_ text: String, in call: String) {
    guard let top = libraries.members.first else { return }
    runtime.note(printed: text, by: top.id, in: call)
  }
}

extension Engine {
  /// Starts the engine and its bases for one session.
  ///
  /// - Parameters:
  ///   - input: Memory that a worker can read; nil to run in this process.
  ///   - startsNow: Whether to start a worker now instead of at the first question.
  ///   - kept: A worker that has loaded the chain, and whose input is in `input`; nil if there is none.
  /// - Throws: The error with which a library cannot be loaded or an engine cannot be created; `.died`
  ///   if it crashes.
  func runner(
    _ values: SessionValues, _ starts: SectionStarts, _ input: SharedInput?, startsNow: Bool = true,
    kept: Worker? = nil
  ) throws(HostError) -> any LayoutRunner {
    if let input {
      return try WorkerLayout(
        chain: chain, values: values, starts: starts, input: input,
        source: ChainSource(libraries, runtime), startsNow: startsNow, kept: kept)
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
