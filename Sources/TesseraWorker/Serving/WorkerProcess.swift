import CTesseraSystem
import Glibc
import TesseraCatalog
import TesseraRuntime

package protocol WorkerExaminer {
  func load(
    _ path: String, named name: String, abi: ABIVersion, noting memory: SharedMemory
  ) throws(HostError) -> [LoadedEngine]
  /// Serves the loaded engines until the process is killed.
  func serve(
    _ engines: [LoadedEngine], memory: SharedMemory, input: SharedMemory, channel: Channel
  ) throws(HostError) -> Never
}

/// Drops rights, loads the libraries and answers the host.
package final class WorkerProcess {
  private let setup: WorkerStart
  private let memory: SharedMemory
  private let input: SharedMemory
  private let channel: Channel
  private let examiner: (any WorkerExaminer)?

  /// Doesn't return; without an examiner, `.examine` is refused.
  package static func run(examiner: (any WorkerExaminer)? = nil) -> Never {
    let process: WorkerProcess
    do throws(HostError) {
      process = try WorkerProcess(examiner)
    } catch {
      let sentence = "tessera-worker: only a host can start this program: \(error.message)\n"
      sentence.utf8.withContiguousStorageIfAvailable { _ = write(2, $0.baseAddress, $0.count) }
      exit(64)
    }
    process.run()
  }

  /// - Throws: `.refused` or `.brokenContract` if no host started this process.
  private init(_ examiner: (any WorkerExaminer)?) throws(HostError) {
    self.examiner = examiner
    memory = try SharedMemory(adopting: WorkerStart.output, isReadOnly: false)
    guard memory.byteCount >= SharedMap.describing.byteCount else {
      throw HostError(
        .workerNotStarted, "descriptor \(WorkerStart.output) is not the memory of a host")
    }
    channel = Channel(memory: memory, side: .worker)
    var message = try channel.take()
    setup = try message.read()
    input = try SharedMemory(
      adopting: WorkerStart.input, isReadOnly: true, byteCount: setup.inputByteCount)
  }

  private func run() -> Never {
    guard tessera_worker_follow_parent(setup.parent) == 0 else { exit(0) }
    // Output is reported after its call, even without a newline.
    tessera_print_by_line()
    do throws(HostError) {
      let libraries = try load()
      switch setup.task {
      case .describe:
        try forbidNewCode()
        try answer(libraries.flatMap { $0 }.map(\.description))
      case .layOut(let members):
        let engines = try engines(of: members, in: libraries)
        try forbidNewCode()
        let server = try LayoutServer(
          engines: engines, memory: memory, input: input, channel: channel)
        try answer(engines.map(\.description))
        server.run()
      case .examine(let members):
        guard let examiner else {
          throw HostError(.notExamined, "this worker examines no engines; start tessera-worker")
        }
        try forbidNewCode()
        try examiner.serve(
          try engines(of: members, in: libraries), memory: memory, input: input, channel: channel)
      }
    } catch {
      var message = ByteWriter()
      Outcome(failure: error).write(to: &message)
      try? channel.put(message)
    }
    channel.pass()
    channel.awaitTurn()
    exit(0)
  }

  private func answer(_ descriptions: [EngineDescription]) throws(HostError) {
    var message = ByteWriter(reserving: 4096)
    Outcome().write(to: &message)
    message.put(descriptions)
    try channel.put(message)
  }

  private func load() throws(HostError) -> [[LoadedEngine]] {
    if setup.recordsCrash {
      _ = tessera_crash_record(
        (memory.base + SharedMap.crash).assumingMemoryBound(to: tessera_crash.self))
    }
    if setup.isSandboxed {
      try Self.giveUpRights(
        setup.limits, requiresFull: setup.requiresFullSandbox,
        libraries: WorkerStart
          .firstLibrary..<(WorkerStart.firstLibrary + Int32(setup.libraries.count)),
        memory: memory, shared: UInt64(memory.byteCount + input.byteCount))
    }
    var libraries: [[LoadedEngine]] = []
    for (number, library) in setup.libraries.enumerated() {
      let name = library.path
      let isFile = library.file != nil && FileIdentity(path: name) == library.file
      let path = isFile ? name : "/proc/self/fd/\(WorkerStart.firstLibrary + Int32(number))"
      if let examiner, case .examine = setup.task {
        libraries.append(try examiner.load(path, named: name, abi: library.abi, noting: memory))
      } else {
        EngineCall.loading.note(in: memory)
        let entry = try LoadedEngine.entry(path, named: name)
        EngineCall.registration.note(in: memory)
        libraries.append(try Registration.run(entry, abi: library.abi))
      }
      guard !isFile || FileIdentity(path: name) == library.file else {
        throw LoadedEngine.fileChanged
      }
    }
    for number in setup.libraries.indices { close(WorkerStart.firstLibrary + Int32(number)) }
    return libraries
  }

  private func engines(
    of members: [WorkerStart.Member], in libraries: [[LoadedEngine]]
  ) throws(HostError) -> [LoadedEngine] {
    var engines: [LoadedEngine] = []
    for member in members {
      let found = member.library < libraries.count ? libraries[member.library] : []
      guard let engine = found.first(where: { $0.description.id == member.id }) else {
        throw HostError(.noEngines, "its library no longer registers \(member.id)")
      }
      engines.append(engine)
    }
    return engines
  }

  private func forbidNewCode() throws(HostError) {
    guard setup.isSandboxed else { return }
    var error: Int32 = 0
    guard tessera_sandbox_forbid_new_code(WorkerStart.socket, &error) == 0 else {
      throw HostError(.incompleteSandbox, "new code cannot be forbidden: \(systemMessage(error))")
    }
  }
}
