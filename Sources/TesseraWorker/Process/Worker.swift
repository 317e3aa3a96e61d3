import CTesseraSystem
import Glibc
import TesseraCatalog
import TesseraRuntime

/// A process that runs engines, from its start to its end.
///
/// Nothing that it says is believed: messages are read with bounds, and it is killed when it is
/// silent for too long.
package final class Worker {
  package let memory: SharedMemory
  private let process: Int32
  private let socket: Int32
  private let printed: Int32
  private let channel: Channel
  private let limits: WorkerLimits
  private var words: CapturedOutput
  /// The most memory that this program ever had when it started the worker: the system counts it as
  /// the worker's too.
  private let ownPeak: UInt64
  /// The most memory of its own that it was ever seen with.
  private var peak: UInt64 = 0
  private var processor: Int32 = -1
  /// Whether it keeps to the processor of whoever asks; not where its own threads are to run at once.
  package var isPinned = true
  /// How many bytes of the memory were ever touched, as of its last answer.
  package private(set) var touchedBytes: UInt64 = 0
  /// Why it is gone; nil while it lives.
  package private(set) var death: WorkerExit?

  /// Starts a worker.
  ///
  /// - Parameters:
  ///   - program: The path of the worker's program.
  ///   - path: How turns are passed.
  ///   - input: What it can read; libraries follow it.
  /// - Throws: `.refused` where the system starts none.
  package init(
    program: String, isSandboxed: Bool, limits: WorkerLimits, path: Channel.Path,
    memory: SharedMemory, input: SharedMemory?, libraries: [SealedLibrary], task: Setup.Task
  ) throws(HostError) {
    self.memory = memory
    self.limits = limits
    var (ours, theirs, reading, writing): (Int32, Int32, Int32, Int32) = (-1, -1, -1, -1)
    guard tessera_socket_pair(&ours, &theirs) == 0 else { throw Self.notStarted(program) }
    defer { close(theirs) }
    guard tessera_pipe(&reading, &writing) == 0 else {
      let error = Self.notStarted(program)
      close(ours)
      throw error
    }
    defer { close(writing) }
    socket = ours
    printed = reading
    words = CapturedOutput(descriptor: reading)
    channel = Channel(memory: memory, side: .host, path: path, socket: ours)
    var message = ByteWriter()
    message.put(
      Setup(
        parent: getpid(), isSandboxed: isSandboxed, path: path, limits: limits,
        libraries: libraries.map(\.path), task: task))
    var handed = [theirs, memory.descriptor, (input ?? memory).descriptor]
    handed += libraries.map(\.descriptor)
    do throws(HostError) {
      try channel.put(message)
      process = try Self.start(program, output: writing, descriptors: handed)
      ownPeak = tessera_own_usage().memory
    } catch {
      close(ours)
      close(reading)
      throw error
    }
  }

  deinit {
    if death == nil { _ = end(nil) }
    close(socket)
    close(printed)
  }

  private static func start(
    _ program: String, output: Int32, descriptors: [Int32]
  ) throws(HostError) -> Int32 {
    let name = strdup(program)
    // What a crash of Swift code would print is for the author who debugs, not for the user.
    let variable = strdup("SWIFT_BACKTRACE=enable=no")
    defer {
      free(name)
      free(variable)
    }
    let arguments: [UnsafePointer<CChar>] = [UnsafePointer(name!)]
    let environment: [UnsafePointer<CChar>] = [UnsafePointer(variable!)]
    let process = tessera_worker_start(
      program, arguments, 1, environment, 1, output, descriptors, UInt32(descriptors.count))
    guard process > 0 else { throw notStarted(program) }
    return process
  }

  private static func notStarted(_ program: String) -> HostError {
    HostError(
      .refused, "the worker \(program) cannot be started: \(systemMessage(errno))", .locateWorker)
  }

  /// What the engines printed since this was last asked, on one line; nil where they did not.
  package func takeOutput() -> String? {
    guard words.total > 0 else { return nil }
    defer { words.forget() }
    return words.last
  }

  /// How many bytes the engines have printed since words were last taken.
  package var printedBytes: Int {
    words.drain()
    return words.total
  }

  /// Waits for the worker to load its libraries.
  ///
  /// - Parameter engine: The engine's id, for the error.
  /// - Returns: What the engines declare, or why they could not be loaded.
  /// - Throws: As `ask`.
  package func descriptions(
    of engine: String
  ) throws(HostError) -> Result<[EngineDescription], HostError> {
    var (outcome, reader) = try ask(nil, nil, of: engine) { (_, _) throws(HostError) in
      throw ByteReader.broken("is a question before it is ready")
    }
    if let failure = outcome.failure { return .failure(failure) }
    let engines = try Descriptions.read(from: &reader).engines
    try reader.finish()
    return .success(engines)
  }

  /// Puts a question and waits for the answer.
  ///
  /// - Parameters:
  ///   - message: The question; nil at the start, when the worker speaks first.
  ///   - call: What the engine is asked for, for the error; nil at the start.
  ///   - engine: The engine's id, for the error.
  ///   - answer: Answers what the worker asks meanwhile.
  /// - Throws: `.died` where the worker ends or is killed instead; what `answer` throws, and
  ///   `.brokenContract` for an answer that is none, after which it is killed too.
  package func ask(
    _ message: ByteWriter?, _ call: String?, of engine: String,
    answering answer: (AnswerKind, inout ByteReader) throws(HostError) -> any Message
  ) throws(HostError) -> (Outcome, ByteReader) {
    follow()
    if let message {
      try channel.put(message)
      channel.pass()
    }
    var deadline = Self.now() + limits.secondsPerCall
    while true {
      if let death = waitForTurn(until: deadline) {
        throw died(death, call ?? stage.call, engine)
      }
      words.drain()
      do throws(HostError) {
        var reader = try channel.take()
        let isQuestion =
          reader.next == AnswerKind.delegate.rawValue || reader.next == AnswerKind.progress.rawValue
        guard isQuestion, let kind = AnswerKind(rawValue: try reader.uint8()) else {
          return (try Outcome.read(from: &reader), reader)
        }
        // What the program does for its answer is not the engine's time; what it takes to read a
        // question is.
        let start = Self.now()
        var reply = ByteWriter(reserving: 48)
        try answer(kind, &reader).write(to: &reply)
        deadline += Self.now() - start
        try channel.put(reply)
      } catch {
        _ = end(nil)
        throw error.about(engine)
      }
      channel.pass()
    }
  }

  /// The error for a death, with the last that was printed.
  package func died(_ death: WorkerExit, _ call: String, _ engine: String) -> HostError {
    let last = words.last.map { "; it printed \"\($0)\"" } ?? ""
    return HostError(.died, "\(engine) \(death.sentence(during: call))\(last)", death.remedy)
  }

  /// Whether it ended, or lost its socket, while nobody asked it anything.
  package var isGone: Bool { death != nil || tessera_socket_is_closed(socket) != 0 }

  /// Moves the worker to the processor that asks: the one that it takes turns with.
  private func follow() {
    guard isPinned else { return }
    let ours = tessera_processor()
    guard ours != processor, ours >= 0 else { return }
    processor = ours
    tessera_worker_pin(process, ours)
  }

  /// How long it waits at a time, in nanoseconds.
  ///
  /// A shorter timer than the system's own tick, 4 or 10 ms, would have to be set at every call, which
  /// takes longer than the call itself.
  private static let slice: Int64 = 10_000_000

  /// Waits in slices, between which it looks after the worker.
  private func waitForTurn(until deadline: Double) -> WorkerExit? {
    var slice = Self.slice
    while true {
      let left = deadline - Self.now()
      guard left > 0 else { return end(.deadline(seconds: limits.secondsPerCall)) }
      let isOurs = channel.wait(nanoseconds: min(slice, Int64(min(left, 1) * 1e9) + 1))
      touchedBytes = memory.touchedBytes
      if touchedBytes > limits.rowMemory {
        return end(.rowMemory(limit: limits.rowMemory))
      }
      if isOurs { return nil }
      notePeak()
      // Whoever prints much waits until there is room for more.
      slice = words.drain() ? 100_000 : Self.slice
      if tessera_socket_is_closed(socket) != 0 { return end(nil, patience: 50_000_000) }
    }
  }

  /// Kills it, with all that it started.
  ///
  /// - Parameters:
  ///   - cause: Why it is killed; nil where it is to tell itself how it ended.
  ///   - patience: How long it may take to end by itself, in nanoseconds.
  @discardableResult
  package func end(_ cause: WorkerExit?, patience: Int64 = 0) -> WorkerExit {
    if let death { return death }
    notePeak()
    var usage = tessera_worker_usage()
    let touched = memory.touchedBytes
    let status =
      patience > 0
      ? tessera_worker_await(process, patience, &usage) : tessera_worker_end(process, &usage)
    words.drain()
    // Where the program itself has much memory, what was seen of the worker's meanwhile has to do.
    let most = usage.memory > ownPeak ? usage.memory - min(usage.memory, touched) : 0
    let isShort = max(most, peak) > limits.memory / 10 * 8
    let death: WorkerExit
    if let cause {
      if case .deadline(let seconds) = cause, isShort {
        death = .memoryAndDeadline(limit: limits.memory, seconds: seconds)
      } else {
        death = cause
      }
    } else {
      death = self.cause(status, isShort: isShort, seconds: usage.seconds)
    }
    self.death = death
    return death
  }

  /// Remembers how much memory of its own it has, if that is the most so far.
  private func notePeak() { peak = max(peak, tessera_worker_private_memory(process)) }

  private func cause(_ status: Int32, isShort: Bool, seconds: Double) -> WorkerExit {
    guard status >= 0 else { return .unknown }
    let signal = status & 0x7F
    guard signal != 0 else { return .exit(status: (status >> 8) & 0xFF) }
    if signal == SIGSYS { return .forbiddenCall(number: forbiddenCall) }
    if signal == SIGXCPU || signal == SIGKILL, seconds >= Double(limits.processorSeconds) {
      return .processorTime(seconds: limits.processorSeconds)
    }
    return isShort ? .memory(limit: limits.memory, signal: signal) : .signal(signal)
  }

  /// The system call that the worker says it died of; nil where it could not say.
  private var forbiddenCall: Int32? {
    let noted = (memory.base + SharedMap.forbiddenCall).load(as: tessera_forbidden_call.self)
    return noted.is_noted == 1 ? noted.number : nil
  }

  /// How far it came, as it says itself.
  private var stage: WorkerStage {
    WorkerStage(rawValue: (memory.base + SharedMap.stage).load(as: UInt32.self)) ?? .starting
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// Where the worker's program lies.
package enum WorkerProgram {
  package static let name = "tessera-worker"

  /// The path of the program: beside the file that holds this code or beside the running program, or
  /// in `../libexec/tessera` from either.
  ///
  /// - Throws: `.notFound` where it is in none of them.
  package static func find() throws(HostError) -> String {
    var folders: [String] = []
    for file in [ownFile, runningFile].compactMap({ $0 }) {
      let folder = parent(of: file)
      folders += [folder, "\(parent(of: folder))/libexec/tessera"]
    }
    for folder in folders where access("\(folder)/\(name)", X_OK) == 0 {
      return "\(folder)/\(name)"
    }
    throw HostError(
      .notFound,
      "there is no \(name), which engines run in, in \(folders.joined(separator: " or "))",
      .locateWorker)
  }

  /// The file that this code was loaded from.
  private static var ownFile: String? {
    tessera_own_file().flatMap { resolved(String(cString: $0)) }
  }

  private static var runningFile: String? { resolved("/proc/self/exe") }

  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func parent(of path: String) -> String {
    guard let end = path.lastIndex(of: "/"), end != path.startIndex else { return "" }
    return String(path[..<end])
  }
}
