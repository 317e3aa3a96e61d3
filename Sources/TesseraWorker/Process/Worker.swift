import CTesseraSystem
import Glibc
import TesseraCatalog
import TesseraRuntime

/// A process that runs engines, from its start to its end.
///
/// It is not trusted: messages are read with bounds checks, and it is killed if it does not answer in
/// time.
package final class Worker {
  package let memory: SharedMemory
  private let process: Int32
  /// The process that started it: one that was forked from it later has a copy of this object, but
  /// neither child nor right to end it.
  private let owner = tessera_own_process()
  private let socket: Int32
  private let printed: Int32
  private let channel: Channel
  private let limits: WorkerLimits
  private var output: CapturedOutput
  /// The input's memory, which must stay open while the worker is watched.
  private let input: SharedMemory?
  /// Watches memory and threads, also between two calls; nil once the process has ended.
  private var watch: OpaquePointer?
  private let isSandboxed: Bool
  private let requiresFullSandbox: Bool
  private let crashed: (@Sendable (Backtrace) -> Void)?
  /// What the worker loaded, to name the code in a backtrace.
  private let libraries: [SealedLibrary]
  /// What the worker has really given up; nil if it is not sandboxed or not ready yet.
  package private(set) var sandbox: tessera_sandbox_state?
  /// The peak memory of this program when it started the worker, which the system also counts as the
  /// worker's.
  private let ownPeak: UInt64
  private var processor: Int32 = -1
  /// Whether the worker has a processor of its own for now.
  private var spinning: Spinning
  /// Whether the worker runs on the processor of the asking thread; false lets its own threads run in
  /// parallel.
  package var isPinned = true
  /// The seconds for a call, and for all that answer one question of the program.
  package var secondsPerCall: Double
  /// The seconds for a call of a name, if that is less than for others; nil if all have the same.
  package var limit: (@Sendable (String) -> Double?)?
  /// The number of bytes of shared memory that were touched, as of the last `lookAtMemory`.
  package private(set) var touchedBytes: UInt64 = 0
  /// When the process, its memory and its output were last looked at.
  private var lastLook = 0.0
  /// The path of the worker's program.
  private let program: String
  /// Why the process ended; nil while it runs.
  package private(set) var exitReason: WorkerExit?

  /// Starts a worker.
  ///
  /// - Parameters:
  ///   - program: The path of the worker's program.
  ///   - isDebugged: Whether the worker loads the libraries' own files, keeps this program's
  ///     environment, and prints to this program's standard error.
  ///   - crashed: Called with the calls that led to a crash; nil to record none.
  ///   - input: The memory that the worker can only read; nil if it needs none.
  ///   - libraries: The libraries to load, in order.
  /// - Throws: `.refused` if the system cannot start it.
  package init(
    program: String, isSandboxed: Bool, requiresFullSandbox: Bool = false,
    isDebugged: Bool = false, crashed: (@Sendable (Backtrace) -> Void)? = nil, limits: WorkerLimits,
    memory: SharedMemory, input: SharedMemory?, libraries: [SealedLibrary], task: WorkerStart.Task
  ) throws(HostError) {
    self.program = program
    self.crashed = crashed
    self.libraries = libraries
    self.memory = memory
    self.input = input
    self.limits = limits
    secondsPerCall = limits.secondsPerCall
    self.isSandboxed = isSandboxed
    self.requiresFullSandbox = requiresFullSandbox
    var (ours, theirs, reading, writing): (Int32, Int32, Int32, Int32) = (-1, -1, -1, -1)
    guard tessera_socket_pair(&ours, &theirs) == 0 else {
      throw .workerNotStarted(program, errno)
    }
    defer { close(theirs) }
    guard tessera_pipe(&reading, &writing) == 0 else {
      let error = HostError.workerNotStarted(program, errno)
      close(ours)
      throw error
    }
    defer { close(writing) }
    socket = ours
    printed = reading
    output = CapturedOutput(descriptor: reading)
    channel = Channel(memory: memory, side: .host)
    spinning = Spinning(isPossible: tessera_other_processor(tessera_processor()) >= 0)
    var message = ByteWriter()
    message.put(
      WorkerStart(
        parent: getpid(), isSandboxed: isSandboxed, requiresFullSandbox: requiresFullSandbox,
        recordsCrash: crashed != nil, limits: limits,
        libraries: libraries.map {
          WorkerStart.Library(
            path: $0.path, file: isDebugged ? $0.identity : nil, abi: $0.inspection.abi)
        },
        inputByteCount: (input ?? memory).byteCount, task: task))
    var descriptors = [theirs, memory.descriptor, (input ?? memory).descriptor]
    descriptors += libraries.map(\.descriptor)
    do throws(HostError) {
      try channel.put(message)
      process = try Self.start(
        program, output: isDebugged ? STDERR_FILENO : writing, descriptors: descriptors,
        inherits: isDebugged)
      ownPeak = tessera_own_usage().memory
      watch = tessera_watch_start(
        process, memory.descriptor, (input ?? memory).descriptor, limits.memory, limits.threads)
    } catch {
      close(ours)
      close(reading)
      throw error
    }
  }

  deinit {
    if exitReason == nil { _ = end(nil) }
    close(socket)
    close(printed)
  }

  private static func start(
    _ program: String, output: Int32, descriptors: [Int32], inherits: Bool
  ) throws(HostError) -> Int32 {
    let name = strdup(program)
    // The backtrace of a Swift crash is for an author who debugs, not for the user. With any path of
    // the program that prints it, the runtime does not look for that at each start: a fifth of it.
    let variable = strdup("SWIFT_BACKTRACE=enable=no,swift-backtrace=/")
    defer {
      free(name)
      free(variable)
    }
    let arguments: [UnsafePointer<CChar>] = [UnsafePointer(name!)]
    var environment: [UnsafePointer<CChar>] = []
    if inherits {
      var variables = environ
      while let variable = variables.pointee {
        environment.append(UnsafePointer(variable))
        variables += 1
      }
    }
    if !inherits || getenv("SWIFT_BACKTRACE") == nil {
      environment.append(UnsafePointer(variable!))
    }
    let process = tessera_worker_start(
      program, arguments, 1, environment, UInt32(environment.count), output, descriptors,
      UInt32(descriptors.count))
    guard process > 0 else { throw .workerNotStarted(program, errno) }
    return process
  }

  /// Returns what the engines printed since the last call of this function, on one line; nil if
  /// nothing.
  package func takeOutput() -> String? {
    guard output.total > 0 else { return nil }
    defer { output.forget() }
    return output.summary
  }

  /// The number of bytes that the engines printed since the last `takeOutput()`.
  package var printedBytes: Int {
    output.drain()
    return output.total
  }

  /// Waits for the worker to load its libraries.
  ///
  /// - Parameter engine: The engine's id, for the error.
  /// - Returns: The engines' descriptions, or why they could not be loaded.
  /// - Throws: The errors of `ask`.
  package func descriptions(
    of engine: String
  ) throws(HostError) -> Result<[EngineDescription], HostError> {
    var reader: ByteReader
    switch try loaded(engine) {
    case .success(let message): reader = message
    case .failure(let error): return .failure(error)
    }
    let engines = try reader.read([EngineDescription].self)
    try reader.finish()
    return .success(engines)
  }

  /// Waits for the worker's first message, and checks its sandbox.
  ///
  /// - Parameter engine: The engine's id, for the error.
  /// - Returns: What follows the outcome, or why the libraries could not be loaded.
  /// - Throws: The errors of `ask`.
  package func loaded(_ engine: String) throws(HostError) -> Result<ByteReader, HostError> {
    if isSandboxed, let reason = superviseLoading() {
      // Whoever kills a worker says nothing about its program.
      guard !hasEnteredSandbox, reason.signal != SIGKILL else {
        throw exitError(reason, stage.name, of: engine)
      }
      throw startError(reason)
    }
    let outcome: Outcome
    let reader: ByteReader
    do throws(HostError) {
      (outcome, reader) = try ask(nil, nil, of: engine) { (_, _) throws(HostError) in
        throw ByteReader.broken("is a question before it is ready")
      }
    } catch {
      // Without the sandbox, the worker records when it begins to load the first library.
      guard !isSandboxed, stage == .starting, let exitReason, exitReason.signal != SIGKILL else {
        throw error
      }
      throw startError(exitReason)
    }
    if let failure = outcome.failure { return .failure(loadingError(failure)) }
    try verifyFilters()
    return .success(reader)
  }

  /// The error for a worker that ended itself before any code of an engine ran.
  private func startError(_ reason: WorkerExit) -> HostError {
    let printed = output.ofCrash.map { ", printing \"\($0)\"" } ?? ""
    return HostError(
      .wrongWorker,
      "the worker \(program) \(reason.sentenceBeforeLoading) before it loaded a library\(printed); "
        + "install the one of this host's release")
  }

  /// Why the worker has not loaded its libraries, as far as it is believed.
  private func loadingError(_ failure: Untrusted<HostError>) -> HostError {
    // No code of an engine runs before the sandbox is entered.
    if isSandboxed, !hasEnteredSandbox { return failure.ofHost }
    guard !requiresFullSandbox || grade == .full else {
      return .incompleteSandbox(grade)
    }
    if let error = failure.reported(by: [], isLoading: true) { return error }
    _ = end(nil)
    return HostError(
      .invalidAnswer, "its process failed with an error of the host: \(failure.sentence)")
  }

  /// Permits the worker to map code until its engines are loaded and registered, and takes its report
  /// about the sandbox.
  ///
  /// No code can be mapped afterwards, whatever the engines do: the kernel asks a listener that is
  /// closed.
  ///
  /// - Returns: Why the worker ended; nil once it has answered.
  private func superviseLoading() -> WorkerExit? {
    var deadline = Deadline(seconds: limits.secondsPerCall)
    var listener: Int32 = -1
    defer { if listener >= 0 { close(listener) } }
    while !channel.wait(nanoseconds: 0) {
      guard let isLoaded = takeReports(&listener) else { return end(nil, patience: 50_000_000) }
      if isLoaded { return waitForTurn(until: &deadline) }
      if listener >= 0 { tessera_supervisor_permit(listener) }
      output.drain()
      guard deadline.left > 0 else { return end(.deadline(seconds: limits.secondsPerCall)) }
      if let watch, Int(tessera_watch_look(watch)) != TESSERA_WATCH_NOTHING { return end(nil) }
      tessera_supervisor_wait(socket, listener, 1_000_000)
    }
    _ = takeReports(&listener)
    return nil
  }

  /// Takes the reports of the worker about its sandbox that have arrived.
  ///
  /// - Returns: Whether it has loaded its libraries; nil if it has ended.
  private func takeReports(_ listener: inout Int32) -> Bool? {
    var state = tessera_sandbox_state()
    // An engine can send reports, too: only those before its code runs are believed, and never many.
    for _ in 0..<16 {
      let found =
        hasEnteredSandbox
        ? tessera_supervisor_receive(socket, &state, nil)
        : tessera_supervisor_receive(socket, &state, &listener)
      switch found {
      case 0: return false
      case 1: break
      default: return nil
      }
      guard Int(state.progress) == TESSERA_SANDBOX_LOADED else {
        if !hasEnteredSandbox { sandbox = state }
        continue
      }
      if listener >= 0 { close(listener) }
      listener = -1
      return tessera_supervisor_answer(socket) == 0 ? true : nil
    }
    return false
  }

  /// The sandbox around the process; none until it has entered it.
  package var grade: SandboxGrade {
    guard hasEnteredSandbox, let sandbox else { return .none }
    return SandboxGrade(sandbox)
  }

  /// Whether the worker reported that it has given up its rights.
  private var hasEnteredSandbox: Bool {
    sandbox.map { Int($0.progress) == TESSERA_SANDBOX_COMPLETE } ?? false
  }

  /// Checks with the kernel that the filters that the worker reported are in force.
  ///
  /// - Throws: `.refused` if they are not; the worker is killed.
  private func verifyFilters() throws(HostError) {
    guard isSandboxed else { return }
    let found = tessera_supervisor_filters(process)
    guard hasEnteredSandbox, let sandbox, found < 0 || found >= sandbox.filters else {
      _ = end(nil)
      throw HostError(
        .incompleteSandbox,
        "its process does not have the filters of the sandbox (found \(found)); it is not used",
        .diagnoseMachine)
    }
  }

  /// Sends a question and waits for the answer.
  ///
  /// - Parameters:
  ///   - message: The question; nil at the start, when the worker sends the first message.
  ///   - call: The call into the engine, for the error; nil for the one that the worker noted.
  ///   - asked: The call with its arguments, for the error; nil for what the worker noted.
  ///   - engine: The engine's id, for the error.
  ///   - time: The time of the program's question, which the call shares with others; nil for a call with a limit
  ///     for itself.
  ///   - parts: How many parts the call has, each with the whole time limit; then no other call shares it.
  ///   - answer: Answers the worker's questions meanwhile.
  /// - Throws: `.died` if the worker ends or is killed; `.brokenContract` for an invalid answer; the
  ///   errors of `answer`. The worker is killed in each case.
  package func ask(
    _ message: ByteWriter?, _ call: EngineCall?, asked: @autoclosure () -> String? = nil,
    of engine: String, in time: QuestionTime? = nil, parts: Int = 0,
    answering answer: (AnswerKind, inout ByteReader) throws(HostError) -> any ByteCodable
  ) throws(HostError) -> (Outcome, ByteReader) {
    let start = monotonicSeconds()
    spinning.callBegins(at: start)
    (memory.base + SharedMap.spinning).storeBytes(of: spinning.nanoseconds, as: UInt32.self)
    follow()
    let shared = parts == 0 ? time : nil
    var deadline = Deadline(seconds: secondsPerCall, from: start, in: shared, parts: parts)
    defer {
      let end = monotonicSeconds()
      spinning.callEnded(at: end)
      shared?.add(ofEngines: end - start - deadline.granted, ofProgram: deadline.granted)
    }
    (memory.base + SharedMap.finishedParts).storeBytes(of: 0, as: UInt32.self)
    if let message {
      try channel.put(message)
      channel.pass()
    }
    while true {
      if let reason = waitForTurn(until: &deadline) {
        throw exitError(reason, (call ?? stage).name, asked() ?? notedArguments, of: engine)
      }
      do throws(HostError) {
        var reader = try channel.take()
        let isQuestion =
          reader.next == AnswerKind.delegate.rawValue || reader.next == AnswerKind.progress.rawValue
        guard isQuestion, let kind = AnswerKind(rawValue: try reader.read()) else {
          return (try Outcome.read(from: &reader), reader)
        }
        // The time in which the program computes its answer does not count as the engine's; the time
        // to read the question does.
        let begun = monotonicSeconds()
        var reply = ByteWriter(reserving: 48)
        try answer(kind, &reader).write(to: &reply)
        // A process that the program forked meanwhile must not take part in the talk.
        guard !isInherited else { throw HostError.forkedSession }
        deadline.extend(by: monotonicSeconds() - begun)
        try channel.put(reply)
      } catch {
        _ = end(nil)
        throw error.kind == .brokenContract ? error.caused(by: engine) : error.about(engine)
      }
      channel.pass()
    }
  }

  /// The error for a worker that ended, with the last output of its engines.
  ///
  /// - Parameter asked: The call with its arguments, if they are known.
  package func exitError(
    _ reason: WorkerExit, _ call: String, _ asked: String? = nil, of engine: String
  ) -> HostError {
    reportBacktrace()
    let printed = output.ofCrash.map { "; it printed \"\($0)\"" } ?? ""
    return HostError(
      reason.code, reason.sentence(during: asked ?? call) + printed, reason.remedy, engine: engine,
      death: HostError.Death(
        call: call, asked: asked, signal: reason.signal, sentence: reason.sentence(during: call)))
  }

  /// Passes on where the process crashed, if it recorded that.
  private func reportBacktrace() {
    guard let crashed else { return }
    let crash = (memory.base + SharedMap.crash).assumingMemoryBound(to: tessera_crash.self)
    if let backtrace = Backtrace(of: crash, libraries: libraries) { crashed(backtrace) }
  }

  /// Makes a set of descriptors readable once the process has ended or closed its socket.
  package func report(to set: Int32) { _ = tessera_poll_add(set, socket, 1) }

  /// Whether the process ended or closed its socket, also between two calls.
  package var isGone: Bool {
    exitReason != nil || isInherited || isLookDue && tessera_socket_is_closed(socket) != 0
  }

  /// Whether to look at the process, its memory and its output, with a system call for each.
  ///
  /// That would take most of the time of calls that follow each other closely; in a millisecond, little
  /// can happen.
  private var isLookDue: Bool { !spinning.isOn || monotonicSeconds() - lastLook > 1e-3 }

  /// Looks at the shared memory that was touched.
  package func lookAtMemory() {
    touchedBytes = memory.touchedBytes
  }

  /// Whether another layout of the same engines can use the worker: it lives, has little memory and
  /// most of its processor time left.
  var isReusable: Bool {
    !isGone && isPinned && memory.touchedBytes <= Self.keptBytes
      && input?.touchedBytes ?? 0 <= Self.keptBytes
      && tessera_worker_seconds(process) < Double(limits.processorSeconds) / 10
  }

  /// The most bytes of rows, or of input, that a worker without a session may hold.
  private static let keptBytes: UInt64 = 256 << 20

  /// Whether this process was forked from the one that started the worker.
  package var isInherited: Bool { owner != tessera_own_process() }

  /// Moves the worker to the processor of the asking thread, because only one of the two runs at a
  /// time; or to another one, if both wait for each other without sleeping.
  private func follow() {
    guard isPinned else { return }
    let ours = tessera_processor()
    guard ours >= 0, spinning.isOn ? ours == processor : ours != processor else { return }
    processor = spinning.isOn ? tessera_other_processor(ours) : ours
    tessera_worker_pin(process, processor)
  }

  /// The length of one wait, in nanoseconds.
  ///
  /// It is not shorter than the system's tick, 4 or 10 ms: a shorter timer would have to be set for
  /// every call, which takes longer than the call itself.
  private static let slice: Int64 = 10_000_000

  /// Waits in slices and checks the worker after each.
  ///
  /// - Returns: Why the worker ended; nil once it has answered.
  private func waitForTurn(until deadline: inout Deadline) -> WorkerExit? {
    var slice = Self.slice
    if spinning.isOn, channel.spin(nanoseconds: Int64(spinning.nanoseconds)), !isLookDue {
      return nil
    }
    while true {
      deadline.note(finishedParts)
      let left = deadline.left
      let seconds = min(secondsPerCall, limit?(stage.name) ?? .infinity)
      guard left > 0, deadline.used < seconds else {
        return end(.deadline(seconds: seconds, earlierCalls: deadline.earlierCalls))
      }
      let isOurs = channel.wait(nanoseconds: min(slice, Int64(min(left, 1) * 1e9) + 1))
      lookAtMemory()
      if isOurs, touchedBytes <= limits.memory {
        output.drain()
        if spinning.isOn { lastLook = monotonicSeconds() }
        return nil
      }
      if let watch, Int(tessera_watch_look(watch)) != TESSERA_WATCH_NOTHING { return end(nil) }
      // A worker that prints much is blocked until its output is read: look again soon.
      slice = output.drain() ? 100_000 : Self.slice
      if tessera_socket_is_closed(socket) != 0 { return end(nil, patience: 50_000_000) }
    }
  }

  /// Kills the worker and every process that it started.
  ///
  /// - Parameters:
  ///   - cause: Why it is killed; nil to derive the reason from its exit status.
  ///   - patience: How long it may take to end without being killed, in nanoseconds.
  /// - Returns: Why it ended.
  @discardableResult
  package func end(_ cause: WorkerExit?, patience: Int64 = 0) -> WorkerExit {
    if let exitReason { return exitReason }
    let stopped = stopWatching()
    guard !isInherited else {
      exitReason = .unknown
      return .unknown
    }
    var usage = tessera_worker_usage()
    let status =
      patience > 0
      ? tessera_worker_await(process, patience, &usage) : tessera_worker_end(process, &usage)
    output.drain()
    // If this program has more memory than the worker, the system reports only this program's: use
    // the worker's observed peak instead.
    let most = usage.memory > ownPeak ? usage.memory - min(usage.memory, stopped.usage.rows) : 0
    let isShort = max(most, stopped.usage.own) > limits.memory / 10 * 8
    let reason: WorkerExit
    if let found = stopped.reason {
      reason = found
    } else if case .deadline(let seconds, _) = cause, isShort {
      reason = .memoryAndDeadline(limit: limits.memory, seconds: seconds)
    } else {
      reason = cause ?? self.cause(status, isShort: isShort, seconds: usage.seconds)
    }
    exitReason = reason
    return reason
  }

  /// Ends the watch, before the system can give the process's id to another process.
  private func stopWatching() -> (reason: WorkerExit?, usage: tessera_usage) {
    guard let watch else { return (nil, tessera_usage()) }
    let usage = tessera_watch_usage(watch)
    self.watch = nil
    switch Int(tessera_watch_end(watch)) {
    case TESSERA_WATCH_MEMORY: return (.usedMemory(usage, limit: limits.memory), usage)
    case TESSERA_WATCH_THREADS: return (.threads(limit: limits.threads), usage)
    default: return (nil, usage)
    }
  }

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

  /// The forbidden system call that the worker recorded before it ended; nil if it recorded none.
  private var forbiddenCall: Int32? {
    let noted = (memory.base + SharedMap.forbiddenCall).load(as: tessera_forbidden_call.self)
    return noted.is_noted == 1 ? noted.number : nil
  }

  /// What the worker is doing, as it recorded itself.
  package var stage: EngineCall { EngineCall(rawValue: memory.stage.pointee) ?? .starting }

  /// The running call with its arguments, as the worker recorded itself; nil if it did not.
  private var notedArguments: String? {
    let noted = memory.notedArguments.prefix { $0 != 0 }
    return noted.isEmpty ? nil : UntrustedText.onOneLine(String(decoding: noted, as: UTF8.self))
  }

  /// How many parts of the running call are finished, as the worker recorded itself.
  package var finishedParts: Untrusted<UInt32> {
    Untrusted((memory.base + SharedMap.finishedParts).load(as: UInt32.self))
  }
}

/// When a call must have returned.
private struct Deadline {
  private let seconds: Double
  /// The numbers of finished parts with which the time of the next one starts.
  private var parts: Range<Int>
  /// The engine's seconds, without those that earlier calls took.
  private var length: Double
  private var end: Double
  /// The program's own part does not count as the engine's, but can at most double the time: an engine
  /// that asks without end would otherwise never be stopped.
  private var latest: Double
  /// The seconds of the program's part that do not count.
  private(set) var granted = 0.0
  /// The number of calls that the time is shared with and that took a notable part of it; nil if there are none.
  let earlierCalls: Int?

  /// - Parameters:
  ///   - start: When the call began.
  ///   - time: The question whose calls share the time; nil for a call with a time for itself.
  ///   - parts: How many parts the call has, each with this time.
  init(
    seconds: Double, from start: Double = monotonicSeconds(), in time: QuestionTime? = nil,
    parts: Int = 0
  ) {
    self.seconds = seconds
    self.parts = 1..<parts + 1
    length = seconds - (time?.ofEngines ?? 0)
    end = start + length
    latest = end + max(0, seconds - (time?.ofProgram ?? 0))
    earlierCalls = time.flatMap { $0.ofEngines >= 0.1 * seconds ? $0.calls : nil }
  }

  /// The seconds that are left; 0 or less if there are none.
  var left: Double { end - monotonicSeconds() }

  /// The seconds that the engine has used in this call.
  var used: Double { length - left }

  /// Adds the time in which the program computed an answer.
  mutating func extend(by seconds: Double) {
    let later = min(end + seconds, latest)
    granted += later - end
    end = later
  }

  /// Starts the time of the next part if another is finished, each at most once.
  mutating func note(_ finished: Untrusted<UInt32>) {
    guard let number = finished.exactly(in: parts) else { return }
    parts = number + 1..<parts.upperBound
    length = seconds
    end = monotonicSeconds() + seconds
    latest = end + seconds
  }
}

/// The path of a program, by default the one that runs engines: in the folder of the library that
/// contains this code, in the folder of the running program, in `libexec/tessera` of the prefix of
/// either, or in that of `~/.local`, `/usr/local` or `/usr`.
///
/// - Throws: `.notFound` if it is in none of them.
package func findProgram(
  _ name: String = "tessera-worker", which purpose: String = "runs engines"
) throws(HostError) -> String {
  var folders: [String] = []
  for file in [ownFile, runningFile].compactMap({ $0 }) {
    folders += [
      SearchPath.parent(of: file),
      SearchPath.join(SearchPath.prefix(containing: file), "libexec/tessera"),
    ]
  }
  if tessera_is_privileged() == 0, let home = getenv("HOME").map({ String(cString: $0) }),
    home.hasPrefix("/")
  {
    folders.append("\(home)/.local/libexec/tessera")
  }
  folders += ["/usr/local/libexec/tessera", "/usr/libexec/tessera"]
  for folder in folders where access("\(folder)/\(name)", X_OK) == 0 {
    return "\(folder)/\(name)"
  }
  throw HostError(
    .workerNotFound,
    "\(name), which \(purpose), is not in \(folders.joined(separator: " or "))", .locateWorker)
}

/// The file that this code was loaded from.
private var ownFile: String? {
  tessera_own_file().flatMap { resolved(String(cString: $0)) }
}

private var runningFile: String? { resolved("/proc/self/exe") }

private func resolved(_ path: String) -> String? {
  guard let resolved = realpath(path, nil) else { return nil }
  defer { free(resolved) }
  return String(cString: resolved)
}

extension HostError {
  fileprivate static func workerNotStarted(_ program: String, _ number: Int32) -> HostError {
    let sentence = "the worker \(program) cannot be started: \(systemMessage(number))"
    return switch number {
    case EMFILE, ENFILE:
      HostError(.systemLimit, "\(sentence); raise the limit on open files (ulimit -n)")
    case EAGAIN:
      HostError(
        .systemLimit,
        "\(sentence); raise the limits on processes and on memory (ulimit -u, -v and -d)")
    case ENOMEM:
      HostError(.systemLimit, "\(sentence); raise the limit on memory (ulimit -v)")
    default: HostError(.workerNotStarted, sentence, .locateWorker)
    }
  }
}
