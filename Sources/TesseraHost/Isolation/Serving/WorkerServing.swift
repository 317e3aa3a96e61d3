import CTesseraSystem
import Glibc

/// The worker's side of the talk.
final class WorkerServing {
  private let setup: Setup
  private let memory: SharedMemory
  private let input: SharedMemory
  private let channel: Channel

  /// Maps what the host shares.
  ///
  /// - Throws: Where no host has started this process.
  init() throws(HostError) {
    memory = try SharedMemory(adopting: Setup.output, isReadOnly: false)
    guard memory.byteCount >= SharedMap.describing.byteCount else {
      throw HostError(.refused, "there is no memory of a host at descriptor \(Setup.output)")
    }
    input = try SharedMemory(adopting: Setup.input, isReadOnly: true)
    let first = Channel(memory: memory, side: .worker, path: .memory, socket: Setup.socket)
    var message = try first.take()
    setup = try message.setup()
    channel = Channel(
      memory: memory, side: .worker, path: setup.path, socket: Setup.socket)
  }

  /// Gives up rights, loads, and answers until it is killed.
  func run() -> Never {
    guard tessera_worker_follow_parent(setup.parent) == 0 else { exit(0) }
    // What an engine prints is told when it ends, too.
    tessera_print_by_line()
    do throws(HostError) {
      if case .examine(let members) = setup.task { try examine(members) }
      let libraries = try load()
      switch setup.task {
      case .describe:
        var answer = ByteWriter()
        answer.put(Answer.done.rawValue)
        answer.put(libraries.flatMap { $0 }.map(\.description))
        try channel.put(answer)
      case .layOut(let members): try serve(members, libraries)
      case .examine: break
      }
    } catch {
      var answer = ByteWriter()
      answer.put(Answer.failed.rawValue)
      answer.put(error)
      try? channel.put(answer)
    }
    channel.pass()
    channel.awaitTurn()
    exit(0)
  }

  /// Says how far it is, for the host to tell where it died.
  private func note(_ stage: WorkerStage) {
    (memory.base + SharedMap.stage).storeBytes(of: stage.rawValue, as: UInt32.self)
  }

  private func engines(
    ofLibraryAt path: String, named name: String
  ) throws(HostError) -> [EngineRecord] {
    note(.loading)
    let entry = try LibraryLoader.entry(path, named: name)
    note(.registration)
    return try Registration.run(entry)
  }

  private func load(
    _ one: ((String, String) throws(HostError) -> [EngineRecord])? = nil
  ) throws(HostError) -> [[EngineRecord]] {
    if setup.isSandboxed {
      try WorkerRights.giveUp(
        setup.limits,
        libraries: Setup.firstLibrary..<(Setup.firstLibrary + Int32(setup.libraries.count)),
        memory: memory, shared: UInt64(memory.byteCount + input.byteCount))
    }
    var libraries: [[EngineRecord]] = []
    for (number, path) in setup.libraries.enumerated() {
      let descriptor = Setup.firstLibrary + Int32(number)
      let file = "/proc/self/fd/\(descriptor)"
      if let one {
        libraries.append(try one(file, path))
      } else {
        libraries.append(try engines(ofLibraryAt: file, named: path))
      }
    }
    for number in setup.libraries.indices { close(Setup.firstLibrary + Int32(number)) }
    return libraries
  }

  private func examine(_ members: [Setup.Member]) throws(HostError) -> Never {
    let observer = LoadingObserver()
    let libraries = try load(observer.load)
    let server = try ExaminationServer(
      records: try records(of: members, in: libraries), loading: observer.finish(), input: input,
      channel: channel)
    try forbidNewCode()
    server.run()
  }

  private func records(
    of members: [Setup.Member], in libraries: [[EngineRecord]]
  ) throws(HostError) -> [EngineRecord] {
    var records: [EngineRecord] = []
    for member in members {
      let engines = member.library < libraries.count ? libraries[member.library] : []
      guard let record = engines.first(where: { $0.description.id == member.id }) else {
        throw HostError(.cannotLoad, "its library registers no \(member.id) this time")
      }
      records.append(record)
    }
    return records
  }

  private func forbidNewCode() throws(HostError) {
    guard setup.isSandboxed else { return }
    var error: Int32 = 0
    guard tessera_sandbox_forbid_new_code(&error) == 0 else {
      throw HostError(.refused, "new code cannot be forbidden: \(systemMessage(error))")
    }
  }

  private func serve(
    _ members: [Setup.Member], _ libraries: [[EngineRecord]]
  ) throws(HostError) -> Never {
    let records = try records(of: members, in: libraries)
    note(.creation)
    let server = try LayoutServer(
      records: records, limits: setup.limits, memory: memory, input: input, channel: channel)
    try forbidNewCode()
    var ready = ByteWriter()
    ready.put(Answer.done.rawValue)
    ready.put(records.map(\.description))
    try channel.put(ready)
    server.run()
  }
}
